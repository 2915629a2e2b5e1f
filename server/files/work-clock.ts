import { readFileSync, readlinkSync } from 'node:fs'

/** A thread that waits for a processor on a busy server gets so many times its limit by the clock. */
const PATIENCE = 10
/** The kernel counts in hundredths of a second. */
const TICK_MS = 10

/** Called in a thread: where Linux tells about it, such as `/proc/12/task/34`; null on other systems. */
export function threadPath(): string | null {
  try {
    return `/proc/${readlinkSync('/proc/thread-self')}`
  } catch {
    return null
  }
}

/** Processor time of a thread so far; null where the system does not tell. */
export function threadMs(path: string): number | null {
  try {
    // The second field is a name in brackets, which may contain spaces.
    const fields = readFileSync(`${path}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
    const ticks = Number(fields[11]) + Number(fields[12])
    return Number.isFinite(ticks) ? ticks * TICK_MS : null
  } catch {
    return null
  }
}

/** Whether a thread has worked longer than the limit since now. */
export function workClock(path: string | null, limitMs: number): () => boolean {
  const start = path === null ? null : threadMs(path)
  const patient = wallClock(limitMs * PATIENCE)
  if (path === null || start === null) return wallClock(limitMs)
  return () => (threadMs(path) ?? start) - start > limitMs || patient()
}

export function wallClock(limitMs: number): () => boolean {
  const end = performance.now() + limitMs
  return () => performance.now() > end
}
