/** A field of a cron expression: any value, every so many of them, or one. */
const FIELD = /^(?:\*(?:\/([1-9]\d?))?|(\d{1,2}))$/

const MINUTE_MS = 60_000
/** After a longer pause, for example a sleeping machine, earlier missed minutes are skipped. */
const MAX_MISSED_MINUTES = 60

export type IsDue = (at: Date) => boolean

/**
 * Whether a cron expression matches a minute, in UTC. Each field is a number or `*`; minutes and hours may also have a
 * step after the `*`. Anything else is an error.
 */
export function readCron(cron: string): IsDue {
  const fields = cron.split(' ').map((field, i) => {
    const known = FIELD.exec(field)
    const [, step, value] = known ?? []
    if (!known || (step !== undefined && i > 1))
      throw new Error(`Cannot read «${field}» in the cron expression «${cron}»`)
    return (now: number) => (value === undefined ? now % Number(step ?? 1) === 0 : now === Number(value))
  })
  if (fields.length !== 5) throw new Error(`A cron expression has five fields, not «${cron}»`)
  return (at) => {
    const now = [at.getUTCMinutes(), at.getUTCHours(), at.getUTCDate(), at.getUTCMonth() + 1, at.getUTCDay()]
    return fields.every((fits, i) => fits(now[i] ?? 0))
  }
}

/** The beginnings of the minutes after `last` until now: usually one or none. */
export function minutesSince(last: number, now: number): Date[] {
  const current = Math.floor(now / MINUTE_MS)
  const first = Math.max(Math.floor(last / MINUTE_MS) + 1, current - MAX_MISSED_MINUTES + 1)
  return Array.from({ length: Math.max(0, current - first + 1) }, (_, i) => new Date((first + i) * MINUTE_MS))
}
