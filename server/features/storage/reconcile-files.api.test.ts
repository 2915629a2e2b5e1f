import { beforeEach, expect, test } from 'vitest'
import { transcriptions } from '#server/db/schema.ts'
import { reconcileFiles } from './reconcile-files.ts'
import { startStorageApp } from './testing/storage-app.ts'

const bucket = await startStorageApp()
beforeEach(() => bucket.empty())

test('only a row without a file is an error (S10.152)', async () => {
  const [whole, lost] = [await bucket.aFile(), await bucket.aFile()]
  await bucket.put('recordings/0-unknown')
  expect(await reconcileFiles(bucket.deps(), false)).toMatchObject({ isGood: true })
  bucket.s3.objects.delete(lost)
  await bucket.app.db.insert(transcriptions).values({
    ...{ id: 'half', userId: bucket.anna.user.id, title: '', fileName: '', storageKey: 'half', state: 'uploading' },
    ...{ bytes: 30, received: 20, chunkBytes: 10 },
  })
  await bucket.put('recordings/0-half')
  const { isGood, lines } = await reconcileFiles(bucket.deps(), false)
  expect(isGood).toBe(false)
  expect(lines).toContain('файлы: объектов 1, строк без файла 1, файлов без строки 0')
  expect(lines).toContain(`  ✗ нет файла ${lost}`)
  expect(lines).toContain('записи: объектов 2, строк без файла 1, файлов без строки 1')
  expect(lines).toContain('  ✗ нет файла recordings/1-half')
  expect(lines).toContain('  · нет строки для recordings/0-unknown')
  expect(lines.join()).not.toContain(whole)
})

test('only the first twenty are listed', async () => {
  await bucket.manyRows(50)
  const { lines } = await reconcileFiles(bucket.deps(), false)
  expect(lines[0]).toBe('файлы: объектов 0, строк без файла 50, файлов без строки 0')
  expect(lines.filter((line) => line.includes('✗'))).toHaveLength(20)
})

test('the command deletes nothing of another installation', async () => {
  await bucket.storage.writeOwner(JSON.stringify({ id: 'another', database: null }))
  await bucket.put('uploads/theirs')
  const { lines } = await reconcileFiles(bucket.deps(), true)
  expect(lines.at(-1)).toContain('Ничего не удалено')
  expect(bucket.objects()).toEqual(['uploads/theirs'])
})
