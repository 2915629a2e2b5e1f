import { MAGIC_LINK_PAUSE_MS } from '#contract/auth.ts'

/** Seconds until another email may be requested; setting the clock back never makes the wait longer. */
export function secondsLeft(sentAt: number, now: number): number {
  const left = Math.min(sentAt + MAGIC_LINK_PAUSE_MS - now, MAGIC_LINK_PAUSE_MS)
  return Math.max(Math.ceil(left / 1000), 0)
}

/** 75 → «1:15». */
export function formatCountdown(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
