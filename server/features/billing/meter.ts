import { countSymbols, price, type Rates } from '#contract/billing.ts'
import { SYMBOLS_PER_TOKEN } from '#contract/models-admin.ts'
import type { Db } from '#server/db/client.ts'
import { retryWhileUnavailable } from '#server/instances/retry.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Llm, LlmRequest, LlmUsage, OnText } from '#server/llm/llm.ts'
import {
  balanceOf,
  type ChargeDetails,
  extend,
  type HoldOutcome,
  hold,
  leftOfKey,
  type SpendKind,
  settle,
  settleStop,
} from './ledger.ts'

export interface MeterParams {
  /** The same key is charged once, however often it is retried. */
  key: string
  userId: string
  kind: SpendKind
  input: number
  rates: Rates
  details: ChargeDetails
  /** The process that owns the hold. */
  instance: string
  /** At most this many holds of the kind at once. */
  most?: number
  /** The API key that asks: its caps count, and the ledger entry names it. */
  apiKeyId?: string
}

/** The first hold of a meter, in symbols of the balance. */
export interface FirstHold {
  held: number
  /** The hold takes everything that is left. */
  takesAll: boolean
}

export type DeliveredKind = 'output' | 'thought'

/** Another process has ended the hold, because it took this one for crashed. */
export class HoldExpired extends Error {}

/** Delivers output only as far as a hold covers it. */
export interface Meter {
  /** The most output and the most thought there can be, when the hold takes everything that is left; else null. */
  readonly limit: Record<DeliveredKind, number> | null
  /**
   * Returns the part of the text that is paid for: shorter than the text when the symbols have run out. Retries while
   * the database is unavailable, until the signal aborts.
   */
  payFor: (text: string, signal?: AbortSignal, as?: DeliveredKind) => Promise<string>
  /** The same without an `await`, which most text does not need; null when the hold must grow first. */
  payForNow: (text: string, signal?: AbortSignal, as?: DeliveredKind) => string | null
  /** Grows the hold by the price of thoughts that were counted but not shown, as far as the balance allows. */
  payForHidden: (symbols: number, signal?: AbortSignal) => Promise<void>
  /** The symbols of thought that are held, shown or not. */
  thought: () => number
  /** Drops the delivered output from the charge, because the answer failed. */
  forget: () => void
  /**
   * Called when the search has changed the prompt, before the model is asked: the hold grows to the new input. Throws
   * when the balance is too small.
   */
  change: (priced: { input: number; searchPrice: number }, signal?: AbortSignal) => Promise<void>
  /** A fallback model takes over: its rates apply where they are lower. */
  lower: (rates: Rates, modelId: string) => void
  /** Ends the hold and charges input, output and thought. */
  settle: (end?: MeterEnd) => Promise<{ charged: number; freeStop: number | null }>
}

export interface MeterEnd {
  /** What reached the reader; without it, everything that was paid for. */
  delivered?: Record<DeliveredKind, number>
  /**
   * What no output costs: nothing; as an early stop, the input after the free stops of the day; or input and thought.
   */
  withoutOutput?: 'free' | 'stop' | 'charged'
  /** Symbols of the input that the provider had cached. */
  cached?: number
}

export const EARLY_STOP_NOTE = 'Вопрос отправлен модели, ответ остановлен до первого слова'

/** Output symbols held in advance. Larger steps need fewer queries, smaller ones leave more for parallel answers. */
export const HOLD_STEP = 1000
/** Steps in advance grow with the answer up to this many times, as long as the balance allows it. */
export const MAX_HOLD_STEPS = 4
/** With less than this left, the next step is held in the background: a short outage does not stop the text. */
export const MIN_HELD_AHEAD = HOLD_STEP / 2

export const lowerRates = (a: Rates, b: Rates): Rates => ({
  inputRate: Math.min(a.inputRate, b.inputRate),
  outputRate: Math.min(a.outputRate, b.outputRate),
  thoughtRate: Math.min(a.thoughtRate ?? 0, b.thoughtRate ?? 0),
  cachedRate: lowerOf(a.cachedRate, b.cachedRate),
  ...(a.searchPrice && { searchPrice: a.searchPrice }),
})

