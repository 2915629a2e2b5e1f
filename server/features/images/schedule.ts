import { inArray } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { images } from '#server/db/schema.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import type { Storage } from '#server/storage/storage.ts'
import { collectRowless } from '../files/cleaning.ts'
import { ORIGINALS, THUMBNAILS } from './rows.ts'

interface ImagesHousehold {
  db: Db
  storage: Storage
}

export async function scheduleImages(jobs: Jobs, world: ImagesHousehold): Promise<void> {
  await jobs.every('clean-images', '53 4 * * *', () => cleanImages(world), { limitSeconds: 4 * 3600 })
}

/** Deletes the bytes that no picture names. */
export async function cleanImages({ db, storage }: Pick<ImagesHousehold, 'db' | 'storage'>, now?: number) {
  for (const [prefix, column] of [
    [ORIGINALS, images.storageKey],
    [THUMBNAILS, images.thumbKey],
  ] as const) {
    const named = (keys: string[]) => db.select({ key: column }).from(images).where(inArray(column, keys))
    await collectRowless(storage, prefix, named, now)
  }
}
