import { and, eq, sql } from 'drizzle-orm'
import { recordingPrice } from '#contract/transcriptions.ts'
import type { Db } from '#server/db/client.ts'
import { models, type TranscribedPart, transcriptions } from '#server/db/schema.ts'
import { AppError } from '#server/lib/errors.ts'
import { whileAway } from '#server/work/retry.ts'
import { release, settle } from '../billing/ledger.ts'
import { costOfUnits } from '../models/cost.ts'
import type { ModelRow } from '../models/models.ts'
import { searchVector } from '../search/vector.ts'
import { type AudioSource, openSource, type Part } from './audio-source.ts'
import type { TranscriptionDeps } from './deps.ts'
import { transcriptionErrorOf } from './errors.ts'
import { joinParts } from './join.ts'
import {
  clock,
  coverSeconds,
  holdForRecording,
  mostSeconds,
  type RecordingHold,
  settleStopped,
  TooLong,
  transcribedMs,
} from './money.ts'
import { publishBalance, publishTranscription, type Row, wholeColumns } from './rows.ts'

/** Some recording may bring the whole process down; after so many times it is not tried again by itself. */
const MAX_CRASHES = 3

/** The recording is somebody else's by now, or gone: nothing of it may be touched. */
export class Lost extends Error {}

/** Listens to one recording from where the last try ended, and leaves it ready, failed, or waiting if the server stops. */
export async function work(deps: TranscriptionDeps, row: Row, signal: AbortSignal): Promise<void> {
  try {
    if (row.crashes > MAX_CRASHES)
      throw new AppError('internal', 'Расшифровка несколько раз прерывалась. Повторите позже.')
    const model = await whileAway(() => modelOf(deps.db, row), { signal })
    const recordingHold = await whileAway(() => holdForRecording(deps, row, model), { signal })
    publishTranscription(deps.publish, row.userId, row.id)
    publishBalance(deps.publish, row.userId)
    await listen(deps, row, model, recordingHold, signal)
  } catch (error) {
    await giveUp(deps, row, signal.aborted ? signal.reason : error).catch((failed: unknown) =>
      deps.log.error({ err: failed }, 'a recording could not be given up'),
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
  deps: TranscriptionDeps,
  row: Row,
  model: ModelRow,
  recordingHold: RecordingHold,
  signal: AbortSignal,
): Promise<void> {
  const source = await openSource(deps, row, signal)
  const cover = (seconds: number, held: RecordingHold, isTranscribed: boolean) =>
    whileAway(() => coverSeconds(deps, row, model, held, { seconds, isTranscribed }), { signal })
  try {
    const transcribed = row.transcribed.map((part, n) => ({ ...part, ms: part.ms ?? lengthOf(source, part, n) }))
    const total = Math.max(1, source.plan.length)
    if (row.plan === null) await change(deps, row, { plan: source.plan })
    const transcribe = deps.providers.transcribe(model.provider)
    // Known before anybody is asked: whoever cannot pay for it all is told so, and nothing is sent.
    let covered = await cover(source.counted ?? 0, recordingHold, transcribed.length > 0)
    while (transcribed.length < total) {
      signal.throwIfAborted()
      const part = await source.part(transcribed.length)
      const partMs = Math.round((part.seconds ?? mostSeconds(row)) * 1000)
      await change(deps, row, { askedMs: transcribedMs(transcribed) + partMs })
      const { model: name, language } = { model: model.providerModel, language: row.language }
      const said = await transcribe({ model: name, language, ...part }, signal)
      transcribed.push({ ...said, ms: Math.round(trueSeconds(source, part, said) * 1000) || partMs })
      await change(deps, row, { transcribed, progress: Math.floor((transcribed.length * 100) / total) })
      covered = await cover(transcribedMs(transcribed) / 1000, covered, true)
    }
    await finish(deps, row, model, covered, source, transcribed)
  } finally {
    await source.close()
  }
}

/** Every part that was heard is kept at once: who goes on after a crash begins with the next. */
async function change(
  { db, publish }: TranscriptionDeps,
  row: Row,
  values: Partial<typeof transcriptions.$inferInsert>,
): Promise<void> {
  const [changed] = await whileAway(() =>
    db.update(transcriptions).set(values).where(mine(row)).returning({ id: transcriptions.id }),
  )
  if (!changed) throw new Lost()
  publishTranscription(publish, row.userId, row.id)
}

/** The text and its price in one transaction: neither is ever there without the other. */
async function finish(
  { db, publish }: TranscriptionDeps,
  row: Row,
  model: ModelRow,
  recordingHold: RecordingHold,
  source: AudioSource,
  transcribed: TranscribedPart[],
): Promise<void> {
  const joined = joinParts(
    transcribed,
    transcribed.map((_, number) => source.times(number)),
  )
  const seconds = transcribedMs(transcribed) / 1000
  const price = Math.max(0, Math.min(recordingHold.symbols, recordingPrice(seconds, model.minutePrice ?? 0) - row.paid))
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
        transcribed: [],
        askedMs: 0,
        paid: 0,
        original: null,
        edited: false,
        errorCode: null,
        errorMessage: null,
        ...costOfUnits(model, seconds / 60),
        // It may have been renamed meanwhile.
        search: searchVector(sql`${transcriptions.title} || ' ' || ${joined.text}::text`),
        updatedAt: sql`now()`,
      })
      .where(mine(row))
      .returning({ title: transcriptions.title })
    if (!done) throw new Lost()
    const details = { modelId: model.id, note: `Запись «${done.title}», ${clock(seconds)}` }
    const outcome = await settle(tx, recordingHold.key, price, details)
    const charged = outcome === 'done' ? price : 0
    await tx
      .update(transcriptions)
      .set({ charged: sql`${transcriptions.charged} + ${charged}` })
      .where(eq(transcriptions.id, row.id))
    publishTranscription(publish, row.userId, row.id)
    publishBalance(publish, row.userId)
  }
  await whileAway(() => db.transaction(keep))
}

