import { and, eq, sql } from 'drizzle-orm'
import { recordingPrice } from '#contract/transcriptions.ts'
import type { Db } from '#server/db/client.ts'
import { models, type TranscribedPart, transcriptions } from '#server/db/schema.ts'
import { retryWhileUnavailable } from '#server/instances/retry.ts'
import { AppError } from '#server/lib/errors.ts'
import { LlmError, type LlmErrorKind } from '#server/llm/errors.ts'
import { release, settle } from '../billing/ledger.ts'
import { costOfUnits, type ModelRow } from '../models/models.ts'
import { recordCall } from '../models/side-costs.ts'
import { searchVector } from '../search/text-query.ts'
import { type AudioSource, openSource, type Part } from './audio-source.ts'
import type { TranscriptionDeps } from './deps.ts'
import { joinParts } from './join.ts'
import {
  coverSeconds,
  formatClock,
  holdForRecording,
  LongerThanPaidError,
  maxSeconds,
  type RecordingHold,
  settleStopped,
  transcribedMs,
} from './money.ts'
import { allColumns, publishBalance, publishTranscription, type Row } from './rows.ts'

/** The abort reason when the server stops: the recording goes back to the queue. */
export const SERVER_STOPS = new Error('the server stops')

/** Another instance owns the recording by now, or it was deleted: nothing of it may be changed. */
export class OwnershipLost extends Error {}

const sentences: Record<LlmErrorKind, string> = {
  key: 'Модель для расшифровки не подключена: провайдер не принял ключ. Напишите в поддержку.',
  credit: 'У провайдера модели закончились средства. Выберите другую модель или напишите в поддержку.',
  busy: 'Модель сейчас перегружена. Повторите через несколько минут.',
  down: 'Модель не ответила. Повторите позже или выберите другую.',
  timeout: 'Модель слушала слишком долго и не ответила. Повторите позже.',
  filter: 'Модель отказалась расшифровывать эту запись по своим правилам.',
  too_long: 'Запись слишком длинная для этой модели. Выберите другую или разделите запись.',
  missing: 'У провайдера нет этой модели: возможно, её отключили. Выберите другую и повторите.',
  refused: 'Модель не приняла запись. Повторите с другой моделью.',
}
const UNREADABLE =
  'Модель не смогла прочитать запись: возможно, файл повреждён. Сохраните его заново или выберите другую модель.'
/** Answers of a provider that are about the recording itself. */
const aboutFile = new Set<unknown>([400, 413, 415, 422])

function modelSentence({ kind, failure }: LlmError): string {
  return kind === 'refused' && aboutFile.has(failure.status) ? UNREADABLE : sentences[kind]
}

interface TranscriptionError {
  code: string
  message: string
  /** Neither the recording nor the provider caused it, so it is logged. */
  isOurs: boolean
}

function toTranscriptionError(reason: unknown): TranscriptionError | 'stopping' {
  if (reason === SERVER_STOPS) return 'stopping'
  if (reason instanceof LlmError) return { code: 'model_failed', message: modelSentence(reason), isOurs: false }
  if (reason instanceof AppError)
    return { code: reason.code, message: reason.message, isOurs: reason.code === 'internal' }
  return { code: 'internal', message: 'Расшифровка прервалась по нашей вине. Повторите её.', isOurs: true }
}

/** A recording may crash the whole process; after so many crashes it fails until its owner retries it. */
const MAX_CRASHES = 3

/** Continues with the part where the last try ended. Leaves the row ready or failed, or queued if the server stops. */
export async function transcribeRecording(deps: TranscriptionDeps, row: Row, signal: AbortSignal): Promise<void> {
  try {
    if (row.crashes > MAX_CRASHES)
      throw new AppError('internal', 'Расшифровка несколько раз прерывалась. Повторите позже.')
    const model = await retryWhileUnavailable(() => modelOf(deps.db, row), { signal })
    const recordingHold = await retryWhileUnavailable(() => holdForRecording(deps, row, model), { signal })
    publishTranscription(deps.publish, row.userId, row.id)
    publishBalance(deps.publish, row.userId)
    await transcribeParts(deps, row, model, recordingHold, signal)
  } catch (error) {
    await recordFailure(deps, row, signal.aborted ? signal.reason : error).catch((failed: unknown) =>
      deps.log.error({ err: failed }, 'transcriptions: the failure could not be recorded'),
    )
  }
}

const ownedBy = ({ id, tries }: Row) =>
  and(eq(transcriptions.id, id), eq(transcriptions.tries, tries), eq(transcriptions.state, 'working'))

async function modelOf(db: Db, { modelId }: Row): Promise<ModelRow> {
  const [model] = await db
    .select()
    .from(models)
    .where(and(eq(models.id, modelId ?? ''), eq(models.kind, 'transcription')))
  if (!model) throw new AppError('not_found', 'Этой модели больше нет. Повторите с другой.')
  return model
}

