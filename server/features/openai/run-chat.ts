import { eq } from 'drizzle-orm'
import { SYMBOLS_PER_TOKEN } from '#contract/models-admin.ts'
import type { Symbols } from '#contract/openai.ts'
import type { Db } from '#server/db/client.ts'
import { settings } from '#server/db/schema.ts'
import type { Publish } from '#server/http/context.ts'
import type { Instance } from '#server/instances/instance.ts'
import { retryWhileUnavailable } from '#server/instances/retry.ts'
import { newId } from '#server/lib/ids.ts'
import type { EndReason, Llm, LlmRequest, LlmUsage } from '#server/llm/llm.ts'
import type { Providers } from '#server/llm/providers.ts'
import { thoughtBudget } from '../answers/answer-plan.ts'
import { type MaskingSettings, openMasking } from '../answers/masking.ts'
import { inputLimit } from '../answers/prompt.ts'
import { maxTokensWithin } from '../answers/text-answer.ts'
import type { UsedKey } from '../api-keys/find-key.ts'
import { balanceOf } from '../billing/ledger.ts'
import { type Meter, startMeter } from '../billing/meter.ts'
import { costOfTokens, type ModelRow } from '../models/models.ts'
import { recordSideCost } from '../models/side-costs.ts'
import type { FetchPage } from '../web-search/read-pages.ts'
import { type ChatCall, inputSymbols } from './chat-request.ts'
import type { ChatEnd } from './chat-response.ts'
import { readRemoteImages } from './content.ts'
import { type ChatListener, createDelivery } from './deliver.ts'
import { badField } from './errors.ts'
import { cutAtStop } from './stop-words.ts'

export interface CallDeps {
  db: Db
  publish: Publish
  providers: Providers
  instance: Pick<Instance, 'id'>
  /** Absent without the feature that reads pages. */
  fetchPage?: FetchPage | undefined
}

export interface Caller {
  key: UsedKey
  /** Aborted when the client leaves. */
  left: AbortSignal
  /** Aborted when the server stops. */
  stops: AbortSignal
}

/**
 * Asks the model and delivers its answer as far as it is paid for. A failure costs nothing; a client that leaves pays
 * for what was sent to it. Nothing of the texts is stored.
 */
export async function runChat(
  deps: CallDeps,
  { key, left, stops }: Caller,
  model: ModelRow,
  call: ChatCall,
  listener: ChatListener,
): Promise<ChatEnd> {
  const { db, providers, instance } = deps
  const { inputRate, outputRate, thoughtRate, cachedRate } = model
  const input = inputSymbols(call)
  checkLength(model, input)
  await readRemoteImages(call.messages, deps.fetchPage, AbortSignal.any([left, stops]))
  const masking = openMasking(providers, await maskingOf(db, key), call.messages)
  const meter = await startMeter(db, {
    key: `program:${newId()}`,
    userId: key.userId,
    kind: 'answer',
    input,
    rates: { inputRate, outputRate, thoughtRate, cachedRate },
    details: { modelId: model.id },
    instance: instance.id,
    apiKeyId: key.id,
  })
  const run = await streamPaid(masking.guard(model, providers.llm(model.provider)), meter, {
    ...{ model, call, listener, left, stops, userId: key.userId },
  })
  if (run.failure) meter.forget()
  const cached = cachedRate === null ? 0 : Math.min(input, (run.usage?.cachedTokens ?? 0) * SYMBOLS_PER_TOKEN)
  const paysThought = run.reason === 'length' || (left.aborted && thoughtRate > 0)
  const { charged } = await meter.settle({
    isEarlyStop: left.aborted && run.isInFlight && !(paysThought && run.sent.thought > 0),
    paysThought,
    cached,
  })
  deps.publish(key.userId, { topic: 'profile', type: 'balance', data: null })
  const sizes = { input, ...run.sent }
  const cost = costOfTokens(model, run.usage, { input, output: sizes.output + sizes.thought })
  const isCounted = run.usage !== null || sizes.output > 0
  const recorded = isCounted && recordSideCost(db, { kind: 'answer', userId: key.userId, model }, cost)
  if (run.failure) {
    await recorded
    throw run.failure.error
  }
  const [symbols] = await Promise.all([symbolsOf(db, key, charged, run.hasRunOut), recorded])
  return { reason: run.reason, usage: run.usage, sizes, symbols }
}

