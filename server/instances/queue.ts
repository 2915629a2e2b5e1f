import { type AnyColumn, and, asc, eq, inArray, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '#server/db/client.ts'
import type { Sweep } from '#server/jobs/sweeps.ts'
import type { Log } from '#server/lib/log.ts'
import { type Instance, isOwnerStale } from './instance.ts'
import { createRunner } from './runner.ts'

/** Work that waits in a table. Several instances share one queue. */
export interface Queue {
  /** Claims waiting work while there is capacity. */
  wake: () => void
  /** Aborts the work on a row that was stopped or deleted. */
  cancel: (id: string) => void
  idle: () => Promise<void>
  close: () => Promise<void>
  /** Looks for work that other instances left. */
  sweep: Sweep
}

/** The abort reason when the server stops: the work goes back to the queue. */
export const SERVER_STOPS = new Error('the server stops')

/** Another instance owns the row by now, or it was stopped or deleted: nothing of it may be changed. */
export class OwnershipLost extends Error {}

/** `state` is `queued`, then `working` while `instance` has it, then anything else. */
export interface QueueColumns {
  id: PgColumn
  state: PgColumn
  instance: PgColumn
  tries: PgColumn
  updatedAt: PgColumn
}

export interface QueueOptions<Row> {
  /** In the log and as the name of the sweep. */
  name: string
  columns: QueueColumns
  /** How many run at once in this process. */
  limit: number
  /** What comes before the time that a row has waited. */
  order?: SQL[]
  /** Updates the row that `isNext` names with these values and returns it. */
  claim: (isNext: SQL, values: ClaimedValues) => Promise<Row[]>
  idOf: (row: Row) => string
  /** Ends the row: it is never left `working`, unless the process dies or the row is no longer its own. */
  work: (row: Row, signal: AbortSignal) => Promise<void>
}

interface ClaimedValues {
  state: 'working'
  tries: SQL
  instance: string
}

/** Whether the row is still as this claim left it. */
export const isClaimed = ({ id, tries, state }: QueueColumns, claimed: { id: string; tries: number }) =>
  and(eq(id, claimed.id), eq(tries, claimed.tries), eq(state, 'working'))

/** Counts the workers that died over a row. */
export const crashesOf = ({ crashes, state }: { crashes: AnyColumn; state: AnyColumn }) =>
  sql`${crashes} + case ${state} when 'working' then 1 else 0 end`

export function createQueue<Row>(
  { db, log, instance }: { db: Db; log: Log; instance: Pick<Instance, 'id'> },
  { name, columns, limit, order = [], claim, idOf, work }: QueueOptions<Row>,
): Queue {
  const { id, state, tries, updatedAt } = columns
  const isWorking = eq(state, 'working')
  const runner = createRunner({
    limit,
    onError: (error, rowId) => log.error({ err: error, id: rowId }, `${name}: work failed`),
    stillOwned: async (ids) => {
      const rows = await db
        .select({ id })
        .from(id.table)
        .where(and(inArray(id, ids), eq(columns.instance, instance.id), isWorking))
      return rows.map((row) => String(row.id))
    },
    lost: new OwnershipLost(),
  })
  let isClosed = false
  let claiming = Promise.resolve()

  /** Queued, left by a dead instance, or claimed by this one without knowing it, because the connection broke. */
  async function claimNext(): Promise<Row | undefined> {
    const running = runner.ids()
    const isUnknown = running.length > 0 ? notInArray(id, running) : undefined
    const isUnacknowledged = and(isWorking, eq(columns.instance, instance.id), isUnknown)
    const next = db
      .select({ id })
      .from(id.table)
      .where(or(eq(state, 'queued'), and(isWorking, isOwnerStale(columns.instance)), isUnacknowledged))
      .orderBy(...order, asc(updatedAt))
      .limit(1)
      .for('update', { skipLocked: true })
    const values: ClaimedValues = { state: 'working', tries: sql`${tries} + 1`, instance: instance.id }
    const [row] = await claim(eq(id, sql`(${next})`), values)
    return row
  }

  async function claimWaiting(): Promise<void> {
    while (!isClosed && runner.hasCapacity()) {
      const row = await claimNext()
      if (row === undefined) return
      void runner.run(idOf(row), (signal) => work(row, signal)).then(wake)
    }
  }

  function wake(): void {
    claiming = claiming.then(claimWaiting).catch((error: unknown) => log.error({ err: error }, `${name}: claim failed`))
  }

  return {
    wake,
    cancel: (rowId) => runner.abort(rowId, new OwnershipLost()),
    idle: async () => {
      await claiming
      while (runner.size() > 0) {
        await runner.idle()
        await claiming
      }
    },
    close: async () => {
      isClosed = true
      await claiming
      await runner.close(0, SERVER_STOPS)
    },
    sweep: {
      name: `look-for-${name}`,
      everyMs: 5000,
      waits: sql`exists (select from ${id.table} where ${state} in ('queued', 'working'))`,
      run: async () => {
        wake()
        return 0
      },
    },
  }
}
