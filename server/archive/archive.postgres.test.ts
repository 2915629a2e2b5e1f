import { randomUUID } from 'node:crypto'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { eq } from 'drizzle-orm'
import { afterAll, expect, inject, test } from 'vitest'
import { plansApi } from '#contract/plans.ts'
import { promocodesApi } from '#contract/promocodes.ts'
import type { Database, SqlFolders } from '#server/db/client.ts'
import { embeddedExtensions } from '#server/db/embedded.ts'
import { sqlFolders } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { installation, messages, users } from '#server/db/schema.ts'
import { wrapEmbedded } from '#server/db/wrap-embedded.ts'
import { uploadAndWait } from '#server/features/files/testing/upload.ts'
import { startPaidApp } from '#server/features/payments/testing/paid-app.ts'
import { newId } from '#server/lib/ids.ts'
import { diskStorage } from '#server/storage/disk.ts'
import { readWhole, StorageError } from '#server/storage/storage.ts'
import { aBranch, aThread } from '#server/testing/builders.ts'
import { openTestDatabase } from '#server/testing/database.ts'
import { testFolder } from '#server/testing/folder.ts'
import { registerInstance } from '#server/testing/instance.ts'
import { administer, databaseUrl } from '#server/testing/snapshot.ts'
import { archivesIn, checkFiles, filesOf, pruneArchives, readManifest, writeArchive } from './archive.ts'
import { openDestination } from './destination.ts'
import { checkDatabase, moveRows, restoreAll, restoreRows } from './operations.ts'
import { inSnapshot, readLines, readTables } from './rows.ts'

const say = () => {}
const archive = (now?: Date) =>
  writeArchive(
    { database: app.database, storage: app.files.storage, build: 'test', secret: 'a secret' },
    destination,
    say,
    now,
  )

const opened: { close: () => Promise<void> }[] = []
async function emptyDatabase(): Promise<Database> {
  const database = await openTestDatabase()
  opened.push(database)
  return database
}

const folder = testFolder()
const destination = await openDestination({ folder: join(folder, 'destination') })
const app = await startPaidApp()
await app.db.insert(installation).values({ id: newId() }).onConflictDoNothing()
const anna = await app.signIn()
const plan = await app.aPlan({ symbols: 7000, price: 2990 })
await app.owner.call(plansApi.update, {
  params: { id: plan.id },
  body: { name: 'Тариф «С кавычками»\nи строкой\u2028' },
})
await app.owner.call(promocodesApi.create, { body: { code: 'ARCHIVE-2026', symbols: 500, maxUses: 3 } })
await aBranch(app.db, await aThread(app.db, anna.user.id), 30)
await uploadAndWait(anna, 'заметка.txt', 'слова, которые нельзя потерять')
await uploadAndWait(anna, 'ещё одна.txt', 'и эти слова тоже')
let name = await archive(new Date('2026-11-01T10:00:00Z'))
afterAll(async () => {
  for (const each of opened) await each.close()
})

type ArchivedFile = { key: string; bytes: number; sha256: string }
async function listOf(archiveName: string): Promise<ArchivedFile[]> {
  const list: ArchivedFile[] = []
  const manifest = await readManifest(destination.storage, archiveName)
  for await (const batch of filesOf(destination.storage, archiveName, manifest)) list.push(...batch)
  return list
}
async function* batchOf(list: ArchivedFile[]) {
  yield list
}

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

test('a restored archive has every row, every file and the secret (S10.250)', async () => {
  const target = await emptyDatabase()
  const files = await openDestination({ folder: join(folder, 'files') })
  await restoreAll({ target, files, dataDir: folder, authSecret: null }, destination.storage, name, say)
  expect(await contentOf(target)).toEqual(await contentOf(app.database))
  expect(await checkDatabase(target, say)).toBe(true)
  expect((await listOf(name)).length).toBeGreaterThan(0)
  expect(await checkFiles(files.storage, batchOf(await listOf(name)))).toEqual([])
  expect(await readFile(join(folder, 'auth-secret'), 'utf8')).toBe('a secret')
})

