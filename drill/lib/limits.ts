import { cpus, loadavg } from 'node:os'

/** On a machine that is busy with other work everything is late; limits of time grow with the queue for its cores. */
export function slackOf(load = loadavg()[0] ?? 0, cores = cpus().length): number {
  return Math.max(least, load / (OWN_QUEUE * cores))
}

let least = 1

/** Beside other tests it has half of the machine, whatever the queue of the last minute was. */
export function shareMachine(): void {
  least = 2
}

/** So many processes for a core are the drill's own. */
const OWN_QUEUE = 3

export const isTooLong = (seconds: number, limitSeconds: number) => seconds > limitSeconds * slackOf()
