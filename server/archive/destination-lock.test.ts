import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type OpenDestination, openDestination } from './destination.ts'
import { withDestinationLock } from './destination-lock.ts'

const DEAD_PID = 2 ** 22 + 1

let folder: string
let destination: OpenDestination
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'symbol-destination-'))
  destination = await openDestination({ folder })
})
afterEach(() => rm(folder, { recursive: true }))

const mark = (writer: { host: string; pid: number; at: string }) =>
  destination.storage.put('running/other', Buffer.from(JSON.stringify(writer)), 'application/json')
const marks = async () => {
  const keys: string[] = []
  for await (const { key } of destination.storage.list('running')) keys.push(key)
  return keys
}

test('a second command is refused while the first command writes (S10.253)', async () => {
  await withDestinationLock(destination, async () => {
    await expect(withDestinationLock(destination, async () => 'second')).rejects.toThrow(
      'Сюда уже пишет другая команда',
    )
  })
  expect(await withDestinationLock(destination, async () => 'third')).toBe('third')
  expect(await marks()).toEqual([])
})

test('a killed command does not block the next command (S10.253)', async () => {
  await mark({ host: hostname(), pid: DEAD_PID, at: new Date().toISOString() })
  await writeFile(join(destination.incoming, 'half'), 'half of a fi')
  expect(await withDestinationLock(destination, async () => 'done')).toBe('done')
  expect(await readdir(destination.incoming)).toEqual([])
  expect(await marks()).toEqual([])
})

test('a lock of another machine expires after 15 minutes of silence (S10.253)', async () => {
  await mark({ host: 'elsewhere', pid: 1, at: new Date().toISOString() })
  await expect(withDestinationLock(destination, async () => 'done')).rejects.toThrow('процесс 1 на elsewhere')
  await mark({ host: 'elsewhere', pid: 1, at: new Date(Date.now() - 16 * 60_000).toISOString() })
  expect(await withDestinationLock(destination, async () => 'done')).toBe('done')
})