test('numbering goes on where it stopped, and triggers work again (S10.250)', async () => {
  const target = await emptyDatabase()
  await restoreRows(target, destination.storage, name, say)
  const before = (await target.execute('select max(id)::text as last from ledger')).rows as { last: string }[]
  const { rows } = await target.execute('select nextval(pg_get_serial_sequence($1, $2))::text as next', [
    'ledger',
    'id',
  ])
  expect(Number((rows[0] as { next: string }).next)).toBeGreaterThan(Number(before[0]?.last))
  const triggers = await target.execute(`select count(*)::int as off from pg_trigger where tgenabled = 'D'`)
  expect(triggers.rows).toEqual([{ off: 0 }])
})

test('a database that has users is refused and not changed (S10.251)', async () => {
  const target = await emptyDatabase()
  await target.db.insert(users).values({ id: newId(), name: 'Борис', email: 'boris@example.test', emailVerified: true })
  const before = await contentOf(target)
  await expect(restoreRows(target, destination.storage, name, say)).rejects.toThrow('уже есть пользователи')
  expect(await contentOf(target)).toEqual(before)
})

test('a database that a server works on is refused (S10.251)', async () => {
  const target = await emptyDatabase()
  await registerInstance(target.db)
  await expect(restoreRows(target, destination.storage, name, say)).rejects.toThrow('На этой базе работает сервер')
})

test('a damaged archive is refused, and nothing of it is written (S10.251)', async () => {
  const manifest = await readManifest(destination.storage, name)
  const table = manifest.tables.find(({ rows, name }) => rows > 0 && name === 'users')
  const key = `rows/${name}-users`
  const path = join(folder, 'destination', 'rows', key.slice(-2), `${name}-users`)
  const bytes = await readFile(path)
  const spoiled = Buffer.from(bytes)
  spoiled[Math.floor(bytes.length / 2)] = (spoiled[Math.floor(bytes.length / 2)] ?? 0) ^ 0xff
  await writeFile(path, spoiled)
  const target = await emptyDatabase()
  await expect(restoreRows(target, destination.storage, name, say)).rejects.toThrow(`${key} в архиве повреждён`)
  expect(await target.db.select().from(users)).toEqual([])
  await writeFile(path, bytes)
  expect(table?.rows).toBeGreaterThan(0)
})

test('an archive of an older release is restored and migrated (S10.250)', {
  timeout: 120_000,
}, async () => {
  const old = await blankDatabase()
  await old.migrate()
  await old.execute(
    `insert into users (id, name, email, email_verified) values ('u1', 'Анна', 'anna@example.test', true)`,
  )
  const storage = await diskStorage(join(folder, 'nothing'))
  const source = { database: old, storage, build: 'older', secret: null }
  const older = await openDestination({ folder: join(folder, 'older') })
  const olderName = await writeArchive(source, older, say)
  const target = await blankDatabase(await nextRelease())
  await restoreRows(target, older.storage, olderName, say)
  expect((await target.execute('select id, name, nickname from users')).rows).toEqual([
    { id: 'u1', name: 'Анна', nickname: 'Анна' },
  ])
  await Promise.all([old.close(), target.close()])
})

/** The SQL of this build and one more migration. */
async function nextRelease(): Promise<SqlFolders> {
  const migrations = join(folder, 'next-migrations')
  await cp(sqlFolders().migrations, migrations, { recursive: true })
  const path = join(migrations, 'meta/_journal.json')
  const journal = JSON.parse(await readFile(path, 'utf8'))
  const { idx, when } = journal.entries.at(-1)
  journal.entries.push({ idx: idx + 1, version: '7', when: when + 1, tag: 'next', breakpoints: true })
  await writeFile(path, JSON.stringify(journal))
  const change = 'alter table users add column nickname text; update users set nickname = name'
  await writeFile(join(migrations, 'next.sql'), change)
  return { ...sqlFolders(), migrations }
}

