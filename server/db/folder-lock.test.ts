import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockFolder } from './folder-lock.ts'

test('a second server on one data folder is refused until the first has gone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'symbol-lock-'))
  const unlock = await lockFolder(folder)
  await expect(lockFolder(folder)).rejects.toThrow('уже занята')
  await unlock()
  const again = await lockFolder(folder)
  await again()
  await rm(folder, { recursive: true })
})
