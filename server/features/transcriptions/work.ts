import { and, eq, sql } from 'drizzle-orm'
import { recordingPrice } from '#contract/transcriptions.ts'
import type { Db } from '#server/db/client.ts'
import { type HeardPart, models, transcriptions } from '#server/db/schema.ts'
import { AppError } from '#server/lib/errors.ts'
import { whileAway } from '#server/work/retry.ts'
import { release, settle } from '../billing/ledger.ts'
import type { ModelRow } from '../models/models.ts'
import { costOfPieces } from '../models/piece-cost.ts'
import { searchVector } from '../search/vector.ts'
import { failureOf } from './failures.ts'
import { joinParts } from './join.ts'
import { mostSeconds, type Promised, promise } from './money.ts'
import { type Row, tell, tellBalance } from './rows.ts'
import { openSource, type Source } from './source.ts'
import type { HearingWorld } from './world.ts'

/** Some recording may bring the whole process down; after so many times it is not tried again by itself. */
const MAX_CRASHES = 3

/** The recording is somebody else's by now, or gone: nothing of it may be touched. */
export class Lost extends Error {}

/** Listens to one recording from where the last try ended, and leaves it ready, failed, or waiting if the server stops. */
export async function work(world: HearingWorld, row: Row, signal: AbortSignal): Promise<void> {
  try {
    if (row.crashes > MAX_CRASHES)
      throw new AppError('internal', 'Расшифровка несколько раз прерывалась. Повторите позже.')
    const model = await whileAway(() => modelOf(world.db, row), { signal })
    const promised = await whileAway(() => promise(world, row, model), { signal })
    tell(world.publish, row.userId, row.id)
    tellBalance(world.publish, row.userId)
    await listen(world, row, model, promised, signal)
  } catch (error) {
    await giveUp(world, row, signal.aborted ? signal.reason : error).catch((failure: unknown) =>
      world.log.error({ err: failure }, 'a recording could not be given up'),
    )
  }
}

const mine = ({ id, tries }: Row) =>
  and(eq(transcriptions.id, id), eq(transcriptions.tries, tries), eq(transcriptions.state, 'working'))

async function modelOf(db: Db, { modelId }: Row): Promise<ModelRow> {
  const [model] = await db
    .select()
    .from(models)
    .where(and(eq(models.id, modelId ?? ''), eq(models.kind, 'transcription')))
  if (!model) throw new AppError('not_found', 'Этой модели больше нет. Повторите с другой.')
  return model
}

async function listen(
  world: HearingWorld,
  row: Row,
  model: ModelRow,
  promised: Promised,
  signal: AbortSignal,
): Promise<void> {
  const source = await openSource(world, row, signal)
  try {
    const heard = [...row.heard]
    const total = Math.max(1, source.plan.length)
    if (row.plan === null) await change(world, row, { plan: source.plan })
    const transcribe = world.providers.transcribe(model.provider)
    while (heard.length < total) {
      signal.throwIfAborted()
      const part = await source.part(heard.length)
      const { model: name, language } = { model: model.providerModel, language: row.language }
      heard.push(await transcribe({ model: name, language, ...part }, signal))
      await change(world, row, { heard, progress: Math.floor((heard.length * 100) / total) })
    }
    await finish(world, row, model, promised, source, heard)
  } finally {
    await source.close()
  }
}

/** Every part that was heard is kept at once: who goes on after a crash begins with the next. */
async function change(
  { db, publish }: HearingWorld,
  row: Row,
  values: Partial<typeof transcriptions.$inferInsert>,
): Promise<void> {
  const [changed] = await whileAway(() =>
    db.update(transcriptions).set(values).where(mine(row)).returning({ id: transcriptions.id }),
  )
  if (!changed) throw new Lost()
  tell(publish, row.userId, row.id)
}

/** The text and its price in one transaction: neither is ever there without the other. */
async function finish(
  { db, publish }: HearingWorld,
  row: Row,
  model: ModelRow,
  promised: Promised,
  source: Source,
  heard: HeardPart[],
): Promise<void> {
  const joined = joinParts(
    heard,
    heard.map((_, number) => source.times(number)),
  )
  const seconds = realSeconds(row, heard)
  const price = Math.min(promised.symbols, recordingPrice(seconds, model.minutePrice ?? 0))
  const keep = async (tx: Db) => {
    const [done] = await tx
      .update(transcriptions)
      .set({
        ...joined,
        state: 'ready',
        progress: 100,
        durationMs: Math.round(seconds * 1000),
        hold: null,
        instance: null,
        heard: [],
        original: null,
        edited: false,
        errorCode: null,
        errorMessage: null,
        ...costOfPieces(model, seconds / 60),
        // It may have been renamed meanwhile.
        search: searchVector(sql`${transcriptions.title} || ' ' || ${joined.text}::text`),
        updatedAt: sql`now()`,
      })
      .where(mine(row))
      .returning({ title: transcriptions.title })
    if (!done) throw new Lost()
    const details = { modelId: model.id, note: `Запись «${done.title}», ${clock(seconds)}` }
    const outcome = await settle(tx, promised.key, price, details)
    const charged = outcome === 'done' ? price : 0
    await tx
      .update(transcriptions)
      .set({ charged: sql`${transcriptions.charged} + ${charged}` })
      .where(eq(transcriptions.id, row.id))
    tell(publish, row.userId, row.id)
    tellBalance(publish, row.userId)
  }
  await whileAway(() => db.transaction(keep))
}

/** Our own measure is exact; where there is none, the provider's, then the last word that was heard. */
function realSeconds(row: Row, heard: HeardPart[]): number {
  if (row.durationMs !== null) return row.durationMs / 1000
  const told = heard.every(({ seconds }) => seconds !== null)
    ? heard.reduce((sum, { seconds }) => sum + (seconds ?? 0), 0)
    : 0
  return told || heard.at(-1)?.segments?.at(-1)?.end || mostSeconds(row)
}

/** Nothing is charged for what did not come about. */
async function giveUp(world: HearingWorld, row: Row, reason: unknown): Promise<void> {
  const { db, publish, log } = world
  const failure = failureOf(reason)
  if (failure === 'stopping') {
    await db.update(transcriptions).set({ state: 'queued', instance: null }).where(mine(row))
    return
  }
  if (failure.isOurs) log.error({ err: reason }, 'a recording could not be worked on')
  const fail = async (tx: Db) => {
    const [failed] = await tx
      .update(transcriptions)
      .set({
        state: 'failed',
        instance: null,
        errorCode: failure.code,
        errorMessage: failure.message,
        updatedAt: sql`now()`,
      })
      .where(mine(row))
      .returning({ hold: transcriptions.hold })
    if (!failed) return
    if (failed.hold) await release(tx, failed.hold)
    tell(publish, row.userId, row.id)
    tellBalance(publish, row.userId)
  }
  await whileAway(() => db.transaction(fail))
}

export function clock(seconds: number): string {
  const whole = Math.round(seconds)
  const two = (n: number) => String(n).padStart(2, '0')
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}
