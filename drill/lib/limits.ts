import { cpus, loadavg } from 'node:os'

/** The factor for time limits: it grows with the load, because a machine busy with other work is slow. */
export function timeFactor(load = loadavg()[0] ?? 0, cores = cpus().length): number {
  return Math.max(minFactor, load / (OWN_QUEUE * cores))
}

let minFactor = 1

/** Beside other tests the drill has half of the machine, whatever the load average says. */
export function allowForSharedMachine(): void {
  minFactor = 2
}

/** The load per core that the drill itself causes. */
const OWN_QUEUE = 3

export const isTooLong = (seconds: number, limitSeconds: number) => seconds > limitSeconds * timeFactor()
