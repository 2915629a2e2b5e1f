import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#server/testing/database.ts'
import type { Database, SqlFolders } from './client.ts'
import { isUpToDate, migrateDatabase, missingUnits, sqlFolders } from './migrate.ts'
import * as schema from './schema.ts'

// The tool adds an enumerable method to all arrays, with which a PDF cannot be read by a later test of this worker.
Reflect.deleteProperty(Array.prototype, 'random')

let database: TestDatabase
let connection: pg.Client | null = null
/** On one connection, as at a start. */
let execute: Database['execute']
let folder: string
let build: SqlFolders
const warned: unknown[][] = []
const log = { info: () => {}, warn: (...args: unknown[]) => void warned.push(args) }
beforeAll(async () => {
  database = await openTestDatabase()
  if (database.url) {
    const client = new pg.Client({ connectionString: database.url })
    connection = client
    await client.connect()
    execute = (text, values) => client.query(text, values)
  } else execute = database.execute
  folder = await mkdtemp(join(tmpdir(), 'symbol-sql-'))
})
afterAll(async () => {
  await migrateDatabase(execute, sqlFolders())
  await rm(folder, { recursive: true })
  await connection?.end()
  await database.close()
})

/** Each test begins with the database of this build and a copy of its SQL to change. */
beforeEach(async () => {
  warned.length = 0
  await execute('truncate drizzle.applied_sql')
  await migrateDatabase(execute, sqlFolders())
  await cp('server/db/migrations', join(folder, 'migrations'), { recursive: true, force: true })
  await cp('server/db/functions', join(folder, 'functions'), { recursive: true, force: true })
  build = { migrations: join(folder, 'migrations'), functions: join(folder, 'functions') }
})

const edit = async (path: string, change: (text: string) => string) =>
  writeFile(join(folder, path), change(await readFile(join(folder, path), 'utf8')))
const start = (folders = build) => migrateDatabase(execute, folders, log as never)
const rowsOf = async <Row>(query: string) => (await execute(query)).rows as Row[]
/** The transaction that wrote each function and trigger: a replaced one has another. */
const versions = () =>
  rowsOf(`select proname as name, xmin::text from pg_proc where pronamespace = 'public'::regnamespace
    union all select tgname, xmin::text from pg_trigger where not tgisinternal order by 1, 2`)
const answerOf = async (name: string) => (await rowsOf<{ value: string }>(`select ${name}() as value`))[0]?.value

async function newMigration(when: number, statement: string): Promise<void> {
  await edit('migrations/meta/_journal.json', (text) => {
    const journal = JSON.parse(text)
    journal.entries.push({ idx: 99, version: '7', when, tag: `9_${when}`, breakpoints: true })
    return JSON.stringify(journal)
  })
  await writeFile(join(folder, `migrations/9_${when}.sql`), statement)
}

test('a database with another first migration is refused and not changed', async () => {
  const before = await versions()
  await execute('update drizzle.__drizzle_migrations set created_at = created_at - 1')
  await execute('delete from drizzle.applied_sql')
  try {
    for (const open of [isUpToDate, missingUnits]) {
      await expect(open(execute, build)).rejects.toThrow(/другая программа.*DATA_DIR/)
    }
    expect(await versions()).toEqual(before)
    expect(await rowsOf('select 1 from drizzle.applied_sql')).toEqual([])
  } finally {
    await execute('update drizzle.__drizzle_migrations set created_at = created_at + 1')
  }
})

test('a start with nothing new replaces nothing', async () => {
  const before = await versions()
  expect(before.length).toBeGreaterThan(40)
  expect(await isUpToDate(execute, build)).toBe(true)
  await start()
  expect(await versions()).toEqual(before)
})

test('changed functions are applied, and triggers are left alone', async () => {
  const triggers = `select tgname, xmin::text from pg_trigger where not tgisinternal order by 1`
  const before = await rowsOf(triggers)
  await edit(
    'functions/admins.sql',
    (text) => `${text}\ncreate or replace function probe() returns text language sql as $$ select 'new' $$;`,
  )
  expect(await isUpToDate(execute, build)).toBe(false)
  await start()
  expect(await answerOf('probe')).toBe('new')
  expect(await rowsOf(triggers)).toEqual(before)
  await execute('drop function probe()')
})

