import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { StartError } from '#server/lib/errors.ts'
import type { Log } from '#server/lib/log.ts'
import type { Database, SqlFolders } from './client.ts'
import { lockTimeout, retryForLocks } from './locks.ts'

type Execute = Database['execute']
type StartLog = Pick<Log, 'info' | 'warn'>
type Migration = ReturnType<typeof readMigrationFiles>[number]

/** SQL that replaces its own older version: the set of functions, or one trigger. */
interface SqlUnit {
  name: string
  hash: string
  text: string
}

interface Plan {
  migrations: Migration[]
  units: SqlUnit[]
  /** Names of units that a newer build has replaced. */
  newer: string[]
  /** A newer build has migrated this database. */
  isNewer: boolean
}

const FUNCTIONS = 'functions'
const TRIGGERS_FILE = 'triggers.sql'

const tables = `
  create schema if not exists drizzle;
  create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
  create table if not exists drizzle.applied_sql (
    id serial primary key, name text not null, hash text not null, fingerprint text, applied_at timestamptz not null default now()
  )`

/** A hash of the current functions, which shows when someone replaced them by hand. */
const fingerprint = `
  select md5(coalesce(string_agg(p.oid::regprocedure::text || p.prosrc, '' order by p.oid::regprocedure::text), '')) as value
  from pg_proc p
  where p.pronamespace = current_schema()::regnamespace and not exists (
    select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`

const OTHER_BASELINE =
  'Схему этой базы создала другая программа или сборка, которая не выпускалась. В базе ничего не изменено. ' +
  'Укажите пустую базу (DATABASE_URL) или пустую папку (DATA_DIR).'

/** From a schema that began with another migration there is no way to ours. Throws before anything is changed. */
async function assertBaseline(execute: Execute, { migrations }: SqlFolders): Promise<void> {
  const { rows: known } = await execute(`select to_regclass('drizzle.__drizzle_migrations') is not null as known`)
  if (!(known[0] as { known: boolean }).known) return
  const { rows } = await execute('select min(created_at)::float8 as first from drizzle.__drizzle_migrations')
  const { first } = rows[0] as { first: number | null }
  if (first !== null && first !== baselineOf(migrations)) throw new StartError(OTHER_BASELINE)
}

/** The time of the first migration, which every database and archive of ours has. */
export const baselineOf = (migrations: string) =>
  readMigrationFiles({ migrationsFolder: migrations })[0]?.folderMillis ?? 0

const hasAppliedSql = async (execute: Execute) => {
  const { rows } = await execute(`select to_regclass('drizzle.applied_sql') is not null as known`)
  return (rows[0] as { known: boolean }).known
}

/** Names of what a start of this build would apply: migrations, the set of functions, triggers. Changes nothing. */
export async function missingUnits(execute: Execute, folders: SqlFolders): Promise<string[]> {
  await assertBaseline(execute, folders)
  const { entries } = JSON.parse(await readFile(join(folders.migrations, 'meta/_journal.json'), 'utf8')) as {
    entries: { when: number; tag: string }[]
  }
  const plan = (await hasAppliedSql(execute)) ? await planFor(execute, folders) : null
  const missing = plan?.migrations.map(({ folderMillis }) => folderMillis)
  const units = plan?.units ?? (await readUnits(folders))
  return [
    ...entries.filter(({ when }) => !missing || missing.includes(when)).map(({ tag }) => tag),
    ...units.map(({ name }) => name),
  ]
}

/** Whether a newer build has migrated this database. */
export async function isOfNewerBuild(execute: Execute, folders: SqlFolders): Promise<boolean> {
  return (await hasAppliedSql(execute)) && (await planFor(execute, folders)).isNewer
}

/** Whether nothing has to be done. Takes no locks, so that an ordinary restart blocks no one. */
export async function isUpToDate(execute: Execute, folders: SqlFolders, log?: StartLog): Promise<boolean> {
  await assertBaseline(execute, folders)
  if (!(await hasAppliedSql(execute))) return false
  const plan = await planFor(execute, folders)
  if (plan.migrations.length > 0 || plan.units.length > 0) return false
  warnIfOlder(plan, log)
  return true
}

/**
 * Applies what is missing: migrations, each in its own transaction (concurrent indexes in none), then the functions as
 * one set, then triggers one by one, so that no transaction locks two tables. The caller holds the start lock.
 */
export async function migrateDatabase(execute: Execute, folders: SqlFolders, log?: StartLog): Promise<void> {
  await applyMigrations(execute, folders, { log })
  const plan = await planFor(execute, folders)
  for (const unit of plan.units) {
    await inTransaction(execute, unit.name, log, async () => {
      await execute(unit.text)
      const { rows } = await execute(fingerprint)
      await execute('insert into drizzle.applied_sql (name, hash, fingerprint) values ($1, $2, $3)', [
        unit.name,
        unit.hash,
        (rows[0] as { value: string }).value,
      ])
    })
  }
  log?.info({ applied: plan.units.map(({ name }) => name) }, 'database: functions and triggers applied')
  warnIfOlder(plan, log)
}

