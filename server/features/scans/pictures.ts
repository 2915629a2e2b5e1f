import type { PagePicture } from '#server/files/page-picture.ts'
import { Unreadable } from '#server/files/rejections.ts'
import { AppError } from '#server/lib/errors.ts'
import { createTurns } from '#server/lib/fair-turns.ts'
import { createWeighedCache } from '#server/lib/weighed-cache.ts'

interface Wanted {
  userId: string
  signal: AbortSignal
  make: () => Promise<PagePicture>
}

export interface Pictures {
  /** The caller has checked that the file is its own. Throws 409 for a page that gives no picture. */
  find: (key: string, wanted: Wanted) => Promise<Buffer>
}

const MOST_BYTES = 24 * 1024 * 1024
const KEPT_MS = 600_000
/** A page that gives no picture is remembered too: trying it may cost seconds of processor time. */
const FAILURE_WEIGHT = 1000

/** Pictures that people look at: few are made at once, one for a person, and the last ones are kept in memory. */
export function createPictures(): Pictures {
  const kept = createWeighedCache<Buffer | Unreadable>({ most: MOST_BYTES, ms: KEPT_MS })
  const turns = createTurns({
    ...{ size: 4, ofPerson: 1 },
    queue: { most: 12, rejection: 'Слишком много страниц сразу. Подождите, пока покажутся первые.' },
  })

  async function make(key: string, wanted: Wanted): Promise<Buffer | Unreadable> {
    // The turn before may have made it.
    const made = kept.get(key)
    if (made) return made
    try {
      const { content } = await wanted.make()
      kept.set(key, content, content.length)
      return content
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      kept.set(key, error, FAILURE_WEIGHT)
      return error
    }
  }

  return {
    find: async (key, wanted) => {
      const found = kept.get(key) ?? (await turns.run(wanted.userId, () => make(key, wanted), wanted.signal))
      if (found instanceof Unreadable) throw new AppError('conflict', found.message)
      return found
    },
  }
}