test('only triggers that are new, changed or removed are touched', async () => {
  await execute('drop trigger user_forgotten on users')
  await edit('functions/triggers.sql', (text) =>
    text.replace('update of exhausted on balances', 'update of exhausted, total on balances'),
  )
  const others = `select tgname, xmin::text from pg_trigger where not tgisinternal and tgname not in ('user_forgotten', 'balance_ended') order by 1`
  const before = await rowsOf(others)
  await start()
  expect(await rowsOf(others)).toEqual(before)
  const [made] = await rowsOf<{ def: string }>(
    `select pg_get_triggerdef(oid) as def from pg_trigger where tgname = 'balance_ended'`,
  )
  expect(made?.def).toContain('total')
  expect(await rowsOf(`select 1 from pg_trigger where tgname = 'user_forgotten'`)).toHaveLength(1)
  await start(sqlFolders())
})

test('a build without the newest migration leaves functions and triggers unchanged', async () => {
  await newMigration(Date.now() + 1e12, 'select 1')
  await edit(
    'functions/admins.sql',
    (text) => `${text}\ncreate or replace function probe() returns text language sql as $$ select 'newer' $$;`,
  )
  await start()
  const before = await versions()
  expect(await isUpToDate(execute, sqlFolders(), log as never)).toBe(true)
  await start(sqlFolders())
  expect(await versions()).toEqual(before)
  expect(warned).toHaveLength(2)
  expect(warned[0]?.[0]).toContain('База новее этой сборки')
  await execute(
    `drop function probe(); delete from drizzle.__drizzle_migrations where created_at > ${Date.now() + 1e11}`,
  )
})

test('an older build of the same schema does not restore older functions', async () => {
  await edit(
    'functions/admins.sql',
    (text) => `${text}\ncreate or replace function probe() returns text language sql as $$ select 'newer' $$;`,
  )
  await start()
  const before = await versions()
  await start(sqlFolders())
  expect(await versions()).toEqual(before)
  expect(warned[0]?.[1]).toContain('более новая сборка')
  await execute('drop function probe()')
})

test('functions that another build replaced are restored by the next start', async () => {
  const [{ src } = { src: '' }] = await rowsOf<{ src: string }>(
    `select prosrc as src from pg_proc where proname = 'money_day'`,
  )
  await execute(
    `create or replace function money_day(p_now timestamptz) returns date language sql immutable as $$ select p_now::date $$`,
  )
  expect(await isUpToDate(execute, build)).toBe(false)
  await start()
  expect(await rowsOf(`select prosrc as src from pg_proc where proname = 'money_day'`)).toEqual([{ src }])
})

test('a migration of a parallel branch is applied after a later migration', async () => {
  const journal = JSON.parse(await readFile('server/db/migrations/meta/_journal.json', 'utf8'))
  await newMigration(journal.entries.at(-1).when - 1, 'create table branch_probe (id int)')
  await start()
  expect(await rowsOf('select * from branch_probe')).toEqual([])
  await execute(`drop table branch_probe;
    delete from drizzle.__drizzle_migrations where created_at = ${journal.entries.at(-1).when - 1}`)
})

test('a migration that fails leaves nothing of itself', async () => {
  await newMigration(Date.now() + 1e12, 'create table half (id int)--> statement-breakpoint\nselect 1 / 0')
  await expect(start()).rejects.toThrow('division by zero')
  expect(await rowsOf(`select to_regclass('half') as half`)).toEqual([{ half: null }])
})

test('the pending migrations are named without applying them (S10.265)', async () => {
  expect(await missingUnits(execute, build)).toEqual([])
  const when = Date.now() + 1e12
  await newMigration(when, 'create table named_probe (id int)')
  await edit('functions/admins.sql', (text) => `${text}\n-- changed`)
  await execute('drop trigger user_forgotten on users')
  expect(await missingUnits(execute, build)).toEqual([`9_${when}`, 'functions', 'user_forgotten'])
  expect(await rowsOf(`select to_regclass('named_probe') as made`)).toEqual([{ made: null }])
})

