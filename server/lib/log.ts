import { type Level, type Logger, type LoggerOptions, pino, type SerializedError } from 'pino'
import { isTransient } from './errors.ts'

export type Log = Logger

/** Which process a line comes from. */
export interface Origin {
  instance: string
  build: string
}

/** Structured lines on standard output. Bodies, cookies and URLs with tokens are never logged. */
export function openLog(level: string, destination?: NodeJS.WritableStream, origin?: Origin): Log {
  const repeats = new Map<string, number>()
  const options: LoggerOptions = {
    level,
    hooks: {
      logMethod(args, method, at) {
        if (!isRepeat(args, at)) method.apply(this, args)
      },
    },
    base: origin && { pid: process.pid, ...origin },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: (error: Error) => withoutParameters(pino.stdSerializers.err(error)) },
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
const MAX_REASON = 100

/** The code, or the beginning of the sentence, of the innermost cause. */
function reasonOf(error: Error): string {
  if (error.cause instanceof Error) return reasonOf(error.cause)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  return code ?? withoutSecrets(error.message).slice(0, MAX_REASON)
}

/** A failed query quotes its parameters, which contain user text and tokens. */
function withoutParameters({ params: _, ...error }: SerializedError): object {
  return { ...error, message: withoutSecrets(error.message), stack: withoutSecrets(error.stack) }
}

/** Longer messages contain user text. */
const MAX_LOGGED = 20_000
const STACK_LINE = /^\s{1,12}at \S/

/**
 * Removes the parameters of failed queries and everything after a question mark (tokens of links). Works line by line,
 * so that text with many line breaks stays cheap.
 */
export function withoutSecrets(text: string): string {
  let isParameter = false
  const lines = text
    .slice(0, MAX_LOGGED)
    .split('\n')
    .filter((line) => {
      if (line.trimStart().startsWith('params:')) isParameter = true
      else if (isParameter && STACK_LINE.test(line)) isParameter = false
      return !isParameter
    })
  return lines.join('\n').replace(/\?\S*/g, '?…')
}