test('an archive with another first migration is refused with advice', async () => {
  const manifest = await readManifest(destination.storage, name)
  const early = await openDestination({ folder: join(folder, 'early') })
  const content = { ...manifest, migrations: [1, 2] }
  await early.storage.put('manifests/20300101T000000Z', Buffer.from(JSON.stringify(content)), 'application/json')
  const target = await emptyDatabase()
  await expect(restoreRows(target, early.storage, '20300101T000000Z', say)).rejects.toThrow('не выпускалась')
})

test('an archive of a newer release is refused with advice (S10.251)', async () => {
  const manifest = await readManifest(destination.storage, name)
  const newer = await openDestination({ folder: join(folder, 'newer') })
  const content = { ...manifest, migrations: [...manifest.migrations, 9_999_999_999_999] }
  await newer.storage.put('manifests/20300101T000000Z', Buffer.from(JSON.stringify(content)), 'application/json')
  const target = await emptyDatabase()
  await expect(restoreRows(target, newer.storage, '20300101T000000Z', say)).rejects.toThrow('Обновите программу')
})

test('archives share copied files; unused files are deleted with old archives (S10.252)', async () => {
  const anna = await app.signIn()
  await uploadAndWait(anna, 'вторая.txt', 'ещё слова')
  const second = await archive(new Date('2026-11-02T10:00:00Z'))
  const third = await archive(new Date('2026-11-03T10:00:00Z'))
  expect(await archivesIn(destination.storage)).toEqual([name, second, third])
  const before = await listOf(third)
  expect(await pruneArchives(destination, 2)).toEqual([name])
  expect(await archivesIn(destination.storage)).toEqual([second, third])
  expect(await checkFiles(destination.storage, batchOf(before))).toEqual([])
  const lone = `uploads/${newId()}`
  await destination.storage.put(lone, Buffer.from('of a forgotten archive'), 'text/plain')
  await pruneArchives(destination, 1)
  expect(await destination.storage.read(lone)).toBeNull()
  name = third
})

test('the check names every lost or changed file of an archive (S10.252)', async () => {
  const [first, second] = await listOf(name)
  if (!first || !second) throw new Error('Two files are needed')
  const [bytes, lost] = [
    await readWhole(destination.storage, first.key),
    await readWhole(destination.storage, second.key),
  ]
  await destination.storage.put(first.key, Buffer.from('something else'), 'text/plain')
  await destination.storage.delete(second.key)
  expect(await checkFiles(destination.storage, batchOf([first, second]))).toEqual([first.key, second.key].sort())
  await destination.storage.put(first.key, bytes ?? new Uint8Array(), 'text/plain')
  await destination.storage.put(second.key, lost ?? new Uint8Array(), 'text/plain')
})

test('an embedded installation moves with all rows, each counted once (S10.257)', async () => {
  const target = await emptyDatabase()
  await moveRows(app.database, target, say)
  expect(await contentOf(target)).toEqual(await contentOf(app.database))
  expect(await checkDatabase(target, say)).toBe(true)
})

test('long texts are read singly, short texts in groups, all completely (S10.255)', async () => {
  const long = 'длинная строка "с кавычками"\n'.repeat(60_000)
  const [from, target] = [await emptyDatabase(), await emptyDatabase()]
  await from.db.insert(users).values({ id: 'anna', name: 'Анна', email: 'anna@example.test', emailVerified: true })
  const [short, thread] = [await aThread(from.db, 'anna'), await aThread(from.db, 'anna')]
  await aBranch(from.db, short, 5)
  await aBranch(from.db, thread, 2)
  await from.db.update(messages).set({ content: long }).where(eq(messages.threadId, thread.id))
  const sizes: number[] = []
  await from.onConnection((connection) =>
    inSnapshot(connection, async () => {
      const table = (await readTables(connection.execute)).find((each) => each.name === 'messages')
      if (table) for await (const lines of readLines(connection.execute, table)) sizes.push(lines.length)
    }),
  )
  expect(sizes).toEqual([5, 1, 1])
  const own = await openDestination({ folder: join(folder, 'long') })
  const source = { database: from, storage: app.files.storage, build: 'test', secret: null }
  await restoreRows(target, own.storage, await writeArchive(source, own, say), say)
  const rows = await target.db.select().from(messages).where(eq(messages.threadId, thread.id))
  expect(rows.map(({ content }) => content === long)).toEqual([true, true])
})

