import { randomUUID } from 'node:crypto'
import type { Bus } from './bus.ts'

export interface Changes {
  /** Where the count stands: taken before data is read. Null while events of other instances are missed. */
  mark: () => string | null
  /** Whether nothing of this user is known to have changed since the mark. When in doubt, no. */
  isCurrent: (userId: string, mark: string) => boolean
  note: (userId: string) => void
}

/** Users whose last change is remembered, at least. */
const REMEMBERED = 5000

/**
 * Remembers who had a change lately, so that a page can ask whether the data it came with is still current instead of
 * reading it again. A mark of another process is never current, nor one from before an outage of the bus.
 */
export function createChanges(bus: Pick<Bus, 'outages'>, remembered = REMEMBERED): Changes {
  const process = randomUUID()
  let count = 0
  /** Marks from before this count are not known about any more. */
  let oldest = 0
  let recent = new Map<string, number>()
  let earlier = new Map<string, number>()
  let recentSince = 0

  return {
    mark: () => {
      const outages = bus.outages()
      return outages === null ? null : `${process}.${outages}.${count}`
    },
    isCurrent: (userId, mark) => {
      const [from, outages, at] = mark.split('.')
      if (from !== process || outages !== String(bus.outages())) return false
      const markedAt = Number(at)
      const changedAt = recent.get(userId) ?? earlier.get(userId) ?? 0
      return markedAt >= oldest && markedAt <= count && changedAt <= markedAt
    },
    note: (userId) => {
      count += 1
      recent.set(userId, count)
      if (recent.size < remembered) return
      earlier = recent
      recent = new Map()
      oldest = recentSince
      recentSince = count
    },
  }
}
