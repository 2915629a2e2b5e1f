import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { Connection } from '#server/db/client.ts'

/** Rows of the whole database as text, read from one snapshot and written into an empty database of any version. */

type Execute = Connection['execute']

export interface Table {
  name: string
  /** Stored columns; generated ones are computed again. */
  columns: { name: string; type: string }[]
}

/** How many rows a table has, and a sum over their texts that does not depend on their order. */
export interface Tally {
  rows: number
  sum: bigint
}

export interface Sequence {
  name: string
  last: string | null
}

/** Rows up to this size are fetched in batches and larger ones singly, to limit the memory in use. */
const MAX_BATCHED_ROW_BYTES = 16_000
const FETCH_ROWS = 500
const BATCH_CHARS = 2_000_000
const SUM_DIGITS = 15

/** Text of dates, times and intervals must not depend on the settings of a server. */
const PLAIN_TEXT = `set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
  set local bytea_output = 'hex'; set local extra_float_digits = 1;
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
const lineOf = ({ columns }: Table) => `json_build_array(${columns.map(({ name }) => `${quoted(name)}::text`)})::text`

/** Runs `work` in a transaction that sees one moment of the database. */
export async function inSnapshot<T>({ execute }: Connection, work: () => Promise<T>): Promise<T> {
  await execute(`begin transaction isolation level repeatable read, read only; ${PLAIN_TEXT}`)
  try {
    return await work()
  } finally {
    await execute('rollback').catch(() => {})
  }
}

const Tables = z.array(
  z.object({ name: z.string(), columns: z.array(z.object({ name: z.string(), type: z.string() })) }),
)

export async function readTables(execute: Execute): Promise<Table[]> {
  const { rows } = await execute(`
    select c.relname as name, json_agg(
      json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = ''
    group by c.relname order by c.relname`)
  return Tables.parse(rows)
}

const Sequences = z.array(z.object({ name: z.string(), last: z.nullable(z.string()) }))

export async function readSequences(execute: Execute): Promise<Sequence[]> {
  const { rows } = await execute(`
    select sequencename as name, last_value::text as last from pg_sequences where schemaname = 'public' order by 1`)
  return Sequences.parse(rows)
}

/** The migrations a database has had, by their times. */
export async function readMigrations(execute: Execute): Promise<number[]> {
  const { rows } = await execute('select created_at::float8 as at from drizzle.__drizzle_migrations order by 1')
  return z
    .array(z.object({ at: z.number() }))
    .parse(rows)
    .map(({ at }) => at)
}

const Lines = z.array(z.object({ line: z.string() }))

/** SQL for the size of a row, without reading values that Postgres stores outside of it (TOAST). */
function sizeOf({ columns }: Table): string {
  const sizes = columns.map(({ name, type }) => {
    const measure = /^(text|bytea|character varying(\(\d+\))?)$/.test(type) ? 'octet_length' : 'pg_column_size'
    return `coalesce(${measure}(${quoted(name)}), 0)`
  })
  return sizes.join(' + ') || '0'
}

/** The rows of a table as lines of JSON: an array of texts. Call it inside `inSnapshot`. */
export async function* readLines(execute: Execute, table: Table): AsyncGenerator<string[]> {
  const isLarge = `${sizeOf(table)} > ${MAX_BATCHED_ROW_BYTES}`
  yield* fetchLines(execute, table, `not (${isLarge})`, FETCH_ROWS)
  yield* fetchLines(execute, table, isLarge, 1)
}

async function* fetchLines(execute: Execute, table: Table, where: string, atOnce: number): AsyncGenerator<string[]> {
  const select = `select ${lineOf(table)} as line from ${quoted(table.name)} where ${where}`
  await execute(`declare archive no scroll cursor for ${select}`)
  try {
    for (;;) {
      const lines = Lines.parse((await execute(`fetch ${atOnce} from archive`)).rows)
      if (lines.length === 0) return
      yield lines.map(({ line }) => line)
    }
  } finally {
    // After an error the transaction is aborted; the error of `close` must not hide the first one.
    await execute('close archive').catch(() => {})
  }
}

/** `countRows` computes the same inside the database. */
export function addLines(tally: Tally, lines: string[]): Tally {
  let { rows, sum } = tally
  for (const line of lines) {
    rows += 1
    sum += BigInt(`0x${createHash('md5').update(line).digest('hex').slice(0, SUM_DIGITS)}`)
  }
  return { rows, sum }
}

async function countRows(execute: Execute, table: Table): Promise<Tally> {
  const { rows } = await execute(`
    select count(*)::int as rows,
      coalesce(sum(('x' || substr(md5(line), 1, ${SUM_DIGITS}))::bit(${SUM_DIGITS * 4})::bigint), 0)::text as sum
    from (select ${lineOf(table)} as line from ${quoted(table.name)}) lines`)
  const [row] = z.array(z.object({ rows: z.number(), sum: z.string() })).parse(rows)
  return { rows: row?.rows ?? 0, sum: BigInt(row?.sum ?? 0) }
}

/** What `loadRows` takes: the tables of an archive or of another database. */
export interface RowSource {
  tables: { name: string; columns: string[] }[]
  sequences: Sequence[]
  lines: (table: string) => AsyncIterable<string[]>
  /** Known only when the lines have been read. */
  tally: (table: string) => Tally
  /** Identifies the loaded data. Called after all lines have been read. */
  mark: () => string
}

/**
 * Fills a database that has the tables of the source, in one transaction: foreign keys are checked when they are put
 * back, and every table is counted again. Triggers do not run, because the rows already contain their results.
 */
export async function loadRows(
  { execute }: Connection,
  source: RowSource,
  report: (table: string, rows: number) => void = () => {},
): Promise<void> {
  await execute(`begin; ${PLAIN_TEXT}`)
  try {
    const tables = await readTables(execute)
    await assertNoUsers(execute, tables)
    await assertNoServerRuns(execute, tables)
    const foreignKeys = await dropForeignKeys(execute)
    for (const { name } of tables) await execute(`alter table ${quoted(name)} disable trigger user`)
    if (tables.length > 0) await execute(`truncate ${tables.map(({ name }) => quoted(name))}`)
    for (const { name, columns } of source.tables) {
      const table = tableOf(tables, name, columns)
      await insertLines(execute, table, source.lines(name))
      await assertSameRows(execute, table, source.tally(name))
      report(name, source.tally(name).rows)
    }
    for (const { name, last } of source.sequences)
      if (last) await execute(`select setval($1::regclass, $2::bigint)`, [`public.${quoted(name)}`, last])
    for (const { name } of tables) await execute(`alter table ${quoted(name)} enable trigger user`)
    for (const statement of foreignKeys) await execute(statement)
    await execute(`${LOADED_TABLE}; delete from ${LOADED}`)
    await execute(`insert into ${LOADED} (mark) values ($1)`, [source.mark()])
    await execute('commit')
  } catch (error) {
    await execute('rollback').catch(() => {})
    throw error
  }
}

/** In the schema of the migrations, because it describes this database and must not be archived. */
const LOADED = 'drizzle.loaded'
const LOADED_TABLE = `create table if not exists ${LOADED} (mark text not null, files_at timestamptz)`

/** The mark of the loaded archive, and whether its files are restored too. Null if nothing was ever loaded. */
export async function readLoadedArchive(execute: Execute): Promise<{ mark: string; isDone: boolean } | null> {
  const known = await execute(`select to_regclass('${LOADED}') is not null as is_there`)
  if (!(known.rows[0] as { is_there: boolean }).is_there) return null
  const { rows } = await execute(`select mark, files_at is not null as is_done from ${LOADED}`)
  const [row] = z.array(z.object({ mark: z.string(), is_done: z.boolean() })).parse(rows)
  return row ? { mark: row.mark, isDone: row.is_done } : null
}

export async function noteFilesDone(execute: Execute): Promise<void> {
  await execute(`update ${LOADED} set files_at = now()`)
}

function tableOf(tables: Table[], name: string, columns: string[]): Table {
  const table = tables.find((known) => known.name === name)
  if (!table) throw new Error(`В базе нет таблицы ${name}: архив сделан другой версией.`)
  const byName = new Map(table.columns.map((column) => [column.name, column]))
  return {
    name,
    columns: columns.map((column) => {
      const known = byName.get(column)
      if (!known) throw new Error(`В таблице ${name} нет столбца ${column}: архив сделан другой версией.`)
      return known
    }),
  }
}

async function insertLines(execute: Execute, table: Table, batches: AsyncIterable<string[]>): Promise<void> {
  const names = table.columns.map(({ name }) => quoted(name))
  const values = table.columns.map(({ type }, i) => `(r ->> ${i})::${type}`)
  const statement = `insert into ${quoted(table.name)} (${names}) overriding system value
    select ${values} from json_array_elements($1::json) r`
  let [waiting, chars]: [string[], number] = [[], 0]
  const flush = async () => {
    if (waiting.length > 0) await execute(statement, [`[${waiting.join(',')}]`])
    waiting = []
    chars = 0
  }
  for await (const lines of batches) {
    for (const line of lines) {
      waiting.push(line)
      chars += line.length
      if (chars >= BATCH_CHARS) await flush()
    }
  }
  await flush()
}

async function assertSameRows(execute: Execute, table: Table, expected: Tally): Promise<void> {
  const found = await countRows(execute, table)
  if (found.rows !== expected.rows || found.sum !== expected.sum)
    throw new Error(`Таблица ${table.name} не сошлась: строк ${found.rows} из ${expected.rows}. Ничего не записано.`)
}

async function assertNoUsers(execute: Execute, tables: Table[]): Promise<void> {
  if (!tables.some(({ name }) => name === 'users')) return
  const { rows } = await execute('select 1 from users limit 1')
  if (rows.length > 0)
    throw new Error('В этой базе уже есть пользователи. Архив загружается только в новую базу: создайте пустую.')
}

/** A running server would continue with cached data of the rows that are replaced here. */
async function assertNoServerRuns(execute: Execute, tables: Table[]): Promise<void> {
  if (!tables.some(({ name }) => name === 'instances')) return
  const { rows } = await execute(
    `select 1 from instances where ended_at is null and seen_at > now() - interval '30 seconds' limit 1`,
  )
  if (rows.length > 0) throw new Error('На этой базе работает сервер. Остановите его и повторите через минуту.')
}

/** Returns the statements that create the foreign keys again. */
async function dropForeignKeys(execute: Execute): Promise<string[]> {
  const { rows } = await execute(`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0 order by 1, 2`)
  const keys = z.array(z.object({ table: z.string(), name: z.string(), definition: z.string() })).parse(rows)
  for (const { table, name } of keys) await execute(`alter table ${table} drop constraint ${quoted(name)}`)
  return keys.map(({ table, name, definition }) => `alter table ${table} add constraint ${quoted(name)} ${definition}`)
}
