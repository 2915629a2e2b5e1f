import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Language, languages } from '#contract/transcriptions.ts'
import { measureSound } from '#server/audio/duration.ts'
import type { ProviderOperation, TranscribedPart } from '#server/db/schema.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { LlmError } from '#server/llm/errors.ts'
import type { Recognizer, Transcript, WholeSound } from '#server/llm/llm.ts'
import type { ModelRow } from '../models/models.ts'
import { bytesBetween, downloadTo, soundIn } from './chunks.ts'
import type { TranscriptionDeps } from './deps.ts'
import { checkNamed, namedSeconds, paidSeconds, reportedSeconds } from './money.ts'
import { change, type Row } from './rows.ts'
import { keyedSegments } from './voices.ts'

/** Results are stored for some days; after one day the recording is sent again. */
const CONTINUED_MS = 24 * 3_600_000

interface Whole {
  sound: WholeSound
  mime: string
  /** Null when only the header states a length. */
  counted: number | null
  close: () => Promise<void>
}

/**
 * Lets a service transcribe the whole recording. The id of its operation is stored before the waiting begins: after a
 * crash, a stop or an unreachable service the same operation is asked for, and nothing is sent or paid again.
 */
export async function recognizeWhole(
  deps: TranscriptionDeps,
  row: Row,
  model: ModelRow,
  recognizer: Recognizer,
  signal: AbortSignal,
): Promise<TranscribedPart[]> {
  // Parts of another model, which the owner has moved to this service meanwhile, are of no use.
  if (row.transcribed.length === 1 && row.plan?.length === 0) return row.transcribed
  const operation = runningOperation(row) ?? (await startOperation(deps, row, model, recognizer, signal))
  const awaited = { ...operation, seconds: operation.seconds ?? namedSeconds(row) }
  const transcript = await recognizer.result(awaited, signal).catch(async (error: unknown) => {
    const isOver = error instanceof LlmError && !error.isTemporary && error.kind !== 'key'
    if (isOver) await change(deps, row, { operation: null })
    throw error
  })
  const heard = model.speakers === null ? withoutSpeakers(transcript) : transcript
  const part = { ...heard, segments: keyedSegments(heard.segments, [], []), ms: paidMs(row, operation, heard) }
  await change(deps, row, { transcribed: [part], operation: null, plan: [], progress: 99 })
  return [part]
}

function runningOperation({ operation }: Pick<Row, 'operation'>): ProviderOperation | null {
  return operation && Date.now() - Date.parse(operation.startedAt) < CONTINUED_MS ? operation : null
}

async function startOperation(
  deps: TranscriptionDeps,
  row: Row,
  model: ModelRow,
  recognizer: Recognizer,
  signal: AbortSignal,
): Promise<ProviderOperation> {
  checkLanguage(row, recognizer)
  const whole = await openWhole(deps, row, recognizer, signal)
  try {
    const { sound, mime, counted } = whole
    const seconds = counted ?? namedSeconds(row)
    checkLength(sound, seconds, recognizer)
    checkNamed(row, counted)
    const sentMs = Math.round(seconds * 1000)
    await change(deps, row, { plan: [], transcribed: [], sentMs })
    const speakers = model.speakers === null ? null : { max: model.maxSpeakers }
    const request = { model: model.providerModel, sound, mime, language: row.language, seconds, speakers }
    const id = await recognizer.start(request, signal)
    const operation = { id, seconds: counted, startedAt: new Date().toISOString() }
    await change(deps, row, { operation })
    return operation
  } finally {
    await whole.close()
  }
}

/** Mono Opus with ffmpeg, which is small and which every service takes; otherwise the file as it came. */
async function openWhole(
  deps: TranscriptionDeps,
  row: Row,
  recognizer: Recognizer,
  signal: AbortSignal,
): Promise<Whole> {
  const { ffmpeg, storage, incoming } = deps
  const { counted } = await measureSound(soundIn(storage, row), row.mime ?? '')
  if (!ffmpeg) {
    const mime = row.mime ?? ''
    if (!recognizer.mimes.includes(mime)) throw unsupported()
    const read = () => bytesBetween(storage, row, 0, row.bytes)
    return { sound: { bytes: row.bytes, read }, mime, counted, close: async () => {} }
  }
  const [given, made] = [join(incoming, newId()), join(incoming, newId())]
  const close = async () => {
    await rm(given, { force: true })
    await rm(made, { force: true })
  }
  try {
    await downloadTo(storage, row, given, signal)
    const decoded = await ffmpeg.decodedSeconds(given, signal)
    await ffmpeg.toOpus(given, made, signal)
    await rm(given, { force: true })
    const { size } = await stat(made)
    const longest = Math.max(decoded ?? 0, counted ?? 0) || null
    return { sound: { bytes: size, read: () => createReadStream(made) }, mime: 'audio/ogg', counted: longest, close }
  } catch (error) {
    await close()
    throw error
  }
}

const unsupported = () =>
  new AppError(
    'unsupported_media_type',
    'Эта модель не принимает записи в таком формате, а на сервере нет ffmpeg, который его меняет. Сохраните запись в MP3 или выберите другую модель.',
  )

function checkLanguage({ language }: Row, recognizer: Recognizer): void {
  if (language === null || recognizer.languages.includes(language)) return
  const known = recognizer.languages.map((code) => languages[code as Language].toLowerCase()).join(', ')
  throw new AppError(
    'bad_request',
    `Эта модель не знает языка записи. Она знает такие: ${known}. Выберите другую модель.`,
  )
}

function checkLength(sound: WholeSound, seconds: number, recognizer: Recognizer): void {
  if (seconds <= recognizer.maxSeconds && sound.bytes <= recognizer.maxBytes) return
  const hours = Math.floor(recognizer.maxSeconds / 3600)
  throw new AppError(
    'payload_too_large',
    `Эта модель слушает записи целиком и не длиннее ${hours} часов. Разделите запись или выберите другую модель.`,
  )
}

const withoutSpeakers = (transcript: Transcript): Transcript => ({
  ...transcript,
  segments: transcript.segments?.map((segment) => ({ ...segment, speaker: null })) ?? null,
})

const paidMs = (row: Row, { seconds }: ProviderOperation, transcript: Transcript) =>
  Math.round(paidSeconds(seconds, reportedSeconds(transcript), namedSeconds(row)) * 1000)
