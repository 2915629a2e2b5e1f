import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StartError } from '#server/lib/errors.ts'
import { explainEmbedded, openFolder } from './embedded.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'symbol-embedded-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Only the files that are checked before the database is opened. */
async function layOut() {
  for (const path of ['base/5/1259', 'pg_multixact/0000', 'pg_xact/0000', 'postgresql.conf', 'global/1260']) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), `content of ${path}`)
  }
  await writeFile(join(folder, 'PG_VERSION'), '18\n')
  await writeFile(join(folder, 'global/pg_control'), Buffer.alloc(8192, 1))
  await mkdir(join(folder, 'pg_wal'))
  await writeFile(join(folder, 'pg_wal', SEGMENT), '')
  await truncate(join(folder, 'pg_wal', SEGMENT), 16 * 1024 * 1024)
}
const SEGMENT = '000000010000000000000001'

async function fingerprint() {
  const hash = createHash('sha256')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.map((entry) => [join(entry.parentPath, entry.name), entry.isFile()] as const)
  for (const [path, isFile] of paths.sort(([a], [b]) => (a < b ? -1 : 1)))
    if (!path.startsWith(join(folder, 'lock'))) hash.update(path).update(isFile ? await readFile(path) : '')
  return hash.digest('hex')
}

const remove = (path: string) => () => rm(join(folder, path), { recursive: true })

test.each([
  ['without its version file', 'нет PG_VERSION', remove('PG_VERSION')],
  ['without pg_control', 'нет global/pg_control', remove('global/pg_control')],
  ['with an empty pg_control', 'pg_control не той длины', () => truncate(join(folder, 'global/pg_control'), 0)],
  ['without tables', 'нет base', remove('base')],
  ['without a log of commits', 'нет pg_xact', remove('pg_xact')],
  ['with no WAL', 'pg_wal пуст', remove(`pg_wal/${SEGMENT}`)],
  ['with an emptied WAL', `pg_wal/${SEGMENT} не той длины`, () => truncate(join(folder, 'pg_wal', SEGMENT), 0)],
])('a folder %s is refused with advice and left byte for byte (S10.155)', async (_, reason, damage) => {
  await layOut()
  await damage()
  const before = await fingerprint()
  const error = await openFolder(folder).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(StartError)
  expect((error as Error).message).toContain(reason)
  expect((error as Error).message).toContain('Положите на её место целую копию DATA_DIR')
  expect(await fingerprint()).toBe(before)
})

test('a folder of another version is named with advice about an archive (S10.259)', async () => {
  await layOut()
  await writeFile(join(folder, 'PG_VERSION'), '17\n')
  const before = await fingerprint()
  const { message } = (await openFolder(folder).catch((caught: unknown) => caught)) as Error
  expect(message).toContain('создана другой версией встроенной базы: в ней 17, эта сборка читает 18')
  expect(message).toMatch(/сборкой, с которой эта папка работала: npm run dump -- ПАПКА.*этой сборкой: npm run load/)
  expect(await fingerprint()).toBe(before)
})

test('a new database is never created beside other files', async () => {
  await writeFile(join(folder, 'notes.txt'), 'mine')
  await expect(openFolder(folder)).rejects.toThrow('нет PG_VERSION')
  expect((await readdir(folder)).sort()).toEqual(['lock', 'notes.txt'])
})

test('after a rejection the folder is unlocked', async () => {
  await writeFile(join(folder, 'notes.txt'), 'mine')
  for (let start = 0; start < 2; start += 1) await expect(openFolder(folder)).rejects.not.toThrow('уже занята')
})

test.each([
  [new Error('RuntimeError: Aborted(). Build with -sASSERTIONS for more info.'), 'повреждена'],
  [
    new Error('Failed query', { cause: Object.assign(new Error('invalid page in block 13'), { code: 'XX001' }) }),
    'повреждена',
  ],
  [new Error('PGlite failed to initialize properly'), 'повреждена'],
  [new Error('could not open file "base/5/1": Permission denied'), 'Дайте серверу права'],
  [Object.assign(new Error('could not extend file'), { code: '53100' }), 'Освободите место'],
  [Object.assign(new Error('write failed'), { code: 'ENOSPC' }), 'Освободите место'],
])('%s is explained to the operator in Russian', (error, sentence) => {
  expect(explainEmbedded(error, folder)?.message).toContain(sentence)
})

test('errors unrelated to the folder stay unchanged', () => {
  expect(explainEmbedded(new Error('column "x" does not exist'), folder)).toBeNull()
})