async function transcribeParts(
  deps: TranscriptionDeps,
  row: Row,
  model: ModelRow,
  recordingHold: RecordingHold,
  signal: AbortSignal,
): Promise<void> {
  const source = await openSource(deps, row, signal)
  const cover = (seconds: number, held: RecordingHold, isTranscribed: boolean) =>
    retryWhileUnavailable(() => coverSeconds(deps, row, model, held, { seconds, isTranscribed }), { signal })
  try {
    const transcribed = [...row.transcribed]
    const total = Math.max(1, source.plan.length)
    if (row.plan === null) await change(deps, row, { plan: source.plan })
    const transcribe = deps.providers.transcribe(model.provider)
    // A balance that cannot pay for the counted length fails here, before anything is sent to the provider.
    let covered = await cover(source.counted ?? 0, recordingHold, transcribed.length > 0)
    while (transcribed.length < total) {
      signal.throwIfAborted()
      const part = await source.part(transcribed.length)
      const partMs = Math.round((part.seconds ?? maxSeconds(row)) * 1000)
      await change(deps, row, { sentMs: transcribedMs(transcribed) + partMs })
      const { model: name, language } = { model: model.providerModel, language: row.language }
      const result = await transcribe({ model: name, language, ...part }, signal)
      transcribed.push({ ...result, ms: Math.round(trueSeconds(source, part, result) * 1000) || partMs })
      await change(deps, row, { transcribed, progress: Math.floor((transcribed.length * 100) / total) })
      covered = await cover(transcribedMs(transcribed) / 1000, covered, true)
    }
    await finish(deps, row, model, covered, source, transcribed)
  } finally {
    await source.close()
  }
}

/** Each transcribed part is stored at once, so that a try after a crash begins with the next part. */
async function change(
  { db, publish }: TranscriptionDeps,
  row: Row,
  values: Partial<typeof transcriptions.$inferInsert>,
): Promise<void> {
  const [changed] = await retryWhileUnavailable(() =>
    db.update(transcriptions).set(values).where(ownedBy(row)).returning({ id: transcriptions.id }),
  )
  if (!changed) throw new OwnershipLost()
  publishTranscription(publish, row.userId, row.id)
}

/** Stores the text and charges for it in one transaction. */
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
  const storeResult = async (tx: Db) => {
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
        sentMs: 0,
        paid: 0,
        original: null,
        edited: false,
        errorCode: null,
        errorMessage: null,
        // The title comes from the row: the owner may have renamed it meanwhile.
        search: searchVector(sql`${transcriptions.title} || ' ' || ${joined.text}::text`),
        updatedAt: sql`now()`,
      })
      .where(ownedBy(row))
      .returning({ title: transcriptions.title })
    if (!done) throw new OwnershipLost()
    const details = { modelId: model.id, note: `Запись «${done.title}», ${formatClock(seconds)}` }
    const outcome = await settle(tx, recordingHold.key, price, details)
    const charged = outcome === 'done' ? price : 0
    await recordCall(tx, { kind: 'transcription', userId: row.userId, model }, costOfUnits(model, seconds / 60))
    await tx
      .update(transcriptions)
      .set({ charged: sql`${transcriptions.charged} + ${charged}` })
      .where(eq(transcriptions.id, row.id))
    publishTranscription(publish, row.userId, row.id)
    publishBalance(publish, row.userId)
  }
  await retryWhileUnavailable(() => db.transaction(storeResult))
}

/**
 * The length that is charged. A part that we cut has an exact length. For a file sent as it came, the provider's
 * measure counts, because the provider bills by it; the file's own headers are used only when it reports none.
 */
function trueSeconds(
  { isExact, counted }: AudioSource,
  { seconds }: Part,
  transcribed: Omit<TranscribedPart, 'ms'>,
): number {
  if (isExact) return seconds ?? 0
  const reported = transcribed.seconds ?? transcribed.segments?.at(-1)?.end ?? null
  return reported === null ? (seconds ?? 0) : Math.max(reported, counted ?? 0)
}

/** A failure costs nothing, unless the transcribed parts cost more than the balance has: then the hold is charged. */
async function recordFailure(deps: TranscriptionDeps, row: Row, reason: unknown): Promise<void> {
  const { db, publish, log } = deps
  const described = toTranscriptionError(reason)
  if (described === 'stopping') {
    await db.update(transcriptions).set({ state: 'queued', instance: null }).where(ownedBy(row))
    return
  }
  const { id } = row
  if (described.isOurs) log.error({ err: reason, transcriptionId: id }, 'transcriptions: recording failed')
  else if (reason instanceof LlmError)
    log.warn({ err: reason, transcriptionId: id }, 'transcriptions: the model failed')
  const fail = async (tx: Db) => {
    const [failed] = await tx
      .update(transcriptions)
      .set({
        state: 'failed',
        instance: null,
        errorCode: described.code,
        errorMessage: described.message,
        updatedAt: sql`now()`,
      })
      .where(ownedBy(row))
      .returning(allColumns)
    if (!failed) return
    if (reason instanceof LongerThanPaidError && failed.transcribed.length > 0) await chargeTranscribed(tx, failed)
    else if (failed.hold) await release(tx, failed.hold)
    publishTranscription(publish, row.userId, row.id)
    publishBalance(publish, row.userId)
  }
  await retryWhileUnavailable(() => db.transaction(fail))
}

async function chargeTranscribed(db: Db, row: Row): Promise<void> {
  const { charged, paid } = await settleStopped(db, { ...row, sentMs: transcribedMs(row.transcribed) })
  await db
    .update(transcriptions)
    .set({ charged: row.charged + charged, paid })
    .where(eq(transcriptions.id, row.id))
}
