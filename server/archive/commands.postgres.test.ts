import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqlFolders } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { files, installation, users } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { diskStorage } from '#server/storage/disk.ts'
import { s3Storage } from '#server/storage/s3.ts'
import { startFakeS3 } from '#server/storage/testing/fake-s3.ts'
import { openTestDatabase, type TestDatabase, testDatabase } from '#server/testing/database.ts'
import { makeDataDir } from '#server/testing/migrated.ts'
import type { ArchiveCommand } from './args.ts'
import { runCommand } from './commands.ts'
import type { ArchiveConfig } from './operations.ts'

/**
 * Commands over a small installation: each opens its database as a process would. What is about S3 runs on Postgres,
 * because opening or making an embedded database takes seconds of CPU time.
 */

const FILES = 30

const source = await testDatabase()
const urlOf = (database: TestDatabase) => ({ url: database.url ?? '' })
let root: string
let config: ArchiveConfig
const dataDir = () => config.dataDir
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'symbol-commands-'))
  config = configOf('data')
  await makeDataDir(config.dataDir)
  const embedded = await openDatabase(config.database, sqlFolders())
  const described = { kind: 'document', mime: 'text/plain', bytes: 6, state: 'ready' } as const
  const rows = Array.from({ length: FILES }, (_, n) => ({
    ...{ ...described, id: newId(), userId: 'anna', name: `${n}.txt`, storageKey: `uploads/${newId()}` },
  }))
  for (const { db } of [embedded, source]) {
    await db.insert(installation).values({ id: newId() })
    await db.insert(users).values({ id: 'anna', name: 'Анна', email: 'anna@example.test', emailVerified: true })
    await db.insert(files).values(rows)
  }
  const storage = await diskStorage(join(config.dataDir, 'files'))
  for (const [n, { storageKey }] of rows.entries())
    await storage.put(storageKey, Buffer.from(`file ${n}`), 'text/plain')
  await writeFile(join(config.dataDir, 'auth-secret'), 'a secret')
  await embedded.close()
}, 120_000)
afterAll(() => rm(root, { recursive: true }))

function configOf(name: string, change: Partial<ArchiveConfig> = {}): ArchiveConfig {
  const folder = join(root, name)
  return {
    database: { folder: join(folder, 'database') },
    dataDir: folder,
    s3: null,
    authSecret: null,
    backup: { to: { folder: join(root, 'backups') }, keep: 2 },
    ...change,
  }
}

async function run(command: ArchiveCommand, given: ArchiveConfig = config) {
  const printed: string[] = []
  const isGood = await runCommand(command, given, (text) => printed.push(text))
  return { isGood, printed: printed.join('\n') }
}
const restore = (change: Partial<Extract<ArchiveCommand, { command: 'restore' }>> = {}) =>
  ({ command: 'restore', name: null, check: false, list: false, into: null, ...change }) as const

/** The name of an archive is its time in seconds, so two archives need different seconds. */
const nextSecond = () => new Promise((done) => setTimeout(done, 1001))

test('a killed backup leaves no archive, and the next backup cleans up (S10.253)', async () => {
  const destination = await diskStorage(join(root, 'backups'))
  const half = '20200101T000000Z'
  for (const key of [`rows/${half}-users`, `lists/${half}`, `secrets/${half}`])
    await destination.put(key, Buffer.from('half'), 'text/plain')
  const writer = { host: hostname(), pid: 2 ** 22 + 1, at: new Date().toISOString() }
  await destination.put('running/killed', Buffer.from(JSON.stringify(writer)), 'application/json')
  await writeFile(join(root, 'backups', 'incoming', 'half'), 'half')
  const { isGood, printed } = await run({ command: 'backup' })
  expect(isGood).toBe(true)
  expect(printed).toContain(`Файлов: ${FILES}`)
  const left = await readdir(join(root, 'backups'), { recursive: true })
  expect(left.filter((path) => /half|20200101|killed/.test(path))).toEqual([])
  expect((await run(restore({ list: true }))).printed).toMatch(/^\d{8}T\d{6}Z .*строк \d+, файлов 30$/)
}, 120_000)

