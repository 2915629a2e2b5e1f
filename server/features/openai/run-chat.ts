import { eq } from 'drizzle-orm'
import { SYMBOLS_PER_TOKEN } from '#contract/models-admin.ts'
import type { Symbols } from '#contract/openai.ts'
import type { Db } from '#server/db/client.ts'
import { settings } from '#server/db/schema.ts'
import type { Publish } from '#server/http/context.ts'
import type { Instance } from '#server/instances/instance.ts'
import { retryWhileUnavailable } from '#server/instances/retry.ts'
import { newId } from '#server/lib/ids.ts'
import type { EndReason, Llm, LlmMessage, LlmRequest, LlmUsage } from '#server/llm/llm.ts'
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
import { type ChatRun, chargeOf, endedByFilter } from './charge.ts'
import { type ChatCall, inputSymbols } from './chat-request.ts'
import type { ChatEnd } from './chat-response.ts'
import { type AddressDeps, readRemoteImages } from './content.ts'
import { type ChatListener, createDelivery } from './deliver.ts'
import { badField } from './errors.ts'
import { cutAtStop } from './stop-words.ts'

export interface CallDeps extends AddressDeps {
  db: Db
  publish: Publish
  providers: Providers
  instance: Pick<Instance, 'id'>
}

export interface Caller {
  key: UsedKey
  /** Aborted when the client leaves. */
  left: AbortSignal
  /** Aborted when the server stops, and when the key is ended. */
  stops: AbortSignal
  /** Of a stream: null while the client keeps up, else settles when it has read what waits for it, or is gone. */
  ready?: (() => Promise<void> | null) | undefined
}

export interface ChatCaller extends Caller {
  /** The client gets the answer in one piece: one that leaves before the end has got nothing. */
  isWhole: boolean
}

/** Asks the model and delivers its answer as far as it is paid for. Nothing of the texts is stored. */
export async function runChat(
  deps: CallDeps,
  { key, left, stops, ready = () => null, isWhole }: ChatCaller,
  model: ModelRow,
  call: ChatCall,
  listener: ChatListener,
): Promise<ChatEnd> {
  const { db, providers, instance } = deps
  const { inputRate, outputRate, thoughtRate, cachedRate } = model
  const input = inputSymbols(call)
  checkLength(model, input)
  checkImages(call.messages)
  await readRemoteImages(deps, call.messages, key.userId, AbortSignal.any([left, stops]))
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
    ...{ model, call, listener, left, stops, ready, userId: key.userId },
  })
  const cached = cachedRate === null ? 0 : Math.min(input, (run.usage?.cachedTokens ?? 0) * SYMBOLS_PER_TOKEN)
  const hasStops = call.options.stop !== undefined
  const end = chargeOf(run, { hasLeft: left.aborted, isWhole, hasStops, thoughtRate })
  const { charged } = await meter.settle({ ...end, cached })
  deps.publish(key.userId, { topic: 'profile', type: 'balance', data: null })
  const sizes = { input, ...run.sent }
  const cost = costOfTokens(model, run.usage, { input, output: sizes.output + sizes.thought })
  const isCounted = run.usage !== null || sizes.output + sizes.thought > 0 || end.withoutOutput === 'stop'
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

/** As OpenAI does; each is encoded and sent for itself. */
const MAX_IMAGES = 500

function checkImages(messages: readonly LlmMessage[]): void {
  const count = messages.reduce((sum, { images = [] }) => sum + images.length, 0)
  if (count > MAX_IMAGES) throw badField('messages', `Картинок в запросе ${count}, а можно ${MAX_IMAGES}.`)
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
  ready: () => Promise<void> | null
  userId: string
}

async function streamPaid(llm: Llm, meter: Meter, paid: PaidCall): Promise<ChatRun> {
  const { model, call, listener, left, stops, ready, userId } = paid
  const enough = new AbortController()
  const signal = AbortSignal.any([left, stops, enough.signal])
  const run: ChatRun = {
    ...{ reason: 'stop', usage: null, hasRunOut: false, isInFlight: true, failure: null },
    ...{ sent: { output: 0, thought: 0 }, hiddenThought: 0 },
  }
  const stopWith = (reason: EndReason) => {
    run.reason = reason
    enough.abort()
  }
  const delivery = createDelivery(meter, listener, signal, {
    ready,
    onSlow: () => stopWith('length'),
    onRunOut: () => {
      run.hasRunOut = delivery.failure() === null
      stopWith('length')
    },
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
  } catch (error) {
    if (!enough.signal.aborted && !left.aborted) run.failure = { error }
  }
  // What might have begun a stop word is text of the answer when nothing follows.
  const rest = run.failure ? '' : words.rest()
  if (rest !== '') delivery.text(rest)
  await delivery.finish()
  left.removeEventListener('abort', delivery.close)
  run.failure ??= delivery.failure()
  run.hiddenThought = run.failure ? 0 : await holdHidden(meter, run.usage, signal)
  return endedByFilter({ ...run, sent: delivery.sent })
}

/** Thought that is counted and not shown, as far as the balance pays for it. */
async function holdHidden(meter: Meter, usage: LlmUsage | null, signal: AbortSignal): Promise<number> {
  const tokens = usage?.hiddenThoughtTokens ?? 0
  if (tokens === 0) return 0
  const shown = meter.thought()
  // The charge is cut to what is held.
  await meter.payForHidden(tokens * SYMBOLS_PER_TOKEN, signal).catch(() => undefined)
  return meter.thought() - shown
}

function requestOf({ model, call }: PaidCall, meter: Meter): LlmRequest {
  const thinking = call.thinking ?? 'usual'
  const ours = maxTokensWithin(model.maxOutputSymbols, meter.limit, model.thinks ? thoughtBudget[thinking] : 0)
  const maxTokens = Math.min(ours ?? Number.MAX_SAFE_INTEGER, call.maxTokens ?? Number.MAX_SAFE_INTEGER)
  return {
    ...{ model: model.providerModel, messages: call.messages, isOfProgram: true, ...call.options },
    ...(maxTokens < Number.MAX_SAFE_INTEGER && { maxTokens }),
    ...(model.thinks && { thinking }),
  }
}

export const symbolHeaders = ({ charged, left }: Symbols) => ({
  'x-symbols-charged': String(charged),
  'x-symbols-left': String(left),
})
