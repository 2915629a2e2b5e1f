import { and, eq, sql } from 'drizzle-orm'
import { recordingPrice } from '#contract/transcriptions.ts'
import type { Db } from '#server/db/client.ts'
import { models, type TranscribedPart, transcriptions } from '#server/db/schema.ts'
import { isClaimed, OwnershipLost, SERVER_STOPS } from '#server/instances/queue.ts'
import { retryWhileUnavailable } from '#server/instances/retry.ts'
import { AppError } from '#server/lib/errors.ts'
import { LlmError, type LlmErrorKind, UNAVAILABLE } from '#server/llm/errors.ts'
import { release, settle } from '../billing/ledger.ts'
import { costOfUnits, type ModelRow } from '../models/models.ts'
import { recordCall } from '../models/side-costs.ts'
import { searchVector } from '../search/text-query.ts'
import { type AudioSource, openSource } from './audio-source.ts'
import type { TranscriptionDeps } from './deps.ts'
import { joinParts, type PartTimes } from './join.ts'
import {
  checkNamed,
  formatClock,
  holdForRecording,
  LongerThanNamedError,
  namedSeconds,
  paidSeconds,
  type RecordingHold,
  reportedSeconds,
  transcribedMs,
} from './money.ts'
import { recognizeWhole } from './recognize.ts'
import { allColumns, change, publishBalance, publishTranscription, type Row } from './rows.ts'
import { speakersIn } from './speakers.ts'
import { keyedSegments, knownVoices } from './voices.ts'

const sentences: Record<LlmErrorKind, string> = {
  key: UNAVAILABLE,
  credit: UNAVAILABLE,
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
    await transcribeAll(deps, row, model, recordingHold, signal)
  } catch (error) {
    await recordFailure(deps, row, signal.aborted ? signal.reason : error).catch((failed: unknown) =>
      deps.log.error({ err: failed }, 'transcriptions: the failure could not be recorded'),
    )
  }
}

async function modelOf(db: Db, { modelId }: Row): Promise<ModelRow> {
  const [model] = await db
    .select()
    .from(models)
    .where(and(eq(models.id, modelId ?? ''), eq(models.kind, 'transcription')))
  if (!model) throw new AppError('not_found', 'Этой модели больше нет. Повторите с другой.')
  return model
}

async function transcribeAll(
  deps: TranscriptionDeps,
  row: Row,
  model: ModelRow,
  recordingHold: RecordingHold,
  signal: AbortSignal,
): Promise<void> {
  const recognizer = deps.providers.recognizer(model.provider)
  if (recognizer) {
    const transcribed = await recognizeWhole(deps, row, model, recognizer, signal)
    return finish(deps, row, model, recordingHold, transcribed, [{ start: 0, end: null }])
  }
  const source = await openSource(deps, row, signal)
  try {
    checkNamed(row, source.counted)
    const transcribed = await transcribeParts(deps, row, model, source, signal)
    const times = transcribed.map((_, number) => source.times(number))
    await finish(deps, row, model, recordingHold, transcribed, times)
  } finally {
    await source.close()
  }
}

async function transcribeParts(
  deps: TranscriptionDeps,
  row: Row,
  model: ModelRow,
  source: AudioSource,
  signal: AbortSignal,
): Promise<TranscribedPart[]> {
  const transcribed = [...row.transcribed]
  const total = Math.max(1, source.plan.length)
  if (row.plan === null || row.plan.length !== source.plan.length) await change(deps, row, { plan: source.plan })
  const transcribe = deps.providers.transcribe(model.provider)
  const { providerModel, maxSpeakers } = model
  const mode = speakerModeOf(model)
  while (transcribed.length < total) {
    signal.throwIfAborted()
    const part = await source.part(transcribed.length)
    const named = part.seconds ?? namedSeconds(row)
    const known = takesVoices(mode) ? await knownVoices(source, transcribed) : []
    await change(deps, row, { sentMs: transcribedMs(transcribed) + Math.round(named * 1000) })
    const speakers = mode === null ? null : { mode, max: maxSpeakers, known }
    const result = await transcribe({ model: providerModel, language: row.language, speakers, ...part }, signal)
    const names = known.map(({ name }) => name)
    const segments = keyedSegments(result.segments, transcribed, names)
    const counted = source.isExact ? part.seconds : source.counted
    const ms = Math.round(paidSeconds(counted, reportedSeconds(result), named) * 1000)
    transcribed.push({ ...result, segments, ms })
    await change(deps, row, { transcribed, progress: Math.floor((transcribed.length * 100) / total) })
  }
  return transcribed
}

/** A model of OpenAI that was added before its form had the field tells who spoke, too. */
const speakerModeOf = ({ speakers, providerModel }: ModelRow) =>
  speakers ?? (/diarize/i.test(providerModel) ? 'diarized_json' : null)

/** Whether the model recognises voices of earlier parts. */
const takesVoices = (mode: ModelRow['speakers']) => mode === 'diarized_json' || mode === 'diarization'

/** Stores the text and charges for it in one transaction. */
async function finish(
  { db, publish }: TranscriptionDeps,
  row: Row,
  model: ModelRow,
  recordingHold: RecordingHold,
  transcribed: TranscribedPart[],
  times: PartTimes[],
): Promise<void> {
  const joined = joinParts(transcribed, times)
  const seconds = transcribedMs(transcribed) / 1000
  const price = Math.max(0, Math.min(recordingHold.symbols, recordingPrice(seconds, model.minutePrice ?? 0) - row.paid))
  const storeResult = async (tx: Db) => {
    const [done] = await tx
      .update(transcriptions)
      .set({
        ...joined,
        speakers: speakersIn(joined.segments),
        operation: null,
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
      .where(isClaimed(transcriptions, row))
      .returning({ id: transcriptions.id })
    if (!done) throw new OwnershipLost()
    const details = { modelId: model.id, note: `Запись ${formatClock(seconds)}` }
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

/** A failure costs nothing. */
async function recordFailure(deps: TranscriptionDeps, row: Row, reason: unknown): Promise<void> {
  const { db, publish, log } = deps
  if (reason instanceof OwnershipLost) return
  const described = toTranscriptionError(reason)
  if (described === 'stopping') {
    await db.update(transcriptions).set({ state: 'queued', instance: null }).where(isClaimed(transcriptions, row))
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
        ...(reason instanceof LongerThanNamedError && { durationMs: Math.round(reason.seconds * 1000) }),
        updatedAt: sql`now()`,
      })
      .where(isClaimed(transcriptions, row))
      .returning(allColumns)
    if (!failed) return
    if (failed.hold) await release(tx, failed.hold)
    publishTranscription(publish, row.userId, row.id)
    publishBalance(publish, row.userId)
  }
  await retryWhileUnavailable(() => db.transaction(fail))
}
