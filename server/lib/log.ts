import { type Logger, pino, type SerializedError } from 'pino'

export type Log = Logger

/** Which process a line comes from. */
export interface Origin {
  instance: string
  build: string
}

/** Structured lines on standard output. Bodies, cookies and URLs with tokens are never logged. */
export function openLog(level: string, destination?: NodeJS.WritableStream, origin?: Origin): Log {
  const options = {
    level,
    base: origin && { pid: process.pid, ...origin },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: (error: Error) => withoutParameters(pino.stdSerializers.err(error)) },
  }
  return destination ? pino(options, destination) : pino(options)
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
