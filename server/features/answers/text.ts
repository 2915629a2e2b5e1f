import { eq } from 'drizzle-orm'
import { countSymbols, type PricedExtras, price } from '#contract/billing.ts'
import type { Thinking } from '#contract/models.ts'
import { SYMBOLS_PER_TOKEN } from '#contract/models-admin.ts'
import { toWebOptions, webSymbols } from '#contract/web-search.ts'
import type { Db } from '#server/db/client.ts'
import { type AnswerRun, models } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { newId } from '#server/lib/ids.ts'
import { LlmError } from '#server/llm/errors.ts'
import type { LlmEnd, LlmMessage, LlmUsage, OnText } from '#server/llm/llm.ts'
import type { Providers } from '#server/llm/providers.ts'
import { retryWhileUnavailable } from '#server/work/retry.ts'
import type { Settlement } from '../billing/ledger.ts'
import {
  type FirstHold,
  firstStep,
  lowerRates,
  type Meter,
  type MeterOrder,
  openMeter,
  outOfSymbols,
  restToHold,
} from '../billing/meter.ts'
import { isInCountry } from '../models/countries.ts'
import { costOfTokens, type ModelRow } from '../models/models.ts'
import { recordSideCost, withRecordedCost } from '../models/side-costs.ts'
import type { MessageRow } from '../threads/message-rows.ts'
import type { NumberedWebPassage } from '../web-search/choose.ts'
import { searchNote, type WebDeps } from '../web-search/deps.ts'
import { findInWeb } from '../web-search/find-in-web.ts'
import { storedPassages } from '../web-search/quotes.ts'
import type { AnswerContext } from './context.ts'
import { chargeFor, earlyStop, joinNotes } from './finish.ts'
import { guardShort, type MaskingSettings, type Masking, openMasking, withoutMasked } from './masking.ts'
import {
  type CitedPassage,
  composePrompt,
  type FindPassages,
  freshPassages,
  type Prompt,
  type PromptOrder,
  samePassages,
  webLimit,
} from './prompt.ts'
import { changeModel, type EndedRow, endRun, storeFindings } from './rows.ts'
import { type AnswerEnd, type AnswerKind, endEarly, enterStage, type RunState, type WriteListener } from './run.ts'
import { type AnswerInput, type AnswerOwner, type AskedWeb, runMarks, type StartedAnswer, storeStart } from './start.ts'

export interface TextDeps {
  providers: Providers
  findPassages: FindPassages
  web: WebDeps
}

