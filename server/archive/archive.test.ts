import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plansApi } from '#contract/plans.ts'
import { promocodesApi } from '#contract/promocodes.ts'
import { type Database, wrapEmbedded } from '#server/db/client.ts'
import { embeddedExtensions } from '#server/db/embedded.ts'
import { sqlFolders } from '#server/db/migrate.ts'
import { users } from '#server/db/schema.ts'
import { bring } from '#server/features/files/testing/upload.ts'
import { type PaidApp, startPaidApp } from '#server/features/payments/testing/paid-app.ts'
import { newId } from '#server/lib/ids.ts'
import { diskStorage } from '#server/storage/disk.ts'
import { readWhole } from '#server/storage/storage.ts'
import { aBranch, aThread } from '#server/testing/builders.ts'
import { openTestDatabase } from '#server/testing/database.ts'
import { archivesIn, checkFiles, filesOf, pruneArchives, readManifest, writeArchive } from './archive.ts'
import { checkDatabase, moveRows, restoreAll, restoreRows } from './operations.ts'
import { openPlace, type Place } from './place.ts'
import { inSnapshot, readLines, readMigrations, readTables } from './rows.ts'

let app: PaidApp
let place: Place
let folder: string
let name: string
const say = () => {}
const archive = (now?: Date) =>
  writeArchive(
    { database: app.database, storage: app.files.storage, build: 'test', secret: 'a secret' },
    place,
    say,
    now,
  )

const opened: { close: () => Promise<void> }[] = []
async function emptyDatabase(): Promise<Database> {
  const database = await openTestDatabase()
  opened.push(database)
  return database
}

/** An installation with a bit of everything: money, chats, files, codes, an audit log. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'symbol-archive-'))
  place = await openPlace({ folder: join(folder, 'place') })
  app = await startPaidApp()
  const anna = await app.signIn()
  const plan = await app.aPlan({ symbols: 7000, price: 2990 })
  await app.owner.call(plansApi.update, {
    params: { id: plan.id },
    body: { name: 'Тариф «С кавычками»\nи строкой\u2028' },
  })
  await app.owner.call(promocodesApi.create, { body: { code: 'ARCHIVE-2026', symbols: 500, maxUses: 3 } })
  await aBranch(app.db, await aThread(app.db, anna.user.id), 30)
  await bring(anna, 'заметка.txt', 'слова, которые нельзя потерять')
  name = await archive(new Date('2026-11-01T10:00:00Z'))
}, 120_000)
afterAll(async () => {
  for (const each of opened) await each.close()
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

/** Every row of every table, as an archive has it. */
const contentOf = (database: Database) =>
  database.onConnection((connection) =>
    inSnapshot(connection, async () => {
      const content: Record<string, string[]> = {}
      for (const table of await readTables(connection.execute)) {
        const lines: string[] = []
        for await (const batch of readLines(connection.execute, table)) lines.push(...batch)
        content[table.name] = lines.sort()
      }
      return content
    }),
  )

test('an archive becomes the same installation: every row, every file, the secret; the ledger and the audit log hold', {
  tags: 'slow',
}, async () => {
  const target = await emptyDatabase()
  const files = await openPlace({ folder: join(folder, 'files') })
  await restoreAll({ target, files, dataDir: folder }, place.storage, name, say)
  expect(await contentOf(target)).toEqual(await contentOf(app.database))
  expect(await checkDatabase(target, say)).toBe(true)
  const list = await filesOf(place.storage, name, await readManifest(place.storage, name))
  expect(list.length).toBeGreaterThan(0)
  expect(await checkFiles(files.storage, list)).toEqual([])
  expect(await readFile(join(folder, 'auth-secret'), 'utf8')).toBe('a secret')
})

test('numbering goes on where it stopped, and triggers work again', { tags: 'slow' }, async () => {
  const target = await emptyDatabase()
  await restoreRows(target, place.storage, name, say)
  const before = (await target.execute('select max(id)::text as last from ledger')).rows as { last: string }[]
  const { rows } = await target.execute('select nextval(pg_get_serial_sequence($1, $2))::text as next', [
    'ledger',
    'id',
  ])
  expect(Number((rows[0] as { next: string }).next)).toBeGreaterThan(Number(before[0]?.last))
  const triggers = await target.execute(`select count(*)::int as off from pg_trigger where tgenabled = 'D'`)
  expect(triggers.rows).toEqual([{ off: 0 }])
})

test('a database with people in it is refused, and stays as it was', { tags: 'slow' }, async () => {
  const target = await emptyDatabase()
  await target.db.insert(users).values({ id: newId(), name: 'Борис', email: 'boris@example.test', emailVerified: true })
  const before = await contentOf(target)
  await expect(restoreRows(target, place.storage, name, say)).rejects.toThrow('уже есть пользователи')
  expect(await contentOf(target)).toEqual(before)
})