describe('an index built concurrently', () => {
  const when = Date.now() + 1e12
  const valid = (name: string) =>
    rowsOf<{ valid: boolean }>(`select indisvalid as valid from pg_index where indexrelid = to_regclass('${name}')`)
  afterEach(async () => {
    await execute(`drop index if exists probe_name; drop index if exists probe_email; delete from users;
      delete from drizzle.__drizzle_migrations where created_at = ${when}`)
  })

  test('runs outside of a transaction, and so does its removal (S10.266)', async () => {
    await newMigration(
      when,
      `create index concurrently probe_name on users (name);--> statement-breakpoint
      CREATE INDEX CONCURRENTLY IF NOT EXISTS "probe_email" ON "users" ("email");--> statement-breakpoint
      drop index concurrently probe_name;--> statement-breakpoint
      drop index concurrently if exists never_made;`,
    )
    await start()
    expect(await valid('probe_email')).toEqual([{ valid: true }])
    expect(await valid('probe_name')).toEqual([])
    expect(await isUpToDate(execute, build)).toBe(true)
  })

  test('that was interrupted is built again, and a finished index is kept (S10.266)', async () => {
    await execute(
      `insert into users (id, name, email) values ('a', 'same', 'a@example.test'), ('b', 'same', 'b@example.test')`,
    )
    await newMigration(
      when,
      `create index concurrently probe_email on users (email);--> statement-breakpoint
      create unique index concurrently probe_name on users (name);`,
    )
    await expect(start()).rejects.toThrow('probe_name')
    expect(await valid('probe_name')).toEqual([{ valid: false }])
    const before = await rowsOf(`select 'probe_email'::regclass::oid as id`)
    await execute(`update users set name = id`)
    await start()
    expect(await valid('probe_name')).toEqual([{ valid: true }])
    expect(await rowsOf(`select 'probe_email'::regclass::oid as id`)).toEqual(before)
  })

  test.skipIf(!('url' in inject('snapshot')))('lets others write while it waits and builds (S10.266)', async () => {
    const [slow, other] = [0, 1].map(() => new pg.Client({ connectionString: database.url ?? '' })) as [
      pg.Client,
      pg.Client,
    ]
    await Promise.all([slow.connect(), other.connect()])
    await slow.query(`begin; insert into users (id, name, email) values ('slow', 'slow', 'slow@example.test')`)
    await newMigration(when, 'create index concurrently probe_name on users (name)')
    const started = start()
    await expect.poll(async () => (await other.query(`select 1 from pg_stat_progress_create_index`)).rowCount).toBe(1)
    await other.query(
      `set statement_timeout = '5s'; insert into users (id, name, email) values ('o', 'o', 'o@example.test')`,
    )
    expect(
      (await other.query(`select indisvalid as valid from pg_index where indexrelid = 'probe_name'::regclass`)).rows,
    ).toEqual([{ valid: false }])
    await slow.query('commit')
    await started
    expect(await valid('probe_name')).toEqual([{ valid: true }])
    await Promise.all([slow.end(), other.end()])
  })
})

interface Declared {
  id: string
  tables: Record<
    string,
    { name: string; columns: Record<string, { name: string; notNull: boolean }>; indexes: Record<string, unknown> }
  >
}

/** What the tool wrote beside the newest migration. */
function readDeclared(): Declared {
  const folder = 'server/db/migrations/meta'
  const snapshots = readdirSync(folder).filter((name) => name.endsWith('_snapshot.json'))
  expect(snapshots, 'migrations are made by npm run db:generate').toHaveLength(1)
  return JSON.parse(readFileSync(`${folder}/${snapshots[0]}`, 'utf8'))
}

test('migrations and tables agree: there is nothing left to generate (S10.1200)', async () => {
  const migrated = readDeclared() as Declared & Parameters<typeof generateMigration>[0]
  const declared = generateDrizzleJson(schema, migrated.id, undefined, 'snake_case')
  expect(await generateMigration(migrated, declared)).toEqual([])
})

test('the migrations make exactly the declared columns and indexes (S10.1200)', async () => {
  const tables = Object.values(readDeclared().tables)
  const columns = tables.flatMap((table) =>
    Object.values(table.columns).map((column) => `${table.name}.${column.name} ${column.notNull}`),
  )
  const made = await rowsOf<{ line: string }>(
    `select table_name || '.' || column_name || ' ' || (is_nullable = 'NO')::text as line from information_schema.columns
      where table_schema = 'public'`,
  )
  expect(made.map(({ line }) => line).sort()).toEqual(columns.sort())
  const built = await rowsOf<{ name: string }>(
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relnamespace = 'public'::regnamespace and i.indisvalid
        and not exists (select from pg_constraint where conindid = i.indexrelid)`,
  )
  expect(built.map(({ name }) => name).sort()).toEqual(tables.flatMap((table) => Object.keys(table.indexes)).sort())
})
