import { type Logger, pino, type SerializedError } from 'pino'

export type Log = Logger

/** Which process a line comes from, where lines of many are kept together. */
export interface Origin {
  instance: string
  build: string
}

/** Structured lines on standard output. Bodies, cookies and addresses with tokens are never handed to it. */
export function openLog(level: string, destination?: NodeJS.WritableStream, origin?: Origin): Log {
  const options = {
    level,
    base: origin && { pid: process.pid, ...origin },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: (error: Error) => withoutParameters(pino.stdSerializers.err(error)) },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** A failed query quotes its parameters, and those are people's words and tokens. */
function withoutParameters({ params: _, ...error }: SerializedError): object {
  return { ...error, message: withoutSecrets(error.message), stack: withoutSecrets(error.stack) }
}

/** What is longer is somebody's text in an error, and nobody reads it in a log. */
const MAX_LOGGED = 20_000
const STACK_LINE = /^\s{1,12}at \S/

/**
 * A failed query lists its parameters on lines of their own, and links carry tokens after the question mark. Line by
 * line, so that a text made of line breaks costs no more than any other.
 */
export function withoutSecrets(text: string): string {
  let isParameter = false
  const kept = text
    .slice(0, MAX_LOGGED)
    .split('\n')
    .filter((line) => {
      if (line.trimStart().startsWith('params:')) isParameter = true
      else if (isParameter && STACK_LINE.test(line)) isParameter = false
      return !isParameter
    })
  return kept.join('\n').replace(/\?\S*/g, '?…')
}