/** Builds the prompt, takes the first hold together with the rows, and opens the meter. */
export async function startText(
  ctx: Ctx,
  { providers, findPassages, web }: TextDeps,
  context: AnswerContext,
  asked: AnswerInput,
  { messageId, instance }: AnswerOwner,
): Promise<StartedAnswer> {
  const { model, threadId } = context
  const { continued, promptInput } = asked
  const { contextSymbols, maxOutputSymbols } = model
  const instructions = context.assistant?.instructions ?? ''
  const options = (!continued && asked.web) || null
  const promptOrder = {
    ...{ ...promptInput, instructions, personal: context.personal, contextSymbols, maxOutputSymbols },
    ...(options && { webSymbols: webSymbols(toWebOptions(options)) }),
  }
  const maskingSettings = asked.asIs ? null : context.maskingSettings
  const passages = await passagesFor(ctx, findPassages, { ...context, maskingSettings }, continued, promptOrder)
  const stored = continued ? await storedPassages(ctx.db, continued.id) : []
  const prompt = composePrompt({ ...promptOrder, passages, web: stored })
  const { inputRate, outputRate, thoughtRate, cachedRate } = model
  const rates = { inputRate, outputRate, thoughtRate, cachedRate }
  const run: AnswerRun = {
    hold: `answer:${messageId}:${newId()}`,
    offset: continued?.content.length ?? 0,
    input: prompt.input,
    ...rates,
    ...(continued?.thought && { thoughtOffset: continued.thought.length }),
    ...runMarks(context, asked),
  }
  const fallback = await fallbackOf(ctx, model, (other) =>
    isInCountry(providers, context.assistant?.country ?? null, other),
  )
  const order: MeterOrder = {
    key: run.hold,
    userId: ctx.user.id,
    kind: 'answer',
    input: prompt.input,
    // The price of the search is held from the start, so that it can be charged; dropped when nothing is found.
    rates: { ...rates, ...(options?.search && { searchPrice: web.price }) },
    details: { modelId: model.id, threadId, messageId },
    instance,
  }
  // The text so far may cite passages that no longer exist, so a continued answer keeps its citations.
  const citations = continued?.citations ?? prompt.citations
  const masking = openMasking(providers, maskingSettings, prompt.messages, promptInput.question.content)
  const masked = await masking.maskedFor(model)
  const draft = {
    ...{ id: messageId, kind: 'answer' as const, run, parts: prompt.parts, citations, masked, instance },
    web: options && { query: null, hasFound: false, price: 0, unread: [], asked: options, pending: true as const },
  }
  let first: FirstHold = { held: firstStep(order), isRest: false }
  let { outcome, rows } = await storeStart(ctx, context, asked, draft, first.held)
  if (outcome !== 'held') {
    first = { held: await restToHold(ctx.db, order, outcome), isRest: true }
    const rest = await storeStart(ctx, context, asked, draft, first.held)
    if (rest.outcome !== 'held') throw outOfSymbols(outcome)
    rows = rest.rows
  }
  const meter = openMeter(ctx.db, order, first)
  const thinking = model.thinks ? (asked.thinking ?? 'usual') : undefined
  const maxTokens = () => maxTokensWithin(maxOutputSymbols, meter.limit, thoughtTokens(thinking, asked.mayThinkMore))
  const call = {
    ...{ model, fallback, messages: prompt.messages, maxTokens: maxTokens(), thinking, userId: ctx.user.id },
    isByAdmin: ctx.user.role === 'admin',
    masking,
  }
  const compose = (found: readonly NumberedWebPassage[]) => composePrompt({ ...promptOrder, passages, web: found })
  const reading = options && { options, web, compose, maxTokens, order: promptOrder, before: passages.length, maskingSettings }
  const kind = textAnswer(ctx.db, providers, { call, meter, run, threadId, messageId, reading })
  return { run, kind, maxOutputSymbols, rows }
}

async function passagesFor(
  ctx: Ctx,
  find: FindPassages,
  { assistant, maskingSettings }: AnswerContext,
  continued: MessageRow | null,
  order: Omit<PromptOrder, 'passages'>,
): Promise<CitedPassage[]> {
  if (!assistant) return []
  return continued?.citations
    ? samePassages(ctx.db, assistant.id, continued.citations)
    : freshPassages(ctx, find, assistant.id, order, maskingSettings)
}

async function fallbackOf({ db }: Ctx, { fallbackId }: ModelRow, mayAnswer: (model: ModelRow) => boolean) {
  if (fallbackId === null) return null
  const [fallback] = await db.select().from(models).where(eq(models.id, fallbackId))
  return fallback && mayAnswer(fallback) ? fallback : null
}

/** How many tokens a model may think beyond the length of its answer. */
const thoughtBudget: Record<Thinking, number> = { none: 0, usual: 8000, more: 16_000, most: 32_000 }

const thoughtTokens = (thinking: Thinking | undefined, mayThinkMore = false) =>
  thinking === undefined ? 0 : thoughtBudget[thinking] * (mayThinkMore ? 2 : 1)

/**
 * The limit of the request. A token is seldom shorter than a symbol, so as many tokens as symbols are always enough for
 * the answer; the tokens of thought come on top, at most as many as the hold pays for.
 */
export function maxTokensWithin(
  maxOutputSymbols: number | null,
  limit: Meter['limit'],
  thought: number,
): number | undefined {
  const output = Math.min(maxOutputSymbols ?? Number.MAX_SAFE_INTEGER, limit?.output ?? Number.MAX_SAFE_INTEGER)
  if (output === Number.MAX_SAFE_INTEGER) return undefined
  const paidThought = Math.floor((limit?.thought ?? Number.MAX_SAFE_INTEGER) / SYMBOLS_PER_TOKEN)
  return Math.max(1, output) + Math.min(thought, paidThought)
}

/** What is done on the web before the model is asked. */
interface WebReading {
  options: AskedWeb
  web: WebDeps
  order: Omit<PromptOrder, 'passages' | 'web'>
  /** The number of file passages, after which web passages are numbered. */
  before: number
  compose: (found: readonly NumberedWebPassage[]) => Prompt
  /** The token limit that the current hold pays for. */
  maxTokens: () => number | undefined
  maskingSettings: MaskingSettings
}

