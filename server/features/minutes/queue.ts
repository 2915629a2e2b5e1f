import { and, eq, inArray, notInArray, or, sql } from 'drizzle-orm'
import { minutes } from '#server/db/schema.ts'
import { isOwnerStale } from '#server/instances/instance.ts'
import { createRunner } from '#server/instances/runner.ts'
import type { Sweep } from '#server/jobs/sweeps.ts'
import type { Row } from './rows.ts'
import { OwnershipLost } from './step.ts'
import { type MinutesDeps, SERVER_STOPS, writeMeetingDocument } from './work.ts'

/** Several instances share one queue in the database. */
export interface MinutesQueue {
  /** Claims queued documents while there is capacity. */
  wake: () => void
  /** Aborts the work on a document that was stopped or deleted. */
  cancel: (id: string) => void
  idle: () => Promise<void>
  close: () => Promise<void>
}

const MAX_CONCURRENT = 4
const isWorking = eq(minutes.state, 'working')

export function createMinutesQueue(deps: MinutesDeps): MinutesQueue {
  const { db, log, instance } = deps
  const runner = createRunner({
    limit: MAX_CONCURRENT,
    onError: (error, id) => log.error({ err: error, minutesId: id }, 'minutes queue: job failed'),
    stillOwned: async (ids) => {
      const rows = await db
        .select({ id: minutes.id })
        .from(minutes)
        .where(and(inArray(minutes.id, ids), eq(minutes.instance, instance.id), isWorking))
      return rows.map(({ id }) => id)
    },
    lost: new OwnershipLost(),
  })
  let isClosed = false
  let claiming = Promise.resolve()

  async function claimWaiting(): Promise<void> {
    while (!isClosed && runner.hasCapacity()) {
      const row = await claim(deps, runner.ids())
      if (!row) return
      void runner.run(row.id, (signal) => writeMeetingDocument(deps, row, signal)).then(wake)
    }
  }

  function wake(): void {
    claiming = claiming
      .then(claimWaiting)
      .catch((error: unknown) => log.error({ err: error }, 'minutes queue: claim failed'))
  }

  return {
    wake,
    cancel: (id) => runner.abort(id, new OwnershipLost()),
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
  }
}

export const minutesSweep = ({ wake }: MinutesQueue): Sweep => ({
  name: 'look-for-minutes',
  everyMs: 5000,
  waits: sql`exists (select from ${minutes} where ${minutes.state} in ('queued', 'working'))`,
  run: async () => {
    wake()
    return 0
  },
})

/**
 * Claims the document that has waited longest: a queued one, a stale one, or one that this instance claimed before
 * without knowing it, because the connection broke between the update and its result.
 */
async function claim({ db, instance }: MinutesDeps, running: string[]): Promise<Row | null> {
  const isUnacknowledged = and(
    isWorking,
    eq(minutes.instance, instance.id),
    running.length > 0 ? notInArray(minutes.id, running) : undefined,
  )
  const next = db
    .select({ id: minutes.id })
    .from(minutes)
    .where(or(eq(minutes.state, 'queued'), and(isWorking, isOwnerStale(minutes.instance)), isUnacknowledged))
    .orderBy(minutes.updatedAt)
    .limit(1)
    .for('update', { skipLocked: true })
  const [row] = await db
    .update(minutes)
    .set({
      state: 'working',
      tries: sql`${minutes.tries} + 1`,
      crashes: sql`${minutes.crashes} + case ${minutes.state} when 'working' then 1 else 0 end`,
      instance: instance.id,
    })
    .where(eq(minutes.id, sql`(${next})`))
    .returning()
  return row ?? null
}