test.runIf(source.url)(
  'an archive in S3 is written, verified, rotated and restored (S10.252)',
  async () => {
    const s3 = await startFakeS3()
    const [to, store] = [
      { ...s3.settings, prefix: 'backups' },
      { ...s3.settings, prefix: 'files' },
    ]
    const inS3 = { ...config, database: urlOf(source), backup: { to: { s3: to }, keep: 1 } }
    expect((await run({ command: 'backup' }, inS3)).isGood).toBe(true)
    await nextSecond()
    const second = await run({ command: 'backup' }, inS3)
    expect(second.printed).toContain('Прежние копии удалены')
    const [checked, restored] = [await openTestDatabase(), await openTestDatabase()]
    const check = restore({ check: true, into: checked.url })
    expect((await run(check, inS3)).printed).toContain(`Файлов проверено: ${FILES}`)
    const target = configOf('from-s3', { database: urlOf(restored), s3: store, backup: inS3.backup })
    const { isGood, printed } = await run(restore(), target)
    expect(printed).toContain(`Файлов скопировано: ${FILES} из ${FILES}`)
    expect(isGood).toBe(true)
    let stored = 0
    for await (const _ of s3Storage(store).list('uploads')) stored += 1
    expect(stored).toBe(FILES)
    for (const opened of [checked, restored, s3]) await opened.close()
  },
  600_000,
)

test.runIf(source.url)(
  'a restore from S3 continues after closed connections (S10.564)',
  async () => {
    const s3 = await startFakeS3()
    const inS3 = { ...config, database: urlOf(source), backup: { to: { s3: s3.settings }, keep: 1 } }
    expect((await run({ command: 'backup' }, inS3)).isGood).toBe(true)
    s3.cuts = 12
    const restored = await openTestDatabase()
    const target = configOf('from-cut-s3', { database: urlOf(restored), backup: inS3.backup })
    expect((await run(restore(), target)).isGood).toBe(true)
    expect(s3.cuts).toBe(0)
    expect(await restored.db.$count(files)).toBe(FILES)
    for (const opened of [restored, s3]) await opened.close()
  },
  600_000,
)

test.runIf(source.url)(
  'a backup that looks at the wrong files says so (S10.256)',
  async () => {
    const s3 = await startFakeS3()
    const wrong = {
      ...config,
      database: urlOf(source),
      s3: s3.settings,
      backup: { to: { folder: join(root, 'wrong') }, keep: 1 },
    }
    const { isGood, printed } = await run({ command: 'backup' }, wrong)
    expect(isGood).toBe(false)
    expect(printed).toContain('Слишком многих файлов нет в хранилище')
    await s3.close()
  },
  120_000,
)

test.each<[string, () => Promise<unknown>]>([
  ['Копии нельзя складывать внутрь данных', () => run({ command: 'dump', folder: join(dataDir(), 'files', 'x') })],
  ['Проверьте путь', () => run({ command: 'load', folder: join(root, 'nowhere') }, configOf('unused'))],
  ['нет базы. Проверьте DATA_DIR', () => run({ command: 'backup' }, configOf('empty'))],
  ['задайте BACKUP_TO', () => run({ command: 'backup' }, { ...config, backup: { to: null, keep: 1 } })],
  ['Копии 2030 нет. Есть:', () => run(restore({ name: '2030' }))],
  [
    'DATABASE_URL уже задан',
    () => run({ command: 'move', url: 'postgres://x', files: false }, { ...config, database: { url: 'postgres://y' } }),
  ],
  ['нужны настройки S3_', () => run({ command: 'move', url: 'postgres://x/y', files: true })],
])('«%s» is printed, and no database is created', async (sentence, work) => {
  await expect(work()).rejects.toThrow(sentence)
  for (const name of ['unused', 'empty', 'nowhere'])
    expect(await readdir(join(root, name, 'database')).catch(() => [])).toEqual([])
})