test('a damaged archive is refused, and nothing of it is written', { tags: 'slow' }, async () => {
  const manifest = await readManifest(place.storage, name)
  const table = manifest.tables.find(({ rows, name }) => rows > 0 && name === 'users')
  const key = `rows/${name}-users`
  const path = join(folder, 'place', 'rows', key.slice(-2), `${name}-users`)
  const bytes = await readFile(path)
  const spoiled = Buffer.from(bytes)
  spoiled[Math.floor(bytes.length / 2)] = (spoiled[Math.floor(bytes.length / 2)] ?? 0) ^ 0xff
  await writeFile(path, spoiled)
  const target = await emptyDatabase()
  await expect(restoreRows(target, place.storage, name, say)).rejects.toThrow()
  expect(await target.db.select().from(users)).toEqual([])
  await writeFile(path, bytes)
  expect(table?.rows).toBeGreaterThan(0)
})

test('an archive of an older release is loaded into its own schema and brought up to this one', {
  tags: 'slow',
  timeout: 120_000,
}, async () => {
  const old = await emptyEmbedded()
  const migrations = await app.database.onConnection(({ execute }) => readMigrations(execute))
  const last = migrations.at(-3) ?? 0
  await old.migrateUntil(last)
  await old.execute(
    `insert into users (id, name, email, email_verified) values ('u1', 'Анна', 'anna@example.test', true)`,
  )
  const storage = await diskStorage(join(folder, 'nothing'))
  const source = { database: old, storage, build: 'older', secret: null }
  const older = await openPlace({ folder: join(folder, 'older') })
  const olderName = await writeArchive(source, older, say)
  const target = await emptyEmbedded()
  await restoreRows(target, older.storage, olderName, say)
  expect((await target.onConnection(({ execute }) => readMigrations(execute))).at(-1)).toBe(migrations.at(-1))
  expect((await target.execute('select id, name from users')).rows).toEqual([{ id: 'u1', name: 'Анна' }])
  await Promise.all([old.close(), target.close()])
})

test('an archive of a newer release is refused with advice', { tags: 'slow' }, async () => {
  const manifest = await readManifest(place.storage, name)
  const newer = await openPlace({ folder: join(folder, 'newer') })
  const content = { ...manifest, migrations: [...manifest.migrations, 9_999_999_999_999] }
  await newer.storage.put('manifests/20300101T000000Z', Buffer.from(JSON.stringify(content)), 'application/json')
  const target = await emptyDatabase()
  await expect(restoreRows(target, newer.storage, '20300101T000000Z', say)).rejects.toThrow('Обновите программу')
})

test('files are copied once for all archives, and old archives go with the files that only they had', {
  tags: 'slow',
}, async () => {
  const anna = await app.signIn()
  await bring(anna, 'вторая.txt', 'ещё слова')
  const second = await archive(new Date('2026-11-02T10:00:00Z'))
  const third = await archive(new Date('2026-11-03T10:00:00Z'))
  expect(await archivesIn(place.storage)).toEqual([name, second, third])
  const before = await filesOf(place.storage, third, await readManifest(place.storage, third))
  expect(await pruneArchives(place, 2)).toEqual([name])
  expect(await archivesIn(place.storage)).toEqual([second, third])
  expect(await checkFiles(place.storage, before)).toEqual([])
  const lone = `uploads/${newId()}`
  await place.storage.put(lone, Buffer.from('of a forgotten archive'), 'text/plain')
  await pruneArchives(place, 1)
  expect(await place.storage.read(lone)).toBeNull()
  name = third
})

test('a lost or changed file of an archive is named by the check', { tags: 'slow' }, async () => {
  const list = await filesOf(place.storage, name, await readManifest(place.storage, name))
  const [first, second] = list
  if (!first || !second) throw new Error('Two files are needed')
  const bytes = await readWhole(place.storage, first.key)
  await place.storage.put(first.key, Buffer.from('something else'), 'text/plain')
  await place.storage.delete(second.key)
  expect(await checkFiles(place.storage, list)).toEqual([first.key, second.key].sort())
  await place.storage.put(first.key, bytes ?? new Uint8Array(), 'text/plain')
})

test('an embedded installation moves whole: rows are the same, and nothing is counted twice', {
  tags: 'slow',
}, async () => {
  const target = await emptyDatabase()
  await moveRows(app.database, target, say)
  expect(await contentOf(target)).toEqual(await contentOf(app.database))
  expect(await checkDatabase(target, say)).toBe(true)
})

async function emptyEmbedded(): Promise<Database> {
  return wrapEmbedded(await PGlite.create({ extensions: embeddedExtensions }), sqlFolders())
}