/**
 * How long a part really is. What we made ourselves is as long as we made it. Of what was sent as it came the provider
 * knows best, whose count is paid for; headers are asked only where nobody has counted.
 */
function trueSeconds({ isExact, counted }: AudioSource, { seconds }: Part, transcribed: TranscribedPart): number {
  if (isExact) return seconds ?? 0
  const reported = transcribed.seconds ?? transcribed.segments?.at(-1)?.end ?? null
  return reported === null ? (seconds ?? 0) : Math.max(reported, counted ?? 0)
}

/** For parts that the previous release heard, which did not write down how long they were. */
function lengthOf(source: AudioSource, transcribed: TranscribedPart, n: number): number {
  const { start, end } = source.times(n)
  const seconds = end === null ? (transcribed.seconds ?? transcribed.segments?.at(-1)?.end ?? 0) : end - start
  return Math.round(Math.max(seconds, end === null ? (source.counted ?? 0) : 0) * 1000)
}

/** Nothing is charged for what did not come about; what was heard and is longer than can be paid keeps what was held. */
async function giveUp(deps: TranscriptionDeps, row: Row, reason: unknown): Promise<void> {
  const { db, publish, log } = deps
  const known = transcriptionErrorOf(reason)
  if (known === 'stopping') {
    await db.update(transcriptions).set({ state: 'queued', instance: null }).where(mine(row))
    return
  }
  if (known.isOurs) log.error({ err: reason }, 'a recording could not be worked on')
  const fail = async (tx: Db) => {
    const [failed] = await tx
      .update(transcriptions)
      .set({
        state: 'failed',
        instance: null,
        errorCode: known.code,
        errorMessage: known.message,
        updatedAt: sql`now()`,
      })
      .where(mine(row))
      .returning(wholeColumns)
    if (!failed) return
    if (reason instanceof TooLong && failed.transcribed.length > 0) await keepCredit(tx, failed)
    else if (failed.hold) await release(tx, failed.hold)
    publishTranscription(publish, row.userId, row.id)
    publishBalance(publish, row.userId)
  }
  await whileAway(() => db.transaction(fail))
}

async function keepCredit(db: Db, row: Row): Promise<void> {
  const { charged, paid } = await settleStopped(db, { ...row, askedMs: transcribedMs(row.transcribed) })
  await db
    .update(transcriptions)
    .set({ charged: row.charged + charged, paid })
    .where(eq(transcriptions.id, row.id))
}