interface TextAnswer {
  reading: WebReading | null
  call: ModelCall
  meter: Meter
  run: AnswerRun
  threadId: string
  messageId: string
}

function textAnswer(db: Db, providers: Providers, answer: TextAnswer): AnswerKind {
  const { call, meter, run, messageId } = answer
  return {
    get model() {
      return call.model
    },
    storesChunks: true,
    write: async (state, listener) => {
      if (answer.reading) await readWeb(db, providers, answer, answer.reading, state)
      const onFallback = async (model: ModelRow) => {
        const lowered = { ...run, ...lowerRates(run, model) }
        const { signal } = state.stopRetries
        const masked = (await call.masking?.maskedFor(model)) ?? null
        const isOurs = await retryWhileUnavailable(() => changeModel(db, messageId, lowered, model.id, masked), {
          signal,
        })
        if (!isOurs) return endEarly(state, 'lost')
        Object.assign(run, lowered)
        call.model = model
        meter.lower(model, model.id)
      }
      return askModel(providers, call, state.abort.signal, { ...listener, onFallback })
    },
    cover: meter.cover,
    coverNow: meter.coverNow,
    coverHidden: (usage, signal) => meter.coverHidden((usage?.hiddenThoughtTokens ?? 0) * SYMBOLS_PER_TOKEN, signal),
    settle: (settleIn, end) => settleText(settleIn, answer, end),
  }
}

/** Searches and reads pages, then adds the findings to the prompt, to the hold and to the stored row. */
async function readWeb(
  db: Db,
  providers: Providers,
  { call, meter, run, messageId }: TextAnswer,
  { options, web, order, before, compose, maxTokens, maskingSettings }: WebReading,
  state: RunState,
): Promise<void> {
  const { provider, providerModel, thinks } = call.model
  const { passages, query, found, unread } = await findInWeb(
    db,
    web,
    {
      question: order.question.content,
      history: order.history,
      ...toWebOptions(options),
      maskedNames: maskingSettings?.names ?? [],
      most: webLimit(order),
      model: {
        llm: withRecordedCost(
          db,
          { kind: 'query', userId: state.order.userId, model: call.model },
          guardShort(providers, maskingSettings, call.model, providers.llm(provider)),
        ),
        ...{ model: providerModel, thinks, userId: state.order.userId },
      },
      mask: (query) => withoutMasked(maskingSettings, query),
      onSearched: () =>
        recordSideCost(
          db,
          { kind: 'search', userId: state.order.userId, model: call.model },
          { cost: (web.cost?.amount ?? 0) / 1000, costCurrency: web.cost?.currency ?? null },
        ),
    },
    state.abort.signal,
    (stage) => enterStage(state, { type: 'stage', stage }),
  )
  const numbered = passages.map((passage, i) => ({ n: before + i + 1, ...passage }))
  const prompt = compose(numbered)
  const given = numbered.slice(0, prompt.citations.filter((citation) => citation.web).length)
  const hasFound = given.length > passages.length - found
  const searchPrice = hasFound ? web.price : 0
  const note = joinNotes(run.note, searchNote(searchPrice))
  const next = { ...run, input: prompt.input, ...(note && { note }), ...(searchPrice > 0 && { searchPrice }) }
  const { signal } = state.stopRetries
  await meter.change({ input: prompt.input, searchPrice }, signal)
  const { parts, citations } = prompt
  const use = { query, hasFound, price: searchPrice, unread, asked: options }
  const masking = openMasking(providers, maskingSettings, prompt.messages, order.question.content)
  const masked = await masking.maskedFor(call.model)
  const findings = { run: next, parts, citations, web: use, passages: given, masked }
  if (!(await retryWhileUnavailable(() => storeFindings(db, messageId, findings), { signal }))) endEarly(state, 'lost')
  state.abort.signal.throwIfAborted()
  Object.assign(run, next)
  call.messages = prompt.messages
  call.masking = masking
  call.maxTokens = maxTokens()
  enterStage(state, { type: 'stage-end', citations, web: use })
}

