import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { copyFromHolder, isHeld, lockFolder } from './folder-lock.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'symbol-lock-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('a second server is rejected until the first releases the folder', async () => {
  const unlock = await lockFolder(folder)
  await expect(lockFolder(folder)).rejects.toThrow(`уже занята другим запущенным сервером (процесс ${process.pid} на`)
  await unlock()
  const again = await lockFolder(folder)
  await again()
})

test('a folder with a path too long for sockets is locked too', async () => {
  const long = join(folder, 'п'.repeat(100))
  await mkdir(long)
  const unlock = await lockFolder(long)
  await expect(lockFolder(long)).rejects.toThrow('уже занята')
  await unlock()
})

test('only the number stays after a stop, and files do not accumulate', async () => {
  for (let start = 0; start < 5; start += 1) await (await lockFolder(folder))()
  expect(await readdir(join(folder, 'lock'))).toEqual(['5'])
})

test('a copied folder or an empty lock file is not in use', async () => {
  const unlock = await lockFolder(folder)
  const copy = join(folder, 'copy')
  await cp(join(folder, 'lock', '1'), join(copy, 'lock', '1'))
  await (await lockFolder(copy))()
  await unlock()
  await writeFile(join(folder, 'lock', '7'), '')
  await (await lockFolder(folder))()
  expect(await readdir(join(folder, 'lock'))).toEqual(['8'])
})

test('open connections do not delay the stop, and askers get advice (S10.254)', async () => {
  let requests = 0
  const unlock = await lockFolder(folder, (unneeded) => {
    requests += 1
    return new Promise((_, fail) => unneeded.addEventListener('abort', () => fail(new Error('gone'))))
  })
  const asking = copyFromHolder(folder).catch((error: Error) => error.message)
  await expect.poll(() => requests).toBe(1)
  expect(await isHeld(folder)).toBe(true)
  await unlock()
  expect(await asking).toContain('останавливается или старше этой сборки')
  expect(await isHeld(folder)).toBe(false)
})

test('a holder that cannot make a copy says why (S10.254)', async () => {
  const unlock = await lockFolder(folder, () => Promise.reject(new Error('сервер ещё запускается')))
  await expect(copyFromHolder(folder)).rejects.toThrow('не сделал копию базы: сервер ещё запускается')
  await unlock()
})
