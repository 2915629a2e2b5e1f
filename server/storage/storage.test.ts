import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { testFolder } from '#server/testing/folder.ts'
import { diskStorage } from './disk.ts'
import { s3Storage } from './s3.ts'
import { readWhole, type Storage, StorageError } from './storage.ts'
import { startFakeS3 } from './testing/fake-s3.ts'

const storages = {} as { disk: Storage; s3: Storage }
const root = testFolder()
const s3 = await closeAfterTests(startFakeS3())
storages.disk = await diskStorage(join(root, 'files'))
storages.s3 = s3Storage(s3.settings, 1)

const keys = async (storage: Storage, prefix: string) => {
  const found: string[] = []
  for await (const { key, at } of storage.list(prefix)) {
    expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(10_000)
    found.push(key)
  }
  return found.sort()
}

describe.each(['disk', 's3'] as const)('%s', (name) => {
  test('gives back what was put, as bytes or file, else null', async () => {
    const storage = storages[name]
    const bytes = Buffer.from('Здравствуйте'.repeat(100_000))
    const path = join(root, `${name}-file`)
    await writeFile(path, bytes)
    await storage.put('texts/first-1', new Uint8Array([1, 2, 3]), 'text/plain')
    await storage.put('texts/second-2', { path, bytes: bytes.length }, 'text/plain')
    expect(await readWhole(storage, 'texts/first-1')).toEqual(new Uint8Array([1, 2, 3]))
    expect(bytes.equals((await readWhole(storage, 'texts/second-2')) ?? Buffer.of())).toBe(true)
    expect(await storage.read('texts/none')).toBeNull()
  })

  test('a part of what was put is read alone', async () => {
    const storage = storages[name]
    await storage.put('texts/range-1', Buffer.from('0123456789'), 'text/plain')
    const part = await storage.read('texts/range-1', { from: 2, to: 5 })
    expect(part?.bytes).toBe(4)
    expect(await new Response(part?.stream as ReadableStream).text()).toBe('2345')
    expect(await storage.read('texts/none', { from: 0, to: 1 })).toBeNull()
  })

  test('the same key put again is replaced', async () => {
    const storage = storages[name]
    await storage.put('again/one', new Uint8Array([1]), 'image/png')
    await storage.put('again/one', new Uint8Array([2, 2]), 'image/png')
    expect(await readWhole(storage, 'again/one')).toEqual(new Uint8Array([2, 2]))
  })

  test('lists a prefix completely, and deleting twice is fine', async () => {
    const storage = storages[name]
    const wanted = ['a1', 'b2', 'c3', 'd4', 'e5'].map((id) => `many/${id}`)
    for (const key of [...wanted, 'other/x']) await storage.put(key, new Uint8Array(1), 'image/png')
    expect(await keys(storage, 'many')).toEqual(wanted)
    expect(await keys(storage, 'nothing')).toEqual([])
    await storage.delete('many/a1')
    await storage.delete('many/a1')
    expect(await keys(storage, 'many')).toEqual(wanted.slice(1))
  })

  test('the owner is written, read and replaced, but never listed', async () => {
    const storage = storages[name]
    expect(await storage.readOwner()).toBeNull()
    for (const owner of ['{"id":"первая"}', '{"id":"вторая"}']) {
      await storage.writeOwner(owner)
      expect(await storage.readOwner()).toBe(owner)
    }
    expect(await keys(storage, 'texts')).not.toContain('.installation')
  })

  test.each(['../secrets', 'many/../x', 'many/a/b', 'many', '/etc/passwd', 'many/a?b'])(
    '%s is not a key',
    async (key) => {
      await expect(async () => storages[name].read(key)).rejects.toThrow('Not a key')
    },
  )
})

test('on disk no key has a partial file, and files are moved', async () => {
  const path = join(root, 'files', 'incoming', 'handed-over')
  await writeFile(path, 'text')
  await storages.disk.put('moved/ab', { path, bytes: 4 }, 'text/plain')
  expect(existsSync(path)).toBe(false)
  expect(await readdir(join(root, 'files', 'moved', 'ab'))).toEqual(['ab'])
  expect(await readdir(join(root, 'files', 'incoming'))).toEqual([])
})