const lowerOf = (a: number | null | undefined, b: number | null | undefined) =>
  a == null || b == null ? (a ?? b ?? null) : Math.min(a, b)

/** What is held and delivered under one key. */
export interface HoldState {
  input: number
  rates: Rates
  /** Held symbols of the balance. */
  held: number
  /** Delivered symbols. */
  output: number
  thought: number
  /** The balance has nothing more to hold in advance. */
  takesAll: boolean
  /** The balance has no larger steps to hold in advance. */
  isShort?: boolean
}

type DeliveredText = Pick<HoldState, 'input' | 'rates' | 'output' | 'thought'>

function priceWith(
  { input, rates, output, thought }: DeliveredText,
  more: number,
  as: DeliveredKind = 'output',
): number {
  return as === 'output'
    ? price(input, output + more, rates, { thought })
    : price(input, output, rates, { thought: thought + more })
}

/** The size the hold must grow to before `more` symbols are delivered; null when it covers them. */
export function nextHold(state: HoldState, more: number, as: DeliveredKind = 'output'): number | null {
  return priceWith(state, more, as) <= state.held ? null : priceWith(state, more + HOLD_STEP, as)
}

/** The size to grow the hold to in advance; null when enough is held or nothing more can be. */
export function holdAhead(state: HoldState, as: DeliveredKind = 'output'): number | null {
  if (state.takesAll || affordableSymbols(state, as) > MIN_HELD_AHEAD) return null
  return priceWith(state, stepAhead(state) + MIN_HELD_AHEAD, as)
}

/** A long answer will probably become longer, so the step is twice the text so far. */
function stepAhead({ output, thought, isShort = false }: HoldState): number {
  return isShort ? HOLD_STEP : Math.min(Math.max(HOLD_STEP, 2 * (output + thought)), MAX_HOLD_STEPS * HOLD_STEP)
}

export function affordableSymbols(state: DeliveredText & { held: number }, as: DeliveredKind = 'output'): number {
  const { input, output, thought, rates, held } = state
  const { inputRate, outputRate, thoughtRate = 0, searchPrice = 0 } = rates
  const rate = as === 'output' ? outputRate : thoughtRate
  if (rate === 0) return Number.MAX_SAFE_INTEGER
  const spent = input * inputRate + output * outputRate + thought * thoughtRate + searchPrice
  const guess = Math.max(0, Math.floor((held - spent) / rate) + 1)
  return guess > 0 && priceWith(state, guess, as) > held ? guess - 1 : guess
}

export const firstStep = ({ input, rates }: Pick<MeterParams, 'input' | 'rates'>) => price(input, HOLD_STEP, rates)

/** The size of the first hold when a whole step was not granted. Throws if it would buy no symbol of output. */
export async function remainingHold(
  db: Db,
  { userId, input, rates, apiKeyId }: Pick<MeterParams, 'userId' | 'input' | 'rates' | 'apiKeyId'>,
  outcome: HoldOutcome,
): Promise<number> {
  if (outcome === 'busy')
    throw new AppError('too_many_requests', 'Пишется слишком много ответов сразу. Дождитесь хотя бы одного.')
  if (outcome === 'repeated') throw alreadyHeldError()
  const rest = await availableTo(db, userId, apiKeyId)
  if (rest < price(input, 1, rates)) throw outOfSymbols(outcome)
  return rest
}

export async function startMeter(db: Db, params: MeterParams): Promise<Meter> {
  const { key, userId, kind, instance, most, apiKeyId = null } = params
  const owned = { key, userId, kind, instance, apiKeyId, ...(most !== undefined && { most }) }
  const step = firstStep(params)
  const outcome = await hold(db, { ...owned, symbols: step })
  if (outcome === 'held') return openMeter(db, params, { held: step, takesAll: false })
  const rest = await remainingHold(db, params, outcome)
  if ((await hold(db, { ...owned, symbols: rest })) !== 'held') throw outOfSymbols(outcome)
  return openMeter(db, params, { held: rest, takesAll: true })
}