/** Applies migrations only, without functions and triggers, up to the one made at `last`. */
export async function applyMigrations(
  execute: Execute,
  folders: SqlFolders,
  { log, last = Number.POSITIVE_INFINITY }: { log?: StartLog; last?: number } = {},
): Promise<void> {
  await execute(tables)
  for (const migration of (await planFor(execute, folders)).migrations) {
    if (migration.folderMillis > last) break
    const record = () =>
      execute('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
        migration.hash,
        migration.folderMillis,
      ])
    if (migration.sql.every(isConcurrent)) {
      for (const statement of migration.sql) await retryForLocks('индекс', () => changeIndex(execute, statement), log)
      await record()
    } else {
      await inTransaction(execute, 'миграция', log, async () => {
        for (const statement of migration.sql) await execute(statement)
        await record()
      })
    }
    log?.info({ when: migration.folderMillis }, 'database: migration applied')
  }
}

const CONCURRENT = /\b(create|drop)(?: unique)? index concurrently (?:if (?:not )?exists )?"?(\w+)"?/i
const isConcurrent = (statement: string) => CONCURRENT.test(statement)

/**
 * Builds or drops an index while others write, which Postgres does only outside of a transaction. An interrupted build
 * leaves an invalid index, so one that is not valid is built again and one that is valid is kept.
 */
async function changeIndex(execute: Execute, statement: string): Promise<void> {
  const [, action = '', name = ''] = CONCURRENT.exec(statement) ?? []
  const { rows } = await execute('select indisvalid as valid from pg_index where indexrelid = to_regclass($1)', [
    `"${name}"`,
  ])
  const [found] = rows as { valid: boolean }[]
  const drops = action.toLowerCase() === 'drop'
  if (drops ? !found : found?.valid) return
  if (found && !drops) await execute(`drop index concurrently "${name}"`)
  await execute(statement)
}

async function planFor(execute: Execute, folders: SqlFolders): Promise<Plan> {
  const known = readMigrationFiles({ migrationsFolder: folders.migrations })
  const applied = (await execute('select created_at::float8 as at from drizzle.__drizzle_migrations')).rows as {
    at: number
  }[]
  const appliedAt = new Set(applied.map(({ at }) => at))
  const migrations = known.filter(({ folderMillis }) => !appliedAt.has(folderMillis))
  const newest = Math.max(0, ...appliedAt)
  const isNewer = newest > 0 && !known.some(({ folderMillis }) => folderMillis === newest)
  const units = isNewer ? [] : await readUnits(folders)
  const history = (await execute('select name, hash, fingerprint from drizzle.applied_sql order by id')).rows as {
    name: string
    hash: string
    fingerprint: string | null
  }[]
  const lastOf = (name: string) => history.filter((row) => row.name === name).at(-1)
  const newer = units.filter(
    ({ name, hash }) => lastOf(name)?.hash !== hash && history.some((row) => row.name === name && row.hash === hash),
  )
  const present = await presentUnits(execute, history.at(-1)?.fingerprint ?? null)
  return {
    migrations,
    units: units.filter(
      (unit) => !newer.includes(unit) && !(lastOf(unit.name)?.hash === unit.hash && present(unit.name)),
    ),
    newer: newer.map(({ name }) => name),
    isNewer,
  }
}

/** Whether an applied unit still exists unchanged. */
async function presentUnits(execute: Execute, left: string | null): Promise<(name: string) => boolean> {
  const { rows: functions } = await execute(fingerprint)
  const { rows: triggers } = await execute('select tgname as name from pg_trigger where not tgisinternal')
  const names = new Set((triggers as { name: string }[]).map(({ name }) => name))
  return (name) => (name === FUNCTIONS ? (functions[0] as { value: string }).value === left : names.has(name))
}

async function readUnits({ functions }: SqlFolders): Promise<SqlUnit[]> {
  const names = (await readdir(functions)).filter((name) => name.endsWith('.sql') && name !== TRIGGERS_FILE).sort()
  const texts = await Promise.all(names.map((name) => readFile(join(functions, name), 'utf8')))
  const triggers = (await readFile(join(functions, TRIGGERS_FILE), 'utf8')).split(/;\s*$/m).flatMap((text) => {
    const found = /^create or replace trigger (\w+)/m.exec(text)
    return found?.[1] ? [unitOf(found[1], text.slice(found.index))] : []
  })
  return [unitOf(FUNCTIONS, texts.join('\n')), ...triggers]
}

const unitOf = (name: string, text: string): SqlUnit => ({
  name,
  text,
  hash: createHash('sha256').update(text).digest('hex'),
})

function warnIfOlder({ isNewer, newer }: Plan, log?: StartLog): void {
  if (isNewer) log?.warn('База новее этой сборки: функции и триггеры оставлены от новой. Обновите этот сервер.')
  else if (newer.length > 0)
    log?.warn({ newer }, 'Функции базы заменила более новая сборка, они оставлены. Обновите этот сервер.')
}

async function inTransaction(
  execute: Execute,
  what: string,
  log: StartLog | undefined,
  work: () => Promise<void>,
): Promise<void> {
  await retryForLocks(
    what,
    async () => {
      await execute('begin')
      try {
        await execute(
          `${lockTimeout}; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`,
        )
        await work()
        await execute('commit')
      } catch (error) {
        await execute('rollback').catch(() => {})
        throw error
      }
    },
    log,
  )
}

/** Beside the built server, or in the sources. */
export function sqlFolders(): SqlFolders {
  const here = dirname(fileURLToPath(import.meta.url))
  const root = [here, dirname(here)].find((folder) => existsSync(join(folder, 'migrations'))) ?? here
  return { migrations: join(root, 'migrations'), functions: join(root, 'functions') }
}
