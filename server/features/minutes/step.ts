import { eq } from 'drizzle-orm'
import { countSymbols, price } from '#contract/billing.ts'
import type { Db } from '#server/db/client.ts'
import { ledger } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import type { Publish } from '#server/http/context.ts'
import type { Instance } from '#server/instances/instance.ts'
import { OwnershipLost } from '#server/instances/queue.ts'
import { retryWhileUnavailable } from '#server/instances/retry.ts'
import { storableText } from '#server/lib/storable.ts'
import { LlmError } from '#server/llm/errors.ts'
import { type LlmMessage, withoutThought } from '#server/llm/llm.ts'
import type { Providers } from '#server/llm/providers.ts'
import { guardShort, type MaskingSettings } from '../answers/masking.ts'
import { balanceOf, type ChargeDetails, release, settle } from '../billing/ledger.ts'
import {
  HoldExpired,
  type Meter,
  outOfSymbols,
  startMeter,
  streamWithinHold,
  wholeCharacters,
} from '../billing/meter.ts'
import type { ModelRow } from '../models/models.ts'
import { withRecordedCost } from '../models/side-costs.ts'
import { ratesOf } from './plan.ts'

export interface PaidStep<Result> {
  deps: { db: Db; publish: Publish; providers: Providers; instance: Pick<Instance, 'id'> }
  key: string
  userId: string
  model: ModelRow
  maskingSettings: MaskingSettings
  /** For the list of operations. */
  note: string
  /** The symbols that are charged as read. */
  input: number
  /** The most that may be written. */
  most: number
  request: LlmMessage[]
  /** Null for an answer that cannot be used. */
  read: (text: string) => Result | null
  /** What to ask once more, without a charge for the first answer. */
  repair?: (text: string) => LlmMessage[]
  /** Stores the result in the transaction that charges for it; it may run twice with the same values. */
  store: (tx: Db, result: Result, symbols: number) => Promise<void>
  onStored?: (result: Result, symbols: number) => void
}

/** One request to the model under one hold, charged together with storing its result, or not at all. */
export async function paidStep<Result>(step: PaidStep<Result>, signal: AbortSignal): Promise<Result> {
  const { deps, key, userId, model, input, note } = step
  const rates = ratesOf(model)
  const details: ChargeDetails = { modelId: model.id, note, input, ...rates }
  const meter = await startMeter(deps.db, {
    ...{ key, userId, kind: 'minutes', input, rates, details },
    instance: deps.instance.id,
  })
  try {
    const { text, result } = await askTwice(step, meter, signal)
    const output = countSymbols(text)
    const symbols = price(input, output, rates)
    const store = async (tx: Db) => {
      await step.store(tx, result, symbols)
      await settleOnce(tx, key, symbols, { ...details, output })
      publishBalance(deps.publish, userId)
    }
    await retryWhileUnavailable(() => deps.db.transaction(store))
    step.onStored?.(result, symbols)
    return result
  } catch (error) {
    await retryWhileUnavailable(() => release(deps.db, key))
    publishBalance(deps.publish, userId)
    // The hold was taken from this process, because it seemed dead.
    throw error instanceof HoldExpired ? new OwnershipLost() : error
  }
}

const publishBalance = (publish: Publish, userId: string) =>
  afterCommit(() => publish(userId, { topic: 'profile', type: 'balance', data: null }))

/** A repeat after a lost connection finds its entry; a hold that was released has none, and nothing is stored then. */
async function settleOnce(tx: Db, key: string, symbols: number, details: ChargeDetails): Promise<void> {
  if ((await settle(tx, key, symbols, details)) === 'done') return
  const [entry] = await tx
    .select({ id: ledger.id })
    .from(ledger)
    .where(eq(ledger.key, `hold:${key}`))
  if (!entry) throw new OwnershipLost()
}

async function askTwice<Result>(step: PaidStep<Result>, meter: Meter, signal: AbortSignal) {
  if (meter.limit !== null && meter.limit.output < LEAST_OUTPUT) throw await tooFew(step)
  const text = await ask(step, step.request, meter, signal)
  const result = step.read(text)
  if (result !== null) return { text, result }
  if (!step.repair) throw new LlmError('down', { reason: 'empty-summary' })
  meter.forget()
  const repaired = await ask(step, step.repair(text), meter, signal)
  const better = step.read(repaired)
  if (better === null) throw new LlmError('down', { reason: 'not-json' })
  return { text: repaired, result: better }
}

/** A balance that cannot pay for a short answer is refused before the model is asked. */
const LEAST_OUTPUT = 400

async function ask<Result>(
  { deps, model, maskingSettings, userId, most }: PaidStep<Result>,
  messages: LlmMessage[],
  meter: Meter,
  signal: AbortSignal,
): Promise<string> {
  const { db, providers } = deps
  let left = most
  let isShort = false
  const payFor: Meter['payFor'] = async (chunk, within) => {
    const wanted = wholeCharacters(chunk.slice(0, left))
    const paid = await meter.payFor(wanted, within)
    isShort ||= paid.length < wanted.length
    left -= paid.length
    return paid
  }
  const guarded = guardShort(providers, maskingSettings, model, providers.llm(model.provider))
  const llm = withRecordedCost(db, { kind: 'minutes', userId, model }, guarded)
  const request = { model: model.providerModel, messages, userId, ...withoutThought(model) }
  const { text, failure } = await streamWithinHold(llm, request, { ...meter, payFor }, { signal })
  signal.throwIfAborted()
  if (failure) throw failure
  if (isShort) throw await tooFew({ deps, userId })
  return storableText(text)
}

async function tooFew({ deps, userId }: Pick<PaidStep<unknown>, 'deps' | 'userId'>) {
  const { dailyCap, spentToday, held, availableTokens } = await balanceOf(deps.db, userId)
  const isCap = dailyCap !== null && dailyCap - spentToday - held < availableTokens
  return outOfSymbols(isCap ? 'cap' : 'short', 'Символы закончились. Пополните баланс и продолжите.')
}
