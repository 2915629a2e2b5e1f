import { and, asc, eq } from 'drizzle-orm'
import { recordingPrice } from '#contract/transcriptions.ts'
import type { Db } from '#server/db/client.ts'
import { models, type TranscribedPart, transcriptions } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound, priceRisenError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import type { Transcript } from '#server/llm/llm.ts'
import { balanceOf, extend, hold, settleAtMost } from '../billing/ledger.ts'
import type { ModelRow } from '../models/models.ts'
import type { TranscriptionDeps } from './deps.ts'
import type { Row } from './rows.ts'

/** The requested model, or the first visible one. */
export async function pickSpeechModel(ctx: Ctx, wanted: string | undefined): Promise<ModelRow> {
  const usable = await ctx.db
    .select()
    .from(models)
    .where(and(eq(models.hidden, false), eq(models.kind, 'transcription')))
    .orderBy(asc(models.position), asc(models.id))
  const model = wanted === undefined ? usable[0] : usable.find(({ id }) => id === wanted)
  if (model) return model
  throw wanted === undefined
    ? new AppError('unavailable', 'Расшифровка пока не подключена. Напишите в поддержку.')
    : notFound('Такой модели нет')
}

/** Rejects an empty balance before the upload instead of after it. */
export async function requireSymbols(ctx: Ctx): Promise<void> {
  const { availableTokens } = await balanceOf(ctx.db, ctx.user.id)
  if (availableTokens <= 0) throw new AppError('out_of_symbols', 'Закончились символы в подписке')
}

/** Speech rarely has a lower bit rate. Gives the upper bound of the length when a file does not state it. */
const MIN_BITS_PER_SECOND = 24_000

export const transcribedMs = (transcribed: readonly TranscribedPart[]) =>
  transcribed.reduce((sum, { ms = 0 }) => sum + ms, 0)

/** The length that the price is named and held for: the known one, or the longest that so many bytes can contain. */
export const namedSeconds = ({ durationMs, bytes }: Pick<Row, 'durationMs' | 'bytes'>): number =>
  durationMs === null ? (bytes * 8) / MIN_BITS_PER_SECOND : durationMs / 1000

/** What is paid for: the counted seconds; where none can be counted, what the service reports within the named ones. */
export const paidSeconds = (counted: number | null, reported: number | null, named: number): number =>
  counted ?? Math.min(reported || named, named)

/** Where a service names no length, the end of what it heard. */
export const reportedSeconds = ({ seconds, segments }: Pick<Transcript, 'seconds' | 'segments'>): number | null =>
  seconds ?? segments?.reduce((last, { end }) => Math.max(last, end), 0) ?? null

/** A decoder may play a little more than was counted before. */
const isWithin = (seconds: number, named: number) => seconds <= named * 1.02 + 2

/** The sound is longer than its header said when the price was named: its owner is asked before anything is sent. */
export class LongerThanNamedError extends AppError {
  readonly seconds: number

  constructor(seconds: number, named: number) {
    const [real, said] = [formatClock(seconds), formatClock(named)]
    super(
      'conflict',
      `Запись идёт ${real}, а в файле сказано ${said}. Ничего не списано. Если цена за всю запись подходит, нажмите «Повторить».`,
    )
    this.seconds = seconds
  }
}

export function checkNamed(row: Row, counted: number | null): void {
  const named = namedSeconds(row)
  if (counted !== null && !isWithin(counted, named)) throw new LongerThanNamedError(counted, named)
}

type Priced = Pick<Row, 'durationMs' | 'bytes' | 'paid'>
type Rated = Pick<ModelRow, 'minutePrice'>

const priceLeft = (row: Priced, { minutePrice }: Rated) =>
  Math.max(0, recordingPrice(namedSeconds(row), minutePrice ?? 0) - row.paid)

/** Browsers read the length from the header, which leaves out what encoders add at both ends. */
const isAsRead = (seconds: number, read: number) => read >= 1 && seconds <= read * 1.01 + 1

