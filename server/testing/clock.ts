import { vi } from 'vitest'

/** Runs an action as if so much time had passed. */
export async function withClockForward<T>(ms: number, action: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
  try {
    return await action()
  } finally {
    vi.useRealTimers()
  }
}

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
