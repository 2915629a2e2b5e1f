import { countSymbols, price, type Rates } from '#contract/billing.ts'
import type { Db } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { balanceOf, type ChargeDetails, extend, type Held, hold, type SpendKind, settle } from './ledger.ts'

export interface MeterOrder {
  /** The same key is charged once, however often it is tried. */
  key: string
  userId: string
  kind: SpendKind
  /** What the model is given, in symbols. */
  input: number
  rates: Rates
  details: ChargeDetails
}

/** Takes the first hold of an order. Who has rows to write with it gives its own, so that both stand or fall together. */
export type TakeHold = (symbols: number, leaseUntil: Date) => Promise<Held>

/** Lets something speak only as far as its listener can pay: what comes out is always covered by a hold. */
export interface Meter {
  /** How much can be said at most, when what is held is all there is; null while there may be more. */
  readonly limit: number | null
  /** As much of the next piece as is paid for; shorter than the piece when the symbols have run out. */
  cover: (piece: string) => Promise<string>
  /** What was said does not count: the answer failed and is not kept. */
  forget: () => void
  /** Somebody else answers: at his rates where they are lower, never at higher ones. */
  lower: (rates: Rates, modelId: string) => void
  /** Ends the hold: the input and what was said are charged, or nothing if nothing was said. */
  settle: (db?: Db) => Promise<{ charged: number }>
}

/** Symbols of answer that are held ahead. Large steps ask the database seldom, small ones leave more for parallel answers. */
const STEP = 1000
/** Longer than a provider may be silent, twice: a hold must not run out under an answer that is only slow. */
const LEASE_MS = 240_000
const RENEW_MS = 60_000

const lease = () => new Date(Date.now() + LEASE_MS)

export async function openMeter(db: Db, given: MeterOrder, takeHold: TakeHold = plainHold(db, given)): Promise<Meter> {
  const order = { ...given }
  const { key, input } = order
  const priceOf = (output: number) => price(input, output, order.rates)
  let limit: number | null = null
  let held = await firstHold(order)
  let said = 0
  let renewedAt = Date.now()

  async function reach(output: number): Promise<void> {
    const wanted = priceOf(output + STEP)
    renewedAt = Date.now()
    const outcome = await extend(db, key, wanted, lease())
    if (outcome === 'held') held = wanted
    else if (outcome === 'gone') throw new Error(`The hold ${key} is gone`)
    else held = await lastDrop(db, order, held, priceOf(output))
  }

  async function renew(): Promise<void> {
    renewedAt = Date.now()
    await extend(db, key, held, lease())
  }

  return {
    limit,
    cover: async (piece) => {
      const wanted = said + countSymbols(piece)
      if (priceOf(wanted) > held) await reach(wanted)
      else if (Date.now() - renewedAt > RENEW_MS) await renew()
      const covered = wholeLetters(piece.slice(0, affordable(held, order) - said))
      said += countSymbols(covered)
      return covered
    },
    forget: () => {
      said = 0
    },
    lower: (rates, modelId) => {
      order.rates = {
        inputRate: Math.min(order.rates.inputRate, rates.inputRate),
        outputRate: Math.min(order.rates.outputRate, rates.outputRate),
      }
      order.details = { ...order.details, modelId }
    },
    settle: async (settleIn = db) => {
      const charged = said === 0 ? 0 : priceOf(said)
      const outcome = await settle(settleIn, key, charged, { ...order.details, input, output: said, ...order.rates })
      // A hold that ran out was ended by the sweeper, for what was stored until then.
      return { charged: outcome === 'done' ? charged : 0 }
    },
  }

  /** A whole step ahead if it can be had, else whatever is left, if that buys at least one symbol of answer. */
  async function firstHold({ userId }: MeterOrder): Promise<number> {
    const ask = (symbols: number) => takeHold(symbols, lease())
    const outcome = await ask(priceOf(STEP))
    if (outcome === 'held') return priceOf(STEP)
    if (outcome === 'busy')
      throw new AppError('too_many_requests', 'Пишется слишком много ответов сразу. Дождитесь хотя бы одного.')
    if (outcome === 'repeated') throw new AppError('conflict', 'Этот запрос уже выполняется или выполнен.')
    const left = await reachable(db, userId)
    if (left < priceOf(1) || (await ask(left)) !== 'held') throw refusal(outcome)
    limit = affordable(left, order)
    return left
  }
}

const plainHold =
  (db: Db, { key, userId, kind }: MeterOrder): TakeHold =>
  (symbols, leaseUntil) =>
    hold(db, { key, userId, kind, symbols, leaseUntil })

/** When the next whole step cannot be held, what is left is: the answer ends with the last symbol, not before. */
async function lastDrop(db: Db, { key, userId }: MeterOrder, held: number, wanted: number): Promise<number> {
  const most = Math.min(held + (await reachable(db, userId)), wanted)
  return most > held && (await extend(db, key, most, lease())) === 'held' ? most : held
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
function wholeLetters(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text
}

function refusal(outcome: Held): AppError {
  return outcome === 'cap'
    ? new AppError('out_of_symbols', 'Достигнут ваш дневной предел. Измените его в профиле или подождите до завтра.')
    : new AppError('out_of_symbols', 'Закончились символы в подписке')
}
