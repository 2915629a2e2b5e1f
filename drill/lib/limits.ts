import { cpus, loadavg } from 'node:os'

/** On a machine that is busy with other work everything is late; limits of time grow with the queue for its cores. */
export function timeFactor(load = loadavg()[0] ?? 0, cores = cpus().length): number {
  return Math.max(minFactor, load / (OWN_QUEUE * cores))
}

let minFactor = 1

/** Beside other tests it has half of the machine, whatever the queue of the last minute was. */
export function allowForSharedMachine(): void {
  minFactor = 2
}

/** So many processes for a core are the drill's own. */
const OWN_QUEUE = 3

export const isTooLong = (seconds: number, limitSeconds: number) => seconds > limitSeconds * timeFactor()