test('a failing storage leaves no archive; the next try copies the rest (S10.253)', async () => {
  const anna = await app.signIn()
  for (const each of ['раз', 'два', 'три']) await uploadAndWait(anna, `${each}.txt`, each)
  const own = await openDestination({ folder: join(folder, 'midway') })
  let reads = 0
  const failing = {
    ...app.files.storage,
    read: async (key: string) => {
      reads += 1
      if (reads === 3) throw new StorageError('S3 did not answer to GET')
      return app.files.storage.read(key)
    },
  }
  const source = { database: app.database, storage: failing, build: 'test', secret: null }
  await expect(writeArchive(source, own, say)).rejects.toThrow('S3 did not answer')
  expect(await archivesIn(own.storage)).toEqual([])
  expect(await readdir(own.incoming)).toEqual([])
  const first = reads
  await writeArchive(source, own, say)
  expect(await archivesIn(own.storage)).toHaveLength(1)
  const { files } = await readManifest(own.storage, (await archivesIn(own.storage))[0] ?? '')
  expect(files.missing).toBe(0)
  expect(reads - first).toBeLessThan(files.count)
})

test('an interrupted restore continues from the files that are missing (S10.253)', async () => {
  const target = await emptyDatabase()
  const files = await openDestination({ folder: join(folder, 'interrupted') })
  let puts = 0
  const put: typeof files.storage.put = async (...args) => {
    puts += 1
    if (puts === 2) throw Object.assign(new Error('write failed'), { code: 'ENOSPC' })
    return files.storage.put(...args)
  }
  const failing = { ...files, storage: { ...files.storage, put } }
  const printed: string[] = []
  const restore = (to: typeof files) =>
    restoreAll({ target, files: to, dataDir: folder, authSecret: 'another' }, destination.storage, name, (text) => {
      printed.push(text)
    })
  await expect(restore(failing)).rejects.toThrow('write failed')
  await restore(files)
  expect(printed.join('\n')).toContain('продолжаю с файлов')
  expect(printed.join('\n')).toContain('AUTH_SECRET не тот, что в архиве')
  expect(await checkFiles(files.storage, batchOf(await listOf(name)))).toEqual([])
  await expect(restore(files)).rejects.toThrow('уже есть пользователи')
})

test('a folder of another installation or of a server’s files is refused (S10.256)', async () => {
  const other = await openDestination({ folder: join(folder, 'other') })
  await other.storage.writeOwner(JSON.stringify({ archivesOf: 'another' }))
  const source = { database: app.database, storage: app.files.storage, build: 'test', secret: null }
  await expect(writeArchive(source, other, say)).rejects.toThrow('копии другой установки')
  await other.storage.writeOwner(JSON.stringify({ id: 'another', database: null }))
  await expect(writeArchive(source, other, say)).rejects.toThrow('хранилище файлов, а не место для копий')
  const foreign = await openDestination({ folder: join(folder, 'foreign') })
  await foreign.storage.put(`uploads/${newId()}`, Buffer.from('a file'), 'text/plain')
  await expect(writeArchive(source, foreign, say)).rejects.toThrow('хранилище файлов, а не место для копий')
})

async function blankDatabase(folders = sqlFolders()): Promise<Database> {
  const snapshot = inject('snapshot')
  if ('file' in snapshot) return wrapEmbedded(await PGlite.create({ extensions: embeddedExtensions }), folders)
  const made = `symbol_blank_${randomUUID().replaceAll('-', '')}`
  await administer(snapshot.url, `create database ${made} template template1`)
  const database = await openDatabase({ url: databaseUrl(snapshot.url, made) }, folders)
  return {
    ...database,
    close: async () => {
      await database.close()
      await administer(snapshot.url, `drop database ${made}`)
    },
  }
}
