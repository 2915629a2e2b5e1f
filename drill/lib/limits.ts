import { cpus, loadavg } from 'node:os'

/** The factor for time limits: it grows with the load, because a machine busy with other work is slow. */
export function slackOf(load = loadavg()[0] ?? 0, cores = cpus().length): number {
  return Math.max(least, load / (OWN_QUEUE * cores))
}

let least = 1

/** Beside other tests the drill has half of the machine, whatever the load average says. */
export function shareMachine(): void {
  least = 2
}

/** The load per core that the drill itself causes. */
const OWN_QUEUE = 3

export const isTooLong = (seconds: number, limitSeconds: number) => seconds > limitSeconds * slackOf()
