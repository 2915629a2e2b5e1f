import { createHash } from 'node:crypto'
import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type * as z from 'zod/mini'
import type { Db } from './client.ts'
import { rowsIn } from './rows-of.ts'

/**
 * Statements of the hot path. Building the text of a query costs this process more than running it, so the text is
 * built once; Postgres parses a named statement once per connection.
 */

export interface NamedQuery {
  name: string
  text: string
  values: unknown[]
}

type RunNamed = (query: NamedQuery) => Promise<{ rows: unknown[] }>

const namedRunners = new WeakMap<Db, RunNamed>()

/** Sets how named statements run directly on the driver. Transactions and the embedded database go through Drizzle. */
export function setRunNamed(db: Db, run: RunNamed): void {
  namedRunners.set(db, run)
}

const dialect = new PgDialect({ casing: 'snake_case' })

/** A placeholder for a value that each call passes. */
export type Value<Names extends string> = (name: Names) => Placeholder
export type Statement<Names extends string, Row> = (db: Db, values: Record<Names, unknown>) => Promise<Row[]>

/** Each row is parsed, as by `rowsOf`. List all columns: a migration may change `*` under a prepared statement. */
export function statement<Names extends string, Row>(
  name: string,
  build: (value: Value<Names>) => SQL,
  row: z.ZodMiniType<Row>,
): Statement<Names, Row> {
  let built: ReturnType<PgDialect['sqlToQuery']> & { name: string; order: (Names | null)[] }
  const query = () => {
    if (built) return built
    const made = dialect.sqlToQuery(build((value) => sql.placeholder(value)))
    const order = made.params.map((param) => (isPlaceholder(param) ? (param.name as Names) : null))
    built = { ...made, name: `${name}_${hashOf(made.sql)}`, order }
    return built
  }
  return async (db, values) => {
    const { name: unique, sql: text, params, order } = query()
    const run = namedRunners.get(db)
    const result = run
      ? await run({ name: unique, text, values: order.map((value, i) => (value === null ? params[i] : values[value])) })
      : await db._.session.prepareQuery(query(), undefined, unique, false).execute(values)
    return rowsIn(result).map((found) => row.parse(found))
  }
}

const isPlaceholder = (param: unknown): param is Placeholder =>
  typeof param === 'object' && param !== null && 'name' in param && 'getSQL' in param

/** A query of Drizzle that is prepared once for each database, and again in each transaction. */
export function preparedOnce<Query>(prepare: (db: Db) => Query): (db: Db) => Query {
  const known = new WeakMap<Db, Query>()
  return (db) => {
    const query = known.get(db) ?? prepare(db)
    known.set(db, query)
    return query
  }
}

/** For a statement whose text depends on a variant: each variant is built at its first use. */
export function byVariant<Variant extends string | object, Made>(make: (variant: Variant, name: string) => Made) {
  const known = new Map<string, Made>()
  return (variant: Variant): Made => {
    const key = JSON.stringify(variant)
    const made = known.get(key) ?? make(variant, hashOf(key))
    known.set(key, made)
    return made
  }
}

/** Names of prepared statements have 63 bytes at most. */
const hashOf = (text: string) => createHash('sha1').update(text).digest('hex').slice(0, 8)