/** Opens a meter on a hold that was taken already. */
export function openMeter(db: Db, params: MeterParams, first: FirstHold): Meter {
  const { key, input, rates, details } = params
  const state: HoldState = { input, rates, held: first.held, output: 0, thought: 0, takesAll: first.takesAll }
  let chargeDetails = details
  let extending: Promise<void> | null = null

  async function extendTo(more: number, as: DeliveredKind, signal: AbortSignal | undefined): Promise<void> {
    await extending
    const size = nextHold(state, more, as)
    if (size === null) return
    const outcome = await retryWhileUnavailable(() => extend(db, key, size), { signal })
    if (outcome === 'held') state.held = Math.max(state.held, size)
    else if (outcome === 'gone') throw new HoldExpired(`The hold ${key} is gone`)
    else if (outcome === 'key_off') throw outOfSymbols(outcome)
    else
      state.held = await retryWhileUnavailable(() => extendByRest(db, params, state, priceWith(state, more, as)), {
        signal,
      })
  }

  function extendAhead(as: DeliveredKind, signal: AbortSignal | undefined): void {
    const size = extending === null ? holdAhead(state, as) : null
    if (size === null) return
    const isLarge = stepAhead(state) > HOLD_STEP
    extending = retryWhileUnavailable(() => extend(db, key, size), { signal })
      .then((outcome) => {
        if (outcome === 'held') state.held = Math.max(state.held, size)
        else if (isLarge) state.isShort = true
        else state.takesAll = true
      })
      // `extendTo` tries again when the text needs it, and reports the error.
      .catch(() => {})
      .finally(() => {
        extending = null
      })
  }

  function take(text: string, signal: AbortSignal | undefined, as: DeliveredKind): string {
    const paid = wholeCharacters(text.slice(0, affordableSymbols(state, as)))
    state[as] += countSymbols(paid)
    extendAhead(as, signal)
    return paid
  }

  return {
    get limit() {
      return state.takesAll ? { output: affordableSymbols(state), thought: affordableSymbols(state, 'thought') } : null
    },
    payFor: async (text, signal, as = 'output') => {
      const more = countSymbols(text)
      if (nextHold(state, more, as) !== null) await extendTo(more, as, signal)
      return take(text, signal, as)
    },
    payForNow: (text, signal, as = 'output') =>
      nextHold(state, countSymbols(text), as) === null ? take(text, signal, as) : null,
    payForHidden: async (symbols, signal) => {
      if (nextHold(state, symbols, 'thought') !== null) await extendTo(symbols, 'thought', signal)
      state.thought += Math.min(symbols, affordableSymbols(state, 'thought'))
    },
    thought: () => state.thought,
    forget: () => {
      state.output = 0
      state.thought = 0
    },
    change: async ({ input, searchPrice }, signal) => {
      state.input = input
      state.rates = { ...state.rates, searchPrice }
      if (nextHold(state, 1) !== null) await extendTo(1, 'output', signal)
      if (priceWith(state, 1) > state.held) throw outOfSymbols('short', TOO_SHORT_FOR_PAGES)
    },
    lower: (lower, modelId) => {
      state.rates = lowerRates(state.rates, lower)
      chargeDetails = { ...chargeDetails, modelId }
    },
    settle: async ({ delivered, withoutOutput = 'free', cached = 0 } = {}) => {
      const { input, output: paid, thought: paidThought } = state
      const { output, thought } = delivered ?? { output: paid, thought: paidThought }
      const extras = { ...(thought > 0 && { thought }), ...(cached > 0 && { cached }) }
      const charge = { ...chargeDetails, input, output, ...state.rates, ...extras }
      const cost = price(input, output, state.rates, extras)
      if (output === 0 && withoutOutput === 'stop') {
        const noted = { ...charge, note: EARLY_STOP_NOTE }
        const stopped = await retryWhileUnavailable(() => settleStop(db, key, cost, noted))
        return { charged: stopped.charged ?? 0, freeStop: stopped.freeStop }
      }
      const charged = output === 0 && withoutOutput === 'free' ? 0 : cost
      const outcome = await retryWhileUnavailable(() => settle(db, key, charged, charge))
      return { charged: outcome === 'gone' ? 0 : charged, freeStop: null }
    },
  }
}

