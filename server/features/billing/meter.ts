import { countSymbols, price, type Rates } from '#contract/billing.ts'
import type { Db } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { whileAway } from '#server/work/retry.ts'
import { balanceOf, type ChargeDetails, extend, type Held, hold, type SpendKind, settle, settleStop } from './ledger.ts'

export interface MeterOrder {
  /** The same key is charged once, however often it is tried. */
  key: string
  userId: string
  kind: SpendKind
  /** What the model is given, in symbols. */
  input: number
  rates: Rates
  details: ChargeDetails
  /** The process that runs it. */
  instance: string
}

/** Takes the first hold of an order. Who has rows to write with it gives its own, so that both stand or fall together. */
export type TakeHold = (symbols: number) => Promise<Held>

/** The hold was ended by somebody else: whoever worked under it was taken for dead. */
export class HoldExpired extends Error {}

/** Lets something speak only as far as its listener can pay: what comes out is always covered by a hold. */
export interface Meter {
  /** How much can be said at most, when what is held is all there is; null while there may be more. */
  readonly limit: number | null
  /**
   * As much of the next piece as is paid for; shorter than the piece when the symbols have run out. A database that is
   * away is waited for, until the signal.
   */
  cover: (piece: string, signal?: AbortSignal) => Promise<string>
  /** What was said does not count: the answer failed and is not kept. */
  forget: () => void
  /** Somebody else answers: at his rates where they are lower, never at higher ones. */
  lower: (rates: Rates, modelId: string) => void
  /**
   * Ends the hold: the input and what was said are charged. Nothing said is free, unless its owner stopped it after the
   * provider had been asked: that costs the input, but for the first stops of a day.
   */
  settle: (db?: Db, end?: MeterEnd) => Promise<{ charged: number; freeStop: number | null }>
}

export interface MeterEnd {
  /** Its owner stopped it before the first word, and the provider had been asked. */
  isEarlyStop: boolean
}

/** What the list of operations says of a charge without an answer. */
export const EARLY_STOP_NOTE = 'Вопрос отправлен модели, ответ остановлен до первого слова'

/** Symbols of answer that are held ahead. Large steps ask the database seldom, small ones leave more for parallel answers. */
const STEP = 1000
/** With so little left the next step is held already, while what is said goes on: a short absence of the database is not felt. */
const AHEAD = STEP / 2

export const lowerRates = (a: Rates, b: Rates): Rates => ({
  inputRate: Math.min(a.inputRate, b.inputRate),
  outputRate: Math.min(a.outputRate, b.outputRate),
})

export async function openMeter(db: Db, given: MeterOrder, takeHold: TakeHold = plainHold(db, given)): Promise<Meter> {
  const order = { ...given }
  const { key, input } = order
  const priceOf = (output: number) => price(input, output, order.rates)
  let limit: number | null = null
  let held = await firstHold(order)
  let said = 0
  let ahead: Promise<void> | null = null
  let isLast = limit !== null

  async function reach(output: number, signal: AbortSignal | undefined): Promise<void> {
    await ahead
    if (priceOf(output) <= held) return
    const wanted = priceOf(output + STEP)
    const outcome = await whileAway(() => extend(db, key, wanted), { signal })
    if (outcome === 'held') held = Math.max(held, wanted)
    else if (outcome === 'gone') throw new HoldExpired(`The hold ${key} is gone`)
    else held = await whileAway(() => lastDrop(db, order, held, priceOf(output)), { signal })
  }

  function reachAhead(signal: AbortSignal | undefined): void {
    if (ahead || isLast || affordable(held, order) - said > AHEAD) return
    const wanted = priceOf(said + STEP + AHEAD)
    ahead = whileAway(() => extend(db, key, wanted), { signal })
      .then((outcome) => {
        if (outcome === 'held') held = Math.max(held, wanted)
        else isLast = true
      })
      // Asked again when it is needed, and then whoever waits is told.
      .catch(() => {})
      .finally(() => {
        ahead = null
      })
  }

  return {
    limit,
    cover: async (piece, signal) => {
      const wanted = said + countSymbols(piece)
      if (priceOf(wanted) > held) await reach(wanted, signal)
      const covered = wholeCharacters(piece.slice(0, affordable(held, order) - said))
      said += countSymbols(covered)
      reachAhead(signal)
      return covered
    },
    forget: () => {
      said = 0
    },
    lower: (rates, modelId) => {
      order.rates = lowerRates(order.rates, rates)
      order.details = { ...order.details, modelId }
    },
    settle: async (settleIn = db, { isEarlyStop } = { isEarlyStop: false }) => {
      const details = { ...order.details, input, output: said, ...order.rates }
      // In a caller's transaction it is the caller who tries again.
      const attempt = <T>(end: () => Promise<T>) => (settleIn === db ? whileAway(end) : end())
      if (isEarlyStop && said === 0) {
        const noted = { ...details, note: EARLY_STOP_NOTE }
        const { charged, freeStop } = await attempt(() => settleStop(settleIn, key, priceOf(0), noted))
        return { charged: charged ?? 0, freeStop }
      }
      const charged = said === 0 ? 0 : priceOf(said)
      const outcome = await attempt(() => settle(settleIn, key, charged, details))
      return { charged: outcome === 'gone' ? 0 : charged, freeStop: null }
    },
  }

  /** A whole step ahead if it can be had, else whatever is left, if that buys at least one symbol of answer. */
  async function firstHold({ userId }: MeterOrder): Promise<number> {
    const outcome = await takeHold(priceOf(STEP))
    if (outcome === 'held') return priceOf(STEP)
    if (outcome === 'busy')
      throw new AppError('too_many_requests', 'Пишется слишком много ответов сразу. Дождитесь хотя бы одного.')
    if (outcome === 'repeated') throw new AppError('conflict', 'Этот запрос уже выполняется или выполнен.')
    const left = await reachable(db, userId)
    if (left < priceOf(1) || (await takeHold(left)) !== 'held') throw rejection(outcome)
    limit = affordable(left, order)
    return left
  }
}

const plainHold =
  (db: Db, { key, userId, kind, instance }: MeterOrder): TakeHold =>
  (symbols) =>
    hold(db, { key, userId, kind, symbols, instance })

/** When the next whole step cannot be held, what is left is: the answer ends with the last symbol, not before. */
async function lastDrop(db: Db, { key, userId }: MeterOrder, held: number, wanted: number): Promise<number> {
  const most = Math.min(held + (await reachable(db, userId)), wanted)
  return most > held && (await extend(db, key, most)) === 'held' ? most : held
}

/** What the balance and the day's own limit leave. */
async function reachable(db: Db, userId: string): Promise<number> {
  const { availableTokens, dailyCap, spentToday, held } = await balanceOf(db, userId)
  return dailyCap === null ? availableTokens : Math.min(availableTokens, Math.max(0, dailyCap - spentToday - held))
}

/** How many symbols of answer a hold pays for. */
export function affordable(held: number, { input, rates }: Pick<MeterOrder, 'input' | 'rates'>): number {
  if (rates.outputRate === 0) return Number.MAX_SAFE_INTEGER
  const guess = Math.floor((held - input * rates.inputRate) / rates.outputRate) + 1
  return price(input, guess, rates) <= held ? guess : guess - 1
}

/** The last symbol that is paid for may be the first half of an emoji; half of one is nothing. */
function wholeCharacters(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text
}

function rejection(outcome: Held): AppError {
  return outcome === 'cap'
    ? new AppError('out_of_symbols', 'Достигнут ваш дневной предел. Измените его в профиле или подождите до завтра.')
    : new AppError('out_of_symbols', 'Закончились символы в подписке')
}
