import { beforeEach, expect, test } from 'vitest'
import { filesApi } from '#contract/files.ts'
import { files, installation } from '#server/db/schema.ts'
import { openLog } from '#server/lib/log.ts'
import { s3Storage } from '#server/storage/s3.ts'
import { startTestApp } from '#server/testing/app.ts'
import { guardStorage, openStorage } from './owner.ts'
import { startStorageApp } from './testing/storage-app.ts'

const bucket = await startStorageApp()
beforeEach(() => bucket.empty())

test('files of another installation are not deleted, and the administrator gets advice (S10.149)', async () => {
  for (let i = 0; i < 5; i += 1) await bucket.aFile()
  await bucket.clean()
  const before = bucket.objects()
  expect(before).toHaveLength(5)

  // Another database uses the same files.
  for (const table of [files, installation]) await bucket.app.db.delete(table)
  await bucket.clean()
  await bucket.daysPass(30)
  expect(await bucket.clean(true)).toBeNull()
  expect(bucket.objects()).toEqual(before)
  expect(await bucket.warnings()).toEqual([expect.stringContaining('STORAGE_ADOPT=1')])
})

test('files without an owner are ours only when rows name them', async () => {
  await bucket.aFile()
  expect(await guardStorage(bucket.deps()).check()).toBe('ours')
  bucket.s3.objects.delete('.installation')
  await bucket.app.db.delete(files)
  expect(await guardStorage(bucket.deps()).check()).toBe('other installation')
  expect(bucket.s3.objects.has('.installation')).toBe(false)
})

test('a delete by a user does not delete files of another installation', async () => {
  await bucket.storage.writeOwner(JSON.stringify({ id: 'another', database: null }))
  const owned = guardStorage(bucket.deps())
  const key = await bucket.aFile()
  await expect(owned.storage.delete(key)).rejects.toThrow('not known to be ours')
  const other = await startTestApp({
    database: bucket.app.database,
    deps: {
      files: { ...bucket.app.files, pool: { ...bucket.app.files.pool, close: async () => {} }, storage: owned.storage },
    },
  })
  const boris = await other.signIn()
  const brought = await bucket.aFile(boris.user.id)
  await boris.call(filesApi.delete, { params: { id: brought.replace('uploads/', '') } })
  expect(bucket.objects()).toContain(brought)
  await other.close()
})

test('a restored database deletes no files until it adopts the storage (S10.149)', async () => {
  const owned = guardStorage(bucket.deps())
  expect(await owned.check()).toBe('ours')
  const [{ id } = { id: '' }] = await bucket.app.db.select().from(installation)
  await bucket.storage.writeOwner(JSON.stringify({ id, database: 'of another server' }))
  const key = await bucket.aFile()
  expect(await owned.check()).toBe('other database')
  await expect(owned.storage.delete(key)).rejects.toThrow('not known to be ours')
  expect(await bucket.warnings()).toEqual([expect.stringContaining('восстановлена из копии или переехала')])
  expect(await openStorage({ ...bucket.deps(), production: true })).toBeDefined()

  expect(await guardStorage(bucket.deps({ adopt: true })).check()).toBe('ours')
  expect(await owned.check()).toBe('ours')
  await owned.storage.delete(key)
  expect(bucket.objects()).toEqual([])
  expect(await bucket.warnings()).toEqual([])
})

test('a foreign storage stops the start in production without STORAGE_ADOPT (S10.149)', async () => {
  await bucket.storage.writeOwner(JSON.stringify({ id: 'another', database: null }))
  await expect(openStorage({ ...bucket.deps(), production: true })).rejects.toThrow(
    /Сервер не запущен.*STORAGE_ADOPT=1/,
  )
  await openStorage({ ...bucket.deps(), production: false })
  await openStorage({ ...bucket.deps({ adopt: true }), production: true })
  await openStorage({ ...bucket.deps(), production: true })
})

test('an unreachable storage does not stop the start, only deletions (S10.151)', async () => {
  const key = await bucket.aFile()
  await guardStorage(bucket.deps()).check()
  bucket.s3.stumbles = 3
  const owned = await openStorage({ ...bucket.deps(), production: true })
  expect(await bucket.warnings()).toEqual([expect.stringContaining('Проверьте S3_ENDPOINT')])
  bucket.s3.stumbles = 3
  await expect(owned.storage.delete(key)).rejects.toThrow('not known to be ours')
  expect(bucket.objects()).toEqual([key])
  await owned.storage.delete(key)
  expect(bucket.objects()).toEqual([])
  expect(await bucket.warnings()).toEqual([])
})

test.each([
  ['a wrong bucket', { bucket: 'elsewhere' }, 'Проверьте S3_BUCKET'],
  ['a wrong secret', { secretAccessKey: 'another' }, 'Проверьте S3_SECRET_ACCESS_KEY'],
  ['a wrong key', { accessKeyId: 'another' }, 'Проверьте S3_ACCESS_KEY_ID'],
])('%s is named at the start, in the log and to administrators', async (_, changes, advice) => {
  const lines: string[] = []
  const stream = { write: (line: string) => lines.push(line) } as unknown as NodeJS.WritableStream
  const wrong = s3Storage({ ...bucket.s3.settings, ...changes }, 1)
  await openStorage({ ...bucket.deps({ storage: wrong }), log: openLog('info', stream), production: true })
  expect(lines.join()).toContain(advice)
  expect(await bucket.warnings()).toEqual([expect.stringContaining(advice)])
})