/** Holds what is left when a whole step is not granted, so that the text ends with the last paid symbol. */
async function extendByRest(
  db: Db,
  { key, userId, apiKeyId }: Pick<MeterParams, 'key' | 'userId' | 'apiKeyId'>,
  state: HoldState,
  wanted: number,
): Promise<number> {
  const most = Math.min(state.held + (await availableTo(db, userId, apiKeyId)), wanted)
  return most > state.held && (await extend(db, key, most)) === 'held' ? most : state.held
}

async function availableTo(db: Db, userId: string, apiKeyId: string | undefined): Promise<number> {
  const { availableTokens, dailyCap, spentToday, held } = await balanceOf(db, userId)
  const ofKey = apiKeyId === undefined ? null : await leftOfKey(db, apiKeyId)
  const ofDay = dailyCap === null ? availableTokens : Math.max(0, dailyCap - spentToday - held)
  return Math.min(availableTokens, ofDay, ofKey ?? availableTokens)
}

/** Without a lone first half of a surrogate pair at the end. */
export function wholeCharacters(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text
}

export const alreadyHeldError = () => new AppError('conflict', 'Этот запрос уже выполняется или выполнен.')

const TOO_SHORT_FOR_PAGES =
  'Символов не хватает на ответ с прочитанными страницами. Отправьте вопрос без поиска или пополните баланс.'

const rejections: Partial<Record<HoldOutcome, string>> = {
  cap: 'Достигнут ваш дневной предел. Измените его в профиле или подождите до завтра.',
  key_day: 'Достигнут дневной предел этого ключа API. Измените его в профиле или подождите до завтра.',
  key_month: 'Достигнут месячный предел этого ключа API. Измените его в профиле или подождите до нового месяца.',
}

export function outOfSymbols(outcome: HoldOutcome, whenShort = 'Закончились символы в подписке'): AppError {
  if (outcome === 'key_off') return new AppError('unauthorized', 'Ключ API отключён.')
  return new AppError('out_of_symbols', rejections[outcome] ?? whenShort)
}

/** Thoughts of a short call are not shown, so all of them are counted from the usage. */
async function payForThought(meter: Meter, usage: LlmUsage | null, signal: AbortSignal): Promise<void> {
  const tokens = usage?.thoughtTokens ?? 0
  if (tokens > 0) await meter.payForHidden(tokens * SYMBOLS_PER_TOKEN, signal)
}

const MAX_MS = 180_000

interface Reader {
  /** Aborted when the reader leaves; the text delivered until then is charged. */
  signal?: AbortSignal
  /** Receives the paid text as it comes. */
  onText?: OnText
}

/** Streams a model's text as far as it is paid for. A failure is returned, because the meter must be settled first. */
export async function streamWithinHold(
  llm: Llm,
  request: LlmRequest,
  meter: Meter,
  { signal: left, onText }: Reader = {},
): Promise<{ text: string; failure: unknown; isEarlyStop: boolean }> {
  const enough = new AbortController()
  let text = ''
  let isInFlight = true
  let paying = Promise.resolve()
  const hasEnough = () => enough.signal.aborted || left?.aborted === true
  const signal = AbortSignal.any([AbortSignal.timeout(MAX_MS), enough.signal, ...(left ? [left] : [])])
  const pay = async (chunk: string) => {
    if (hasEnough()) return
    const paid = await meter.payFor(chunk, signal)
    text += paid
    onText?.(paid)
    if (paid.length < chunk.length) enough.abort()
  }
  let failure: unknown = null
  try {
    const onInFlight = (now: boolean) => {
      if (!signal.aborted) isInFlight = now
    }
    const { usage } = await llm({ ...request, onInFlight }, signal, (chunk) => {
      paying = paying.then(() => pay(chunk))
    })
    await paying
    await payForThought(meter, usage, signal)
  } catch (error) {
    failure = error
  }
  await paying.catch((error: unknown) => {
    failure = error
  })
  const isEarlyStop = left?.aborted === true && text === '' && isInFlight
  return { text, failure: hasEnough() ? null : failure, isEarlyStop }
}
