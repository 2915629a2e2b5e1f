import { and, eq, lt, or, sql } from 'drizzle-orm'
import { transcriptions } from '#server/db/schema.ts'
import { CLOSING } from './closing.ts'
import { type Row, wholeColumns } from './rows.ts'
import { work } from './work.ts'
import type { HearingWorld } from './world.ts'

/** Works through the recordings that wait, a few at a time; of several processes each takes its own. */
export interface Hearing {
  /** Something waits: look. */
  kick: () => void
  /** Nobody wants this one any more. */
  drop: (id: string) => void
  /** Resolves when nothing is being worked on here. */
  idle: () => Promise<void>
  close: () => Promise<void>
}

const PLACES = 2
/** A worker gives a sign of life every few seconds; one that was silent for so long is dead. */
const SILENCE_MS = 60_000

export function createHearing(world: HearingWorld): Hearing {
  const running = new Map<string, AbortController>()
  const works = new Set<Promise<void>>()
  let isClosed = false
  let looking = Promise.resolve()

  async function look(): Promise<void> {
    while (!isClosed && running.size < PLACES) {
      const row = await claim(world)
      if (!row) return
      const abort = new AbortController()
      running.set(row.id, abort)
      const done = work(world, row, abort).finally(() => {
        running.delete(row.id)
        works.delete(done)
        kick()
      })
      works.add(done)
    }
  }

  function kick(): void {
    looking = looking
      .then(look)
      .catch((error: unknown) => world.log.error({ err: error }, 'recordings are not looked for'))
  }

  return {
    kick,
    drop: (id) => running.get(id)?.abort(new Error('dropped')),
    idle: async () => {
      await looking
      while (works.size > 0) {
        await Promise.allSettled(works)
        await looking
      }
    },
    close: async () => {
      isClosed = true
      for (const abort of running.values()) abort.abort(CLOSING)
      await looking
      await Promise.allSettled(works)
    },
  }
}

/** Takes the one that has waited longest. A worker that died is told by its silence, and its recording goes on elsewhere. */
async function claim({ db }: HearingWorld): Promise<Row | null> {
  const lost = and(eq(transcriptions.state, 'working'), lt(transcriptions.heartbeatAt, sinceNow(SILENCE_MS)))
  const next = db
    .select({ id: transcriptions.id })
    .from(transcriptions)
    .where(or(eq(transcriptions.state, 'queued'), lost))
    .orderBy(transcriptions.updatedAt)
    .limit(1)
    .for('update', { skipLocked: true })
  const [row] = await db
    .update(transcriptions)
    .set({
      state: 'working',
      tries: sql`${transcriptions.tries} + 1`,
      crashes: sql`${transcriptions.crashes} + case ${transcriptions.state} when 'working' then 1 else 0 end`,
      heartbeatAt: sql`now()`,
    })
    .where(eq(transcriptions.id, sql`(${next})`))
    .returning(wholeColumns)
  return row ?? null
}

/** Nobody else works on an embedded database: whatever is being worked on there was left by a former life. */
export async function requeueAll({ db }: Pick<HearingWorld, 'db'>): Promise<void> {
  await db
    .update(transcriptions)
    .set({ state: 'queued', crashes: sql`${transcriptions.crashes} + 1` })
    .where(eq(transcriptions.state, 'working'))
}

const sinceNow = (ms: number) => sql`now() - make_interval(secs => ${ms / 1000})`