test('S3 keeps the type and checks the signature with its secret', async () => {
  await storages.s3.put('typed/one', new Uint8Array([1]), 'image/webp')
  expect(s3.objects.get('typed/one')?.mime).toBe('image/webp')
  const stranger = s3Storage({ ...s3.settings, secretAccessKey: 'another' }, 1)
  await expect(stranger.put('typed/two', new Uint8Array([1]), 'image/png')).rejects.toThrow('SignatureDoesNotMatch')
  await expect(keys(stranger, 'typed')).rejects.toThrow('SignatureDoesNotMatch')
  expect(s3.objects.has('typed/two')).toBe(false)
  const elsewhere = s3Storage({ ...s3.settings, bucket: 'elsewhere' }, 1)
  await expect(elsewhere.put('typed/two', new Uint8Array([1]), 'image/png')).rejects.toThrow('NoSuchBucket')
})

test('a failed request is retried, three times in all, from the beginning', async () => {
  const path = join(root, 'stumble')
  await writeFile(path, 'whole')
  s3.stumbles = 2
  await storages.s3.put('late/one', { path, bytes: 5 }, 'text/plain')
  expect(s3.objects.get('late/one')?.bytes.toString()).toBe('whole')
  s3.stumbles = 3
  await expect(storages.s3.read('late/one')).rejects.toThrow('503 (SlowDown)')
  expect(s3.stumbles).toBe(0)
})

test('a body that breaks off is read on from there (S10.564)', async () => {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251))
  await storages.s3.put('texts/cut', bytes, 'text/plain')
  s3.cuts = 5
  expect(bytes.equals((await readWhole(storages.s3, 'texts/cut')) ?? Buffer.of())).toBe(true)
  s3.cuts = 2
  const part = await storages.s3.read('texts/cut', { from: 1000, to: 200_999 })
  const read = Buffer.from(await new Response(part?.stream as ReadableStream).arrayBuffer())
  expect(read.equals(bytes.subarray(1000, 201_000))).toBe(true)
  expect(s3.cuts).toBe(0)
})

test('a body that breaks off for good is a storage error (S10.564)', async () => {
  await storages.s3.put('texts/cut', Buffer.from('0123456789'), 'text/plain')
  s3.cuts = 1
  const stored = await storages.s3.read('texts/cut')
  s3.objects.delete('texts/cut')
  await expect(new Response(stored?.stream as ReadableStream).text()).rejects.toThrow(StorageError)
})

test('with a prefix everything lies below it, and nothing else is listed', async () => {
  const below = s3Storage({ ...s3.settings, prefix: 'staging/files' }, 1)
  await storages.s3.put('shared/one', new Uint8Array([1]), 'image/png')
  await below.put('shared/two', new Uint8Array([2]), 'image/png')
  await below.writeOwner('staging')
  expect(s3.objects.has('staging/files/shared/two')).toBe(true)
  expect(s3.objects.has('staging/files/.installation')).toBe(true)
  expect(await keys(below, 'shared')).toEqual(['shared/two'])
  expect(await keys(storages.s3, 'shared')).toEqual(['shared/one'])
  expect(await below.read('shared/one')).toBeNull()
  await below.delete('shared/two')
  expect(await keys(below, 'shared')).toEqual([])
})

test('a missing bucket is an error when reading, not a missing file', async () => {
  const elsewhere = s3Storage({ ...s3.settings, bucket: 'elsewhere' }, 1)
  await expect(elsewhere.read('texts/none')).rejects.toMatchObject({ code: 'NoSuchBucket' })
  await expect(elsewhere.delete('texts/none')).rejects.toMatchObject({ code: 'NoSuchBucket' })
})

test('a slow upload may continue while it moves; a stuck upload ends', async () => {
  const silenceMs = 1000
  const impatient = s3Storage(s3.settings, 1, silenceMs)
  const path = join(root, 'large')
  await writeFile(path, Buffer.alloc(16 * 1024 * 1024, 'x'))
  s3.chunkMs = 10
  const started = Date.now()
  await impatient.put('slow/one', { path, bytes: 16 * 1024 * 1024 }, 'text/plain')
  expect(Date.now() - started).toBeGreaterThan(silenceMs)
  expect(s3.objects.get('slow/one')?.bytes.length).toBe(16 * 1024 * 1024)
  s3.chunkMs = 0
  s3.isFrozen = true
  await expect(s3Storage(s3.settings, 1, 200).put('slow/two', new Uint8Array(10), 'text/plain')).rejects.toBeInstanceOf(
    StorageError,
  )
  s3.isFrozen = false
})
