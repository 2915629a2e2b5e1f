import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { accountApi } from '#contract/account.ts'
import { files, images, storageOrphans, transcriptions } from '#server/db/schema.ts'
import { cleanStorage, deleteMarkedFiles, maxToDelete } from './cleaning.ts'
import { guardStorage } from './owner.ts'
import { startStorageApp } from './testing/storage-app.ts'

const bucket = await startStorageApp()
beforeEach(() => bucket.empty())

test('files without a row are deleted after seven days; others stay (S10.152)', async () => {
  const stored = [await bucket.aFile()]
  const image = { batchId: 'b', prompt: '', modelId: 'm', size: 'auto', state: 'ready', price: 0 } as const
  await bucket.app.db.insert(images).values({
    ...{ id: 'drawn', userId: bucket.anna.user.id, position: 0, storageKey: 'images/drawn', thumbKey: 'thumbs/drawn' },
    ...image,
  })
  await bucket.app.db.insert(transcriptions).values({
    ...{
      id: 'transcribed',
      userId: bucket.anna.user.id,
      title: '',
      fileName: '',
      storageKey: 'transcribed-1',
      state: 'ready',
    },
    ...{ bytes: 15, received: 15, chunkBytes: 10 },
  })
  stored.push('images/drawn', 'thumbs/drawn', 'recordings/0-transcribed-1', 'recordings/1-transcribed-1')
  const orphans = ['uploads/a', 'images/b', 'thumbs/b', 'recordings/0-c', 'recordings/1-c']
  for (const key of [...stored.slice(1), ...orphans]) await bucket.put(key)

  expect(await bucket.clean()).toMatchObject({ objects: 10, deleted: 0 })
  await bucket.daysPass(6.9)
  expect(await bucket.clean()).toMatchObject({ deleted: 0 })
  expect(bucket.objects()).toHaveLength(10)
  await bucket.daysPass(0.2)
  expect(await bucket.clean()).toMatchObject({ deleted: 5, held: 0 })
  expect(bucket.objects()).toEqual([...stored].sort())
  expect(await bucket.app.db.$count(storageOrphans)).toBe(0)
})

test('a file that regains its row waits anew after losing it', async () => {
  const key = await bucket.aFile()
  const [row] = await bucket.app.db.delete(files).returning()
  await guardStorage(bucket.deps({ adopt: true })).check()
  await bucket.clean()
  await bucket.daysPass(6)
  await bucket.app.db.insert(files).values(row ?? ({} as never))
  await bucket.clean()
  await bucket.app.db.delete(files)
  await bucket.clean()
  await bucket.daysPass(6)
  await bucket.clean()
  expect(bucket.objects()).toEqual([key])
})

test('a small installation deletes ten orphans, and eleven wait for the command (S10.152)', async () => {
  await bucket.aFile()
  await bucket.clean()
  for (let i = 0; i < 10; i += 1) await bucket.put(`uploads/orphan-${i}`)
  await bucket.clean()
  await bucket.daysPass(8)
  expect(await bucket.clean()).toMatchObject({ deleted: 10 })
  for (let i = 0; i < 11; i += 1) await bucket.put(`uploads/orphan-${i}`)
  await bucket.clean()
  await bucket.daysPass(8)
  expect(await bucket.clean()).toMatchObject({ deleted: 0, held: 11 })
  expect(await bucket.warnings()).toEqual([expect.stringContaining('npm run reconcile -- --files --delete')])
  expect(await bucket.clean(true)).toMatchObject({ deleted: 11 })
  expect(bucket.objects()).toHaveLength(1)
  expect(await bucket.warnings()).toEqual([])
})

test.each([
  [5, 10],
  [1000, 10],
  [2000, 20],
  [10_000, 100],
  [1_000_000, 100],
])('a run with %i objects may delete %i orphans', (objects, most) => {
  expect(maxToDelete(objects)).toBe(most)
})

/** A user with files who deletes the account. */
async function leaverWith(files: number) {
  const boris = await bucket.app.signIn()
  for (let i = 0; i < files; i += 1) await bucket.aFile(boris.user.id)
  await boris.call(accountApi.deleteUser, { body: {} })
  const token =
    new URL(/https?:\S+/.exec(bucket.app.outbox.at(-1)?.text ?? '')?.[0] ?? '').searchParams.get('token') ?? ''
  await boris.call(accountApi.deleteUser, { body: { token } })
}
const deleteNow = (owned = guardStorage(bucket.deps())) => deleteMarkedFiles({ ...bucket.deps(), owned })

test('files of a deleted account are deleted at once; other orphans wait', async () => {
  const stored = await bucket.aFile()
  await bucket.clean()
  await bucket.put('uploads/unexpected')
  await leaverWith(250)
  expect(await bucket.app.db.$count(files)).toBe(1)
  expect([await deleteNow(), await deleteNow(), await deleteNow(), await deleteNow()]).toEqual([100, 100, 50, 0])
  expect(bucket.objects()).toEqual([stored, 'uploads/unexpected'].sort())
})

test('a deleted account’s failed file deletion is retried without stopping others', async () => {
  await bucket.aFile()
  await bucket.clean()
  await leaverWith(3)
  let isDown = true
  const storage = {
    ...bucket.storage,
    delete: (key: string) => (isDown ? Promise.reject(new Error('no')) : bucket.storage.delete(key)),
  }
  const owned = guardStorage(bucket.deps({ storage }))
  expect(await deleteNow(owned)).toBe(0)
  isDown = false
  expect(await deleteNow(owned)).toBe(0)
  await bucket.app.db.update(storageOrphans).set({ seenAt: sql`now() - interval '6 minutes'` })
  expect(await deleteNow(owned)).toBe(3)
  expect(bucket.objects()).toHaveLength(1)
})

test('a deleted account’s files in another installation’s storage stay', async () => {
  await bucket.aFile()
  await bucket.clean()
  await leaverWith(2)
  await bucket.storage.writeOwner(JSON.stringify({ id: 'another', database: null }))
  expect(await deleteNow()).toBe(0)
  expect(bucket.objects()).toHaveLength(3)
})

test('a failed delete is retried and does not stop the others', async () => {
  await bucket.aFile()
  await bucket.clean()
  for (const key of ['uploads/stubborn', 'uploads/willing']) await bucket.put(key)
  const owned = guardStorage(
    bucket.deps({
      storage: {
        ...bucket.storage,
        delete: (key) => (key.endsWith('stubborn') ? Promise.reject(new Error('no')) : bucket.storage.delete(key)),
      },
    }),
  )
  await cleanStorage({ ...bucket.deps(), owned })
  await bucket.daysPass(8)
  expect(await cleanStorage({ ...bucket.deps(), owned })).toMatchObject({ deleted: 1 })
  expect(bucket.objects()).toContain('uploads/stubborn')
  expect(await bucket.app.db.select({ key: storageOrphans.key }).from(storageOrphans)).toEqual([
    { key: 'uploads/stubborn' },
  ])
})
