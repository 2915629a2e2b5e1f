import type { Symbols } from '#contract/openai.ts'
import { retryWhileUnavailable } from '#server/instances/retry.ts'
import { newId } from '#server/lib/ids.ts'
import {
  type ChargeDetails,
  extend,
  hold,
  release,
  type SpendKind,
  settleAtMost,
  settleStop,
} from '../billing/ledger.ts'
import { alreadyHeldError, outOfSymbols } from '../billing/meter.ts'
import { isKeyEnded } from './charge.ts'
import type { OpenAiError } from './errors.ts'
import { type CallDeps, type Caller, symbolsOf } from './run-chat.ts'

interface Work<T> {
  kind: SpendKind
  /** Held before the work. */
  symbols: number
  details: ChargeDetails
  /** Does the work and says what it cost. */
  run: (signal: AbortSignal) => Promise<{ result: T; cost: number; details?: ChargeDetails }>
}

/** The provider did the work, but what the caller asked for cannot be made of it: that counts as a stop. */
export class WastedWork extends Error {
  readonly refusal: OpenAiError

  constructor(refusal: OpenAiError) {
    super('The result of a provider is of no use to the caller')
    this.refusal = refusal
  }
}

/**
 * Work with a price known before: held first, charged at its end. A failure costs nothing. A client that leaves before
 * the result has the free stops of the day, like in a chat, and so has one whose key is ended meanwhile.
 */
export async function underHold<T>(
  { db, publish, instance }: CallDeps,
  { key, left, stops }: Caller,
  { kind, symbols, details, run }: Work<T>,
): Promise<{ result: T; symbols: Symbols }> {
  const held = `program:${newId()}`
  const { userId } = key
  const outcome = await hold(db, { key: held, userId, kind, symbols, instance: instance.id, apiKeyId: key.id })
  if (outcome === 'repeated') throw alreadyHeldError()
  if (outcome !== 'held') throw outOfSymbols(outcome)
  const end = async (settle: () => Promise<unknown>) => {
    await retryWhileUnavailable(settle)
    publish(userId, { topic: 'profile', type: 'balance', data: null })
  }
  try {
    const { result, cost, details: more } = await run(AbortSignal.any([left, stops]))
    let charged = 0
    await end(async () => {
      if (cost > symbols) await extend(db, held, cost)
      charged = (await settleAtMost(db, held, cost, { ...details, ...more })) ?? 0
    })
    return { result, symbols: await symbolsOf(db, key, charged) }
  } catch (error) {
    const hasKeyEnded = isKeyEnded(stops.reason)
    const isStop = left.aborted || hasKeyEnded || error instanceof WastedWork
    await end(() => (isStop ? settleStop(db, held, symbols, details) : release(db, held)))
    if (hasKeyEnded) throw stops.reason
    throw error instanceof WastedWork ? error.refusal : error
  }
}
