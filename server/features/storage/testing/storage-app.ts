import { sql } from 'drizzle-orm'
import { statisticsApi } from '#contract/statistics.ts'
import { files, images, installation, statNotes, storageOrphans, transcriptions } from '#server/db/schema.ts'
import { storedKinds } from '#server/features/index.ts'
import { newId } from '#server/lib/ids.ts'
import { openLog } from '#server/lib/log.ts'
import { s3Storage } from '#server/storage/s3.ts'
import type { Storage } from '#server/storage/storage.ts'
import { startFakeS3 } from '#server/storage/testing/fake-s3.ts'
import { testApp } from '#server/testing/app.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { cleanStorage } from '../cleaning.ts'
import { guardStorage } from '../owner.ts'

/** An app and a bucket of its own, both emptied before each test. */
export async function startStorageApp() {
  const app = await testApp()
  const anna = await app.signIn()
  const s3 = await closeAfterTests(startFakeS3())
  const storage = s3Storage(s3.settings, 1)
  const deps = (changes: { storage?: Storage; adopt?: boolean } = {}) => ({
    ...{ db: app.db, log: openLog('silent'), storage, kinds: storedKinds, adopt: false },
    ...changes,
  })
  const put = (key: string) => storage.put(key, Buffer.from('x'), 'text/plain')

  return {
    app,
    anna,
    s3,
    storage,
    deps,
    put,
    empty: async () => {
      s3.objects.clear()
      for (const table of [files, images, transcriptions, storageOrphans, installation, statNotes])
        await app.db.delete(table)
    },
    /** One run of the cleaning by a server that just started. */
    clean: (release = false) => cleanStorage({ ...deps(), owned: guardStorage(deps()) }, { release }),
    daysPass: (days: number) =>
      app.db
        .update(storageOrphans)
        .set({ firstSeenAt: sql`${storageOrphans.firstSeenAt} - make_interval(secs => ${days * 86_400})` }),
    /** The keys in the bucket without the owner file. */
    objects: () => [...s3.objects.keys()].filter((key) => !key.startsWith('.')).sort(),
    warnings: async () => {
      const owner = await app.signIn('owner@example.test')
      return (await owner.call(statisticsApi.get, { query: {} })).warnings.map(({ message }) => message)
    },
    aFile: async (userId = anna.user.id) => {
      const id = newId()
      const storageKey = `uploads/${id}`
      await put(storageKey)
      const name = { kind: 'document', name: 'a.txt', mime: 'text/plain' } as const
      await app.db.insert(files).values({ id, userId, storageKey, bytes: 1, state: 'ready', ...name })
      return storageKey
    },
    /** Inserts rows without files. Returns their keys. */
    manyRows: async (count: number) => {
      await app.db.execute(sql`
        insert into files (id, user_id, storage_key, bytes, state, kind, name, mime)
        select 'many-' || n, ${anna.user.id}, 'uploads/many-' || n, 1, 'ready', 'document', 'a.txt', 'text/plain'
        from generate_series(1, ${count}) as n`)
      return Array.from({ length: count }, (_, i) => `uploads/many-${i + 1}`)
    },
  }
}