function settleText(db: Db, { call, meter, run, threadId }: TextAnswer, end: AnswerEnd): Promise<EndedRow | null> {
  const { row, begun, usage } = end
  const { model } = call
  const output = countSymbols(row.content) - countSymbols(begun)
  const { hold, offset: _, thoughtOffset: __, ...priced } = run
  const extras = { thought: meter.thought(), cached: cachedSymbols(run, usage) }
  const charge = chargeOf(run, end, output, extras)
  const details = {
    ...{ modelId: model.id, threadId, messageId: row.id, ...priced, output },
    ...(extras.thought > 0 && { thought: extras.thought }),
    ...(extras.cached > 0 && { cached: extras.cached }),
  }
  const settle: Settlement = row.isEarlyStop
    ? earlyStop(run, details)
    : { type: 'charge', key: hold, symbols: charge, details }
  const hasThought = extras.thought > 0 || end.thought !== ''
  return endRun(db, {
    ...row,
    output,
    thought: hasThought
      ? { text: end.thought, symbols: charge > 0 ? extras.thought : 0, ms: row.firstTokenMs ?? row.totalMs }
      : null,
    cost: costOfTokens(model, usage, { input: run.input, output: output + extras.thought }),
    settle,
  })
}

/** A failure is free, and so is an answer without text, unless it was stopped or its thought took the whole limit. */
function chargeOf(
  run: AnswerRun,
  { error, hasRunOut, row }: AnswerEnd,
  output: number,
  extras: Required<PricedExtras>,
): number {
  if (error && !error.isRejection && !error.isThoughtLimit) return 0
  const isStoppedThought = row.status === 'stopped' && extras.thought > 0 && (run.thoughtRate ?? 0) > 0
  // Symbols that run out before the first whole character still pay for the input.
  if (hasRunOut || isStoppedThought || error?.isThoughtLimit) return price(run.input, output, run, extras)
  return chargeFor(run, output, extras)
}

/** The part of the input with the rate of cached input. */
function cachedSymbols({ input, cachedRate }: AnswerRun, usage: LlmUsage | null): number {
  if (cachedRate == null || !usage?.cachedTokens) return 0
  return Math.min(input, usage.cachedTokens * SYMBOLS_PER_TOKEN)
}

export interface ModelCall {
  model: ModelRow
  /** Answers when the model fails before its first text. */
  fallback: ModelRow | null
  /** Emptied as soon as no retry can need it: an answer may take minutes, and the prompt may be large. */
  messages: LlmMessage[]
  maxTokens: number | undefined
  thinking?: Thinking | undefined
  userId?: string | undefined
  isByAdmin?: boolean
  masking?: Masking
}

interface CallListener extends Partial<WriteListener> {
  onText: OnText
  /** Awaited before the fallback is called. */
  onFallback: (model: ModelRow) => void | Promise<void>
}

/** Calls the model, or its fallback if it fails before its first text. */
export async function askModel(
  providers: Providers,
  { model, fallback, messages, maxTokens, thinking, userId, isByAdmin, masking }: ModelCall,
  signal: AbortSignal,
  { onText, onThought = () => {}, onFallback, onAsked = () => {} }: CallListener,
): Promise<LlmEnd> {
  /** Text or thought: after it neither a retry nor the fallback may begin again. */
  let hasText = false
  const dropPrompt = () => {
    messages.length = 0
  }
  const receiver =
    (deliver: OnText): OnText =>
    (text) => {
      if (!hasText) dropPrompt()
      hasText = true
      deliver(text)
    }
  const ask = async (asked: ModelRow) => {
    const request = {
      ...{ model: asked.providerModel, messages, userId, onAsked, onThought: receiver(onThought) },
      ...(isByAdmin && { isByAdmin }),
      ...(maxTokens && { maxTokens }),
      ...(thinking && asked.thinks && { thinking }),
    }
    onAsked(true)
    try {
      const llm = providers.llm(asked.provider)
      return await (masking?.guard(asked, llm) ?? llm)(request, signal, receiver(onText))
    } catch (error) {
      if (!signal.aborted) onAsked(false)
      throw error
    }
  }
  try {
    return await ask(model)
  } catch (error) {
    if (hasText || !fallback || signal.aborted || !canBeReplaced(error)) throw error
    await onFallback(fallback)
    signal.throwIfAborted()
    return await ask(fallback)
  } finally {
    dropPrompt()
  }
}

/** Another model may succeed, unless the question itself was rejected. */
function canBeReplaced(error: unknown): boolean {
  return error instanceof LlmError && error.kind !== 'filter' && error.kind !== 'too_long'
}
