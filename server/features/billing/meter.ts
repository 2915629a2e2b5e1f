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

/** Lets something speak only as far as its listener can pay: what comes out is always covered by a hold. */
export interface Meter {
  /** As much of the next piece as is paid for; shorter than the piece when the symbols have run out. */
  cover: (piece: string) => Promise<string>
  /** What was said does not count: the answer failed and is not kept. */
  forget: () => void
  /** Ends the hold: the input and what was said are charged, or nothing if nothing was said. */
  settle: () => Promise<{ charged: number }>
}

/** Symbols of answer that are held ahead. Large steps ask the database seldom, small ones leave more for parallel answers. */
const STEP = 1000
/** Longer than a provider may be silent, twice: a hold must not run out under an answer that is only slow. */
const LEASE_MS = 240_000
const RENEW_MS = 60_000

const lease = () => new Date(Date.now() + LEASE_MS)

export async function openMeter(db: Db, order: MeterOrder): Promise<Meter> {
  const { key, kind, input, rates } = order
  const priceOf = (output: number) => price(input, output, rates)
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
    settle: async () => {
      const charged = said === 0 ? 0 : priceOf(said)
      const outcome = await settle(db, key, charged, { ...order.details, input, output: said, ...rates })
      // A hold that ran out was ended by the sweeper, in the payer's favour.
      return { charged: outcome === 'gone' ? 0 : charged }
    },
  }

  /** A whole step ahead if it can be had, else whatever is left, if that buys at least one symbol of answer. */
  async function firstHold({ userId }: MeterOrder): Promise<number> {
    const ask = (symbols: number) => hold(db, { key, userId, kind, symbols, leaseUntil: lease() })
    const outcome = await ask(priceOf(STEP))
    if (outcome === 'held') return priceOf(STEP)
    if (outcome === 'repeated') throw new AppError('conflict', 'Этот запрос уже выполняется или выполнен.')
    const left = await reachable(db, userId)
    if (left >= priceOf(1) && (await ask(left)) === 'held') return left
    throw refusal(outcome)
  }
}

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
