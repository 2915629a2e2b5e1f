import { type Level, type LogFn, type Logger, type LoggerOptions, pino } from 'pino'
import { isTransient } from './errors.ts'
import { safeError } from './safe-error.ts'

export type Log = Logger

/** Which process a line comes from. */
export interface Origin {
  instance: string
  build: string
}

/** Structured lines on standard output. Bodies, cookies, URLs with tokens and messages of errors are never logged. */
export function openLog(level: string, destination?: NodeJS.WritableStream, origin?: Origin): Log {
  const repeats = new Map<string, number>()
  const options: LoggerOptions = {
    level,
    hooks: {
      logMethod(args, method, at) {
        if (!isRepeat(args, at)) method.apply(this, withOwnMessage(args))
      },
    },
    base: origin && { pid: process.pid, ...origin },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: safeError },
    formatters: { log: withSafeErrors },
  }
  const log = destination ? pino(options, destination) : pino(options)

  /** Whether this line reports an outage again. The first is written in full, the others are counted. */
  function isRepeat([facts, message]: unknown[], at: number): boolean {
    const error = facts instanceof Error ? facts : (facts as { err?: unknown } | undefined)?.err
    if (!(error instanceof Error) || !isTransient(error)) return false
    const reason = reasonOf(error)
    const key = `${message ?? ''}: ${reason}`
    const count = repeats.get(key)
    if (count === undefined && repeats.size >= MAX_KINDS) return false
    repeats.set(key, (count ?? -1) + 1)
    if (count === undefined) reportLater({ key, reason, message: String(message ?? reason), at })
    return count !== undefined
  }

  function reportLater(line: RepeatedLine): void {
    setTimeout(() => {
      const count = repeats.get(line.key) ?? 0
      repeats.delete(line.key)
      if (count === 0) return
      log[log.levels.labels[line.at] as Level]({ reason: line.reason, count }, line.message)
      repeats.set(line.key, 0)
      reportLater(line)
    }, REPEATS_MS).unref()
  }
  return log
}

interface RepeatedLine {
  key: string
  reason: string
  message: string
  /** Its level. */
  at: number
}

/** In an outage every request and every sweep fails alike: one short line in this time counts them. */
export const REPEATS_MS = 60_000
const MAX_KINDS = 100

/** The code of the innermost cause, or its kind. */
function reasonOf(error: Error): string {
  if (error.cause instanceof Error) return reasonOf(error.cause)
  const { code, message, type } = safeError(error) as { code?: string; message?: string; type: string }
  return code ?? message ?? type
}

/** Errors under other names than `err`. */
function withSafeErrors(facts: Record<string, unknown>): Record<string, unknown> {
  let safe = facts
  for (const [name, value] of Object.entries(facts)) {
    if (name !== 'err' && value instanceof Error) safe = { ...safe, [name]: safeError(value) }
  }
  return safe
}

/** Pino takes the message of the error when a line has none. */
function withOwnMessage(args: Parameters<LogFn>): Parameters<LogFn> {
  const [first, message]: unknown[] = args
  return message === undefined && typeof first === 'object' && first !== null ? [asFacts(first), 'failed'] : args
}

const asFacts = (value: object) => (value instanceof Error ? { err: value } : value)
