import { randomUUID } from 'node:crypto'
import type { Bus } from './bus.ts'

export interface Changes {
  /** The current count, to be taken before data is read. Null while events of other instances are being missed. */
  mark: () => string | null
  /** False if data of this user has changed since the mark, or may have. */
  isCurrent: (userId: string, mark: string) => boolean
  note: (userId: string) => void
}

/** The last changes of at least this many users are remembered. */
const REMEMBERED = 5000

/**
 * Remembers whose data changed lately, so that a page can ask whether the data sent with it is still current instead of
 * reading it again. A mark of another process is never current, nor one from before an outage of the bus.
 */
export function createChanges(bus: Pick<Bus, 'outages'>, remembered = REMEMBERED): Changes {
  const process = randomUUID()
  let count = 0
  /** Changes before this count are forgotten, so older marks are never current. */
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
