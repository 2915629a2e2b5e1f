/** A field of a cron expression: any value, every so many of them, or one. */
const FIELD = /^(?:\*(?:\/([1-9]\d?))?|(\d{1,2}))$/
const MINUTE_MS = 60_000
const DAY_MINUTES = 1440

/**
 * The first minute after a moment that a cron expression names, in UTC. Minutes and hours are a number, `*` or a step
 * after the `*`; the other fields are `*`. Anything else is an error.
 */
export function nextTime(cron: string, after: Date): Date {
  const [minute = '', hour = '', ...rest] = cron.split(' ')
  const [isMinute, isHour] = [readField(minute), readField(hour)]
  if (!isMinute || !isHour || rest.join(' ') !== '* * *') throw new Error(`Cannot read the cron expression «${cron}»`)
  const first = Math.floor(after.getTime() / MINUTE_MS) + 1
  for (let at = first; at < first + DAY_MINUTES; at++) {
    const time = new Date(at * MINUTE_MS)
    if (isMinute(time.getUTCMinutes()) && isHour(time.getUTCHours())) return time
  }
  throw new Error(`The cron expression «${cron}» names no time`)
}

function readField(field: string) {
  const [known, step = '1', value] = FIELD.exec(field) ?? []
  if (known === undefined) return null
  return (now: number) => (value === undefined ? now % Number(step) === 0 : now === Number(value))
}
