import { and, eq, inArray, notInArray, or, sql } from 'drizzle-orm'
import { transcriptions } from '#server/db/schema.ts'
import { orphaned } from '#server/work/instance.ts'
import { createRunner } from '#server/work/runner.ts'
import { CLOSING } from './closing.ts'
import type { TranscriptionDeps } from './deps.ts'
import { type Row, wholeColumns } from './rows.ts'
import { Lost, work } from './work.ts'

/** Works through the recordings that wait, a few at a time; of several processes each takes its own. */
export interface TranscriptionQueue {
  /** Something waits: look. */
  wake: () => void
  /** Nobody wants this one any more. */
  cancel: (id: string) => void
  /** Resolves when nothing is being worked on here. */
  idle: () => Promise<void>
  close: () => Promise<void>
}

const PLACES = 2

export function createTranscriptionQueue(deps: TranscriptionDeps): TranscriptionQueue {
  const { db, log, instance } = deps
  const runner = createRunner({
    limit: PLACES,
    onError: (error, id) => log.error({ err: error, transcriptionId: id }, 'a recording was lost'),
    stillOwned: async (ids) => {
      const rows = await db
        .select({ id: transcriptions.id })
        .from(transcriptions)
        .where(and(inArray(transcriptions.id, ids), eq(transcriptions.instance, instance.id), isWorking))
      return rows.map(({ id }) => id)
    },
    lost: new Lost(),
  })
  let isClosed = false
  let looking = Promise.resolve()

  async function look(): Promise<void> {
    while (!isClosed && runner.hasCapacity()) {
      const row = await claim(deps, runner.ids())
      if (!row) return
      void runner.run(row.id, (signal) => work(deps, row, signal)).then(wake)
    }
  }

  function wake(): void {
    looking = looking.then(look).catch((error: unknown) => log.error({ err: error }, 'recordings are not looked for'))
  }

  return {
    wake,
    cancel: (id) => runner.abort(id, new Error('dropped')),
    idle: async () => {
      await looking
      while (runner.size() > 0) {
        await runner.idle()
        await looking
      }
    },
    close: async () => {
      isClosed = true
      await looking
      await runner.close(0, CLOSING)
    },
  }
}

const isWorking = eq(transcriptions.state, 'working')

/** No living process works on it. The previous release names no process, only when it was last alive. */
const isLeft = and(
  isWorking,
  or(
    orphaned(transcriptions.instance),
    and(
      sql`${transcriptions.instance} is null`,
      sql`coalesce(${transcriptions.heartbeatAt}, ${transcriptions.updatedAt}) < now() - interval '60 seconds'`,
    ),
  ),
)

/**
 * Takes the one that has waited longest; what a dead process left goes on here, and what this one claimed without
 * learning of it because the acknowledgement was lost.
 */
async function claim({ db, instance }: TranscriptionDeps, running: string[]): Promise<Row | null> {
  const isForgotten = and(
    isWorking,
    eq(transcriptions.instance, instance.id),
    running.length > 0 ? notInArray(transcriptions.id, running) : undefined,
  )
  const next = db
    .select({ id: transcriptions.id })
    .from(transcriptions)
    .where(or(eq(transcriptions.state, 'queued'), isLeft, isForgotten))
    .orderBy(transcriptions.updatedAt)
    .limit(1)
    .for('update', { skipLocked: true })
  const [row] = await db
    .update(transcriptions)
    .set({
      state: 'working',
      tries: sql`${transcriptions.tries} + 1`,
      crashes: sql`${transcriptions.crashes} + case ${transcriptions.state} when 'working' then 1 else 0 end`,
      instance: instance.id,
      // For the previous release, which takes a recording with an old one for dead.
      heartbeatAt: sql`now() + interval '1 day'`,
    })
    .where(eq(transcriptions.id, sql`(${next})`))
    .returning(wholeColumns)
  return row ?? null
}