function checkLength(model: ModelRow, input: number): void {
  const most = inputLimit(model)
  if (input > most)
    throw badField(
      'messages',
      `Запрос не помещается в модель: в нём ${input} символов, а можно ${most}. Сократите его.`,
      'context_length_exceeded',
    )
}

/** The key decides whether personal data is masked; the names are those of its owner. */
export async function maskingOf(db: Db, { userId, maskPersonal }: UsedKey): Promise<MaskingSettings> {
  if (!maskPersonal) return null
  const { maskedNames } = settings
  const [row] = await db.select({ maskedNames }).from(settings).where(eq(settings.userId, userId))
  return { names: row?.maskedNames ?? [] }
}

export async function symbolsOf(db: Db, { userId }: UsedKey, charged: number, hasRunOut = false): Promise<Symbols> {
  // The call is already charged, so it must not fail here.
  const { availableTokens } = await retryWhileUnavailable(() => balanceOf(db, userId))
  return { charged, left: availableTokens, ...(hasRunOut && { stopped: 'balance' as const }) }
}

interface PaidCall {
  model: ModelRow
  call: ChatCall
  listener: ChatListener
  left: AbortSignal
  stops: AbortSignal
  userId: string
}

interface PaidRun {
  reason: EndReason
  usage: LlmUsage | null
  sent: { output: number; thought: number }
  hasRunOut: boolean
  isInFlight: boolean
  failure: { error: unknown } | null
}

async function streamPaid(llm: Llm, meter: Meter, paid: PaidCall): Promise<PaidRun> {
  const { model, call, listener, left, stops, userId } = paid
  const enough = new AbortController()
  const signal = AbortSignal.any([left, stops, enough.signal])
  const run: PaidRun = {
    ...{ reason: 'stop', usage: null, hasRunOut: false, isInFlight: true, failure: null },
    sent: { output: 0, thought: 0 },
  }
  const stopWith = (reason: EndReason) => {
    run.reason = reason
    enough.abort()
  }
  const delivery = createDelivery(meter, listener, signal, () => {
    run.hasRunOut = delivery.failure() === null
    stopWith('length')
  })
  left.addEventListener('abort', delivery.close, { once: true })
  const words = cutAtStop(call.options.stop)
  const most = model.maxOutputSymbols ?? Number.MAX_SAFE_INTEGER
  let received = 0
  const onText = (chunk: string) => {
    // No retry follows the first text, so large messages can be freed.
    call.messages.length = 0
    const text = words.push(chunk.slice(0, most - received))
    received += chunk.length
    if (text !== '') delivery.text(text)
    if (words.isStopped()) stopWith('stop')
    else if (received >= most) stopWith('length')
  }
  try {
    const end = await llm(
      {
        ...requestOf(paid, meter),
        userId,
        onThought: delivery.thought,
        onTool: delivery.tool,
        onInFlight: (now) => {
          if (!signal.aborted) run.isInFlight = now
        },
      },
      signal,
      onText,
    )
    if (!enough.signal.aborted) run.reason = end.reason
    run.usage = end.usage
    const rest = words.rest()
    if (rest !== '') delivery.text(rest)
    await delivery.finish()
    await meter.payForHidden((end.usage?.hiddenThoughtTokens ?? 0) * SYMBOLS_PER_TOKEN, signal)
  } catch (error) {
    await delivery.finish()
    if (!enough.signal.aborted && !left.aborted) run.failure = { error }
  }
  left.removeEventListener('abort', delivery.close)
  run.failure ??= delivery.failure()
  return { ...run, sent: delivery.sent }
}

function requestOf({ model, call }: PaidCall, meter: Meter): LlmRequest {
  const thinking = call.thinking ?? 'usual'
  const ours = maxTokensWithin(model.maxOutputSymbols, meter.limit, model.thinks ? thoughtBudget[thinking] : 0)
  const maxTokens = Math.min(ours ?? Number.MAX_SAFE_INTEGER, call.maxTokens ?? Number.MAX_SAFE_INTEGER)
  return {
    ...{ model: model.providerModel, messages: call.messages, ...call.options },
    ...(maxTokens < Number.MAX_SAFE_INTEGER && { maxTokens }),
    ...(model.thinks && { thinking }),
  }
}

export const symbolHeaders = ({ charged, left }: Symbols) => ({
  'x-symbols-charged': String(charged),
  'x-symbols-left': String(left),
})
