import { AppError } from '#server/lib/errors.ts'
import { noteRejection } from './limit-rejections.ts'
import type { TotalName } from './limit-table.ts'

/** Takes a place for somebody; the returned function gives it back, once. */
export type TakeSlot = (key: string) => () => void

const AGAIN_SECONDS = 10

/** So many at once for one key. Beyond that a newcomer is refused with `words`. */
export function createSlots(name: TotalName, most: number, words: string): TakeSlot {
  const taken = new Map<string, number>()
  return (key) => {
    const already = taken.get(key) ?? 0
    if (already >= most) {
      noteRejection(name)
      throw new AppError('too_many_requests', words, { retryAfterSeconds: AGAIN_SECONDS })
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