/** The length to charge for, so that the price is not above the named one. Throws where the page has to ask again. */
export function namedLength(row: Priced, model: Rated, most: number): number | null {
  if (priceLeft(row, model) <= most) return row.durationMs
  const read = Math.floor((most * 60) / (model.minutePrice ?? 1))
  if (row.durationMs !== null && isAsRead(row.durationMs / 1000, read)) return read * 1000
  throw dearerThanNamed(row, model, most)
}

export function assertNamedPrice(row: Priced, model: Rated, most = Number.POSITIVE_INFINITY): void {
  if (priceLeft(row, model) > most) throw dearerThanNamed(row, model, most)
}

function dearerThanNamed(row: Priced, model: Rated, most: number): AppError {
  const [price, named] = [priceLeft(row, model), most].map((symbols) => symbols.toLocaleString('ru-RU'))
  return priceRisenError(
    row.durationMs === null
      ? `Длину записи узнать не удалось: расшифровка может стоить до ${price} символов, а было названо ${named}. Ничего не списано.`
      : `Запись идёт ${formatClock(row.durationMs / 1000)}: расшифровка стоит ${price} символов, а было названо ${named}. Ничего не списано.`,
  )
}

export interface RecordingHold {
  key: string
  symbols: number
}

/** Holds the price before the work begins. An active hold of an earlier try is reused. */
export async function holdForRecording({ db }: TranscriptionDeps, row: Row, model: ModelRow): Promise<RecordingHold> {
  const symbols = priceLeft(row, model)
  if (row.hold && (await extend(db, row.hold, symbols)) === 'held') return { key: row.hold, symbols }
  const key = `transcription:${row.id}:${newId()}`
  await db.transaction(async (tx) => {
    // Lock order: the recording before the balance, as everywhere in this feature, so that no deadlock is possible.
    await tx
      .update(transcriptions)
      .set({ hold: key })
      .where(and(eq(transcriptions.id, row.id), eq(transcriptions.tries, row.tries)))
    const outcome = await hold(tx, { key, userId: row.userId, kind: 'transcription', symbols })
    if (outcome === 'held') return
    throw notEnoughSymbols(symbols, outcome === 'cap')
  })
  return { key, symbols }
}

const notEnoughSymbols = (symbols: number, isCap: boolean) =>
  new AppError(
    'out_of_symbols',
    isCap
      ? 'Достигнут ваш дневной предел. Измените его в профиле или подождите до завтра.'
      : `На эту запись не хватает символов: нужно ${symbols.toLocaleString('ru-RU')}.`,
  )

/**
 * Settles the hold of a stopped or deleted recording: the seconds sent to the provider are charged. `paid` is the part
 * of the charge that a retry does not pay again, because its text is stored or still being written.
 */
export async function settleStopped(db: Db, row: Row): Promise<{ charged: number; paid: number }> {
  const { hold: key, modelId, sentMs, transcribed, operation } = row
  if (!key) return { charged: 0, paid: row.paid }
  const [model] = await db
    .select({ minutePrice: models.minutePrice })
    .from(models)
    .where(eq(models.id, modelId ?? ''))
  const priceOf = (ms: number) => recordingPrice(ms / 1000, model?.minutePrice ?? 0)
  const note = `Остановлена: модели отправлено ${formatClock(sentMs / 1000)}`
  const details = { note, ...(modelId ? { modelId } : {}) }
  const charged = (await settleAtMost(db, key, Math.max(0, priceOf(sentMs) - row.paid), details)) ?? 0
  // The service still works on what it was sent, and a retry gets the result.
  const kept = operation ? sentMs : transcribedMs(transcribed)
  return { charged, paid: Math.max(row.paid, Math.min(row.paid + charged, priceOf(kept))) }
}

export function formatClock(seconds: number): string {
  const whole = Math.round(seconds)
  const two = (n: number) => String(n).padStart(2, '0')
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}
