import { cp, mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openFolder } from './embedded.ts'
import { copyFromHolder, isHeld } from './folder-lock.ts'

/** Uses a real database folder: created once, then copied and damaged. */

let root: string
let whole: string
let copies = 0
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'symbol-embedded-'))
  whole = join(root, 'whole')
  const { client, close } = await openFolder(whole)
  await client.exec(
    `create table kept (line text); insert into kept select 'line ' || n from generate_series(1, 999) n`,
  )
  await close()
}, 180_000)
afterAll(() => rm(root, { recursive: true }))

async function aCopy() {
  copies += 1
  const folder = join(root, `copy-${copies}`)
  await cp(whole, folder, { recursive: true })
  return folder
}

async function countStored(folder: string) {
  const { client, close } = await openFolder(folder)
  const { rows } = await client.query<{ lines: number }>('select count(*)::int as lines from kept')
  await close()
  return rows[0]?.lines
}

async function fileOf(folder: string, table: string) {
  const { client, close } = await openFolder(folder)
  const { rows } = await client.query<{ path: string }>('select pg_relation_filepath($1::regclass) as path', [table])
  await close()
  return join(folder, rows[0]?.path ?? '')
}

async function overwrite(path: string, from: number, bytes: Buffer) {
  const file = await open(path, 'r+')
  await file.write(bytes, 0, bytes.length, from)
  await file.close()
}

test('the first start leaves a whole database without temporary files', async () => {
  expect(await readFile(join(whole, 'PG_VERSION'), 'utf8')).toBe('18\n')
  expect((await readdir(whole)).filter((name) => name.startsWith('first-start'))).toEqual([])
  expect(await countStored(await aCopy())).toBe(999)
}, 60_000)

test('a first start killed while creating the database begins anew', async () => {
  const folder = join(root, 'killed-early')
  await mkdir(join(folder, 'first-start', 'base'), { recursive: true })
  await writeFile(join(folder, 'first-start', 'PG_VERSION'), '18\n')
  const { client, close } = await openFolder(folder)
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await close()
}, 90_000)

test('a first start killed while moving the new database continues', async () => {
  const folder = await aCopy()
  await mkdir(join(folder, 'first-start-done'))
  for (const name of ['pg_wal', 'pg_xact', 'PG_VERSION'])
    await rename(join(folder, name), join(folder, 'first-start-done', name))
  expect(await countStored(folder)).toBe(999)
}, 60_000)

test.each([
  ['noise in a table of the system', 'base/5/1259'],
  ['noise in the WAL', 'pg_wal/000000010000000000000001'],
  ['noise in pg_control', 'global/pg_control'],
])(
  '%s ends in a sentence with advice',
  async (_, path) => {
    const folder = await aCopy()
    await overwrite(join(folder, path), 0, Buffer.alloc(8192, 0x5a))
    await expect(openFolder(folder)).rejects.toThrow(/повреждена.*Положите на её место целую копию DATA_DIR/)
  },
  60_000,
)

test('a copy without a table’s file is refused at the start (S10.155)', async () => {
  const folder = await aCopy()
  await rm(await fileOf(folder, 'kept'))
  await expect(openFolder(folder)).rejects.toThrow('скопирована не целиком')
}, 60_000)

test('a running holder gives a whole copy while it keeps writing (S10.254)', async () => {
  const folder = await aCopy()
  expect(await copyFromHolder(folder)).toBeNull()
  const { client, close } = await openFolder(folder)
  let isWriting = true
  let written = 0
  const writing = (async () => {
    while (isWriting) {
      await client.query(`insert into kept values ('more')`)
      written += 1
      // The database answers within one turn of the event loop, and sockets need turns of their own.
      await new Promise((next) => setImmediate(next))
    }
  })()
  await expect.poll(() => written).toBeGreaterThan(20)
  const before = written
  const copy = await copyFromHolder(folder)
  const after = written
  isWriting = false
  await writing
  if (!copy) throw new Error('No copy')
  const opened = await openFolder(copy.path)
  // A copy in use outlives the server that made it.
  await close()
  const { rows } = await opened.client.query<{ lines: number }>('select count(*)::int as lines from kept')
  await opened.close()
  const copied = (rows[0]?.lines ?? 0) - 999
  expect(copied).toBeGreaterThanOrEqual(before)
  expect(copied).toBeLessThanOrEqual(after + 1)
}, 60_000)

test('copies are deleted after use, and leftovers at the next start (S10.254)', async () => {
  const folder = await aCopy()
  const { close } = await openFolder(folder)
  const copy = await copyFromHolder(folder)
  const exists = (path: string) => readdir(path).then(Boolean, () => false)
  expect(await exists(copy?.path ?? '')).toBe(true)
  copy?.giveBack()
  await expect.poll(() => exists(copy?.path ?? '')).toBe(false)
  await close()

  const [left, used] = [`${folder}.copy-left`, `${folder}.copy-used`]
  for (const path of [left, used]) await cp(whole, path, { recursive: true })
  const user = await openFolder(used)
  expect([await isHeld(used), await isHeld(left)]).toEqual([true, false])
  const again = await openFolder(folder)
  expect([await exists(used), await exists(left)]).toEqual([true, false])
  await again.close()
  await user.close()
}, 60_000)
