import { AppError } from '#server/lib/errors.ts'
import { noteRejection } from './limit-rejections.ts'
import type { TotalName } from './limit-table.ts'

/** Takes a slot for a key; the returned function releases it. */
export type TakeSlot = (key: string) => () => void

const AGAIN_SECONDS = 10

/** Allows `most` slots per key at a time; the next one is rejected with `message`. */
export function createSlots(name: TotalName, most: number, message: string): TakeSlot {
  const taken = new Map<string, number>()
  return (key) => {
    const already = taken.get(key) ?? 0
    if (already >= most) {
      noteRejection(name)
      throw new AppError('too_many_requests', message, { retryAfterSeconds: AGAIN_SECONDS })
    }
    taken.set(key, already + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      const left = (taken.get(key) ?? 1) - 1
      if (left > 0) taken.set(key, left)
      else taken.delete(key)
    }
  }
}
