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

/** A failed query lists its parameters on a line of their own, and links carry tokens after the question mark. */
export function withoutSecrets(text: string): string {
  return text.replace(/\n\s*params:[\s\S]*?(?=\n\s+at |$)/g, '').replace(/\?\S*/g, '?…')
}
