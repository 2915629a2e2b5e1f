import { type Logger, pino } from 'pino'

export type Log = Logger

/** Structured lines on standard output. Bodies, cookies and addresses with tokens are never handed to it. */
export function openLog(level: string): Log {
  return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime })
}
