import { and, eq } from 'drizzle-orm'
import { recordingPrice } from '#contract/transcriptions.ts'
import type { Db } from '#server/db/client.ts'
import { models, type TranscribedPart, transcriptions } from '#server/db/schema.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { extend, hold, settleAtMost } from '../billing/ledger.ts'
import type { ModelRow } from '../models/models.ts'
import type { TranscriptionDeps } from './deps.ts'
import type { Row } from './rows.ts'

/** Speech is hardly ever recorded with fewer bits a second; a recording that hides its length is held at this. */
const LEAST_BITS_A_SECOND = 24_000

/** How much of a recording was heard. */
export const transcribedMs = (transcribed: readonly TranscribedPart[]) =>
  transcribed.reduce((sum, { ms = 0 }) => sum + ms, 0)

/** What a recording is held at: what is known, or what so many bytes can hold. */
export function mostSeconds({
  durationMs,
  bytes,
  transcribed,
}: Pick<Row, 'durationMs' | 'bytes' | 'transcribed'>): number {
  const known = durationMs === null ? (bytes * 8) / LEAST_BITS_A_SECOND : durationMs / 1000
  return Math.max(known, transcribedMs(transcribed) / 1000)
}

export interface RecordingHold {
  key: string
  symbols: number
}

/** Promises the price before the work begins. A promise of a former try that still stands is taken over. */
export async function holdForRecording({ db }: TranscriptionDeps, row: Row, model: ModelRow): Promise<RecordingHold> {
  const symbols = Math.max(0, recordingPrice(mostSeconds(row), model.minutePrice ?? 0) - row.paid)
  if (row.hold && (await extend(db, row.hold, symbols)) === 'held') return { key: row.hold, symbols }
  const key = `transcription:${row.id}:${newId()}`
  await db.transaction(async (tx) => {
    // The row before the balance, as everywhere here: two who lock both never wait for each other.
    await tx
      .update(transcriptions)
      .set({ hold: key })
      .where(and(eq(transcriptions.id, row.id), eq(transcriptions.tries, row.tries)))
    const outcome = await hold(tx, { key, userId: row.userId, kind: 'transcription', symbols })
    if (outcome === 'held') return
    // A former process died between hearing that it is longer and asking for more.
    if (row.hold && row.transcribed.length > 0) throw new TooLong(symbols, outcome === 'cap')
    throw tooDear(symbols, outcome === 'cap')
  })
  return { key, symbols }
}

const tooDear = (symbols: number, isCap: boolean) =>
  new AppError(
    'out_of_symbols',
    isCap
      ? 'Достигнут ваш дневной предел. Измените его в профиле или подождите до завтра.'
      : `На эту запись не хватает символов: нужно ${symbols.toLocaleString('ru-RU')}.`,
  )

/** The provider has listened to more than the balance can carry. What was held pays for a part of it. */
export class TooLong extends AppError {
  constructor(missing: number, isCap: boolean) {
    const why = isCap
      ? 'а дневной предел её не вмещает. Измените его в профиле или подождите до завтра'
      : `и на неё не хватает символов: нужно ещё ${missing.toLocaleString('ru-RU')}. Пополните баланс`
    super(
      'out_of_symbols',
      `Запись оказалась длиннее, чем сказано в файле, ${why} и нажмите «Повторить»: что уже списано, зачтётся, слушать заново не придётся.`,
    )
  }
}

/** Raises the hold to what a recording of this length costs; one that was asked for is not given away for less. */
export async function coverSeconds(
  { db }: TranscriptionDeps,
  row: Row,
  model: ModelRow,
  recordingHold: RecordingHold,
  { seconds, isTranscribed }: { seconds: number; isTranscribed: boolean },
): Promise<RecordingHold> {
  const symbols = recordingPrice(seconds, model.minutePrice ?? 0) - row.paid
  if (symbols <= recordingHold.symbols) return recordingHold
  const outcome = await extend(db, recordingHold.key, symbols)
  if (outcome === 'held') return { ...recordingHold, symbols }
  throw isTranscribed
    ? new TooLong(symbols - recordingHold.symbols, outcome === 'cap')
    : tooDear(symbols, outcome === 'cap')
}

/**
 * Ends the hold of a recording that its owner does not wait for: what the provider was asked to listen to is paid. What
 * of that was heard is kept for another try, which does not pay for it again.
 */
export async function settleStopped(db: Db, row: Row): Promise<{ charged: number; paid: number }> {
  const { hold: key, modelId, title, askedMs, transcribed } = row
  if (!key) return { charged: 0, paid: row.paid }
  const [model] = await db
    .select({ minutePrice: models.minutePrice })
    .from(models)
    .where(eq(models.id, modelId ?? ''))
  const priceOf = (ms: number) => recordingPrice(ms / 1000, model?.minutePrice ?? 0)
  const note = `Запись «${title}», остановлена: модели отправлено ${clock(askedMs / 1000)}`
  const details = { note, ...(modelId ? { modelId } : {}) }
  const charged = (await settleAtMost(db, key, Math.max(0, priceOf(askedMs) - row.paid), details)) ?? 0
  return { charged, paid: Math.max(row.paid, Math.min(row.paid + charged, priceOf(transcribedMs(transcribed)))) }
}

export function clock(seconds: number): string {
  const whole = Math.round(seconds)
  const two = (n: number) => String(n).padStart(2, '0')
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}
