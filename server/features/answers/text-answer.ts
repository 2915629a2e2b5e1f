import { SEARCH_WORDS_SYMBOLS } from '#contract/assistants.ts'
import { countSymbols, type PricedExtras, price } from '#contract/billing.ts'
import type { Thinking } from '#contract/models.ts'
import { SYMBOLS_PER_TOKEN } from '#contract/models-admin.ts'
import { toWebOptions } from '#contract/web-search.ts'
import type { Db } from '#server/db/client.ts'
import type { AnswerRun } from '#server/db/schema.ts'
import type { Ctx, CurrentUser } from '#server/http/context.ts'
import { retryWhileUnavailable } from '#server/instances/retry.ts'
import { LlmError } from '#server/llm/errors.ts'
import type { LlmEnd, LlmMessage, LlmUsage, OnText } from '#server/llm/llm.ts'
import type { Providers } from '#server/llm/providers.ts'
import type { Settlement } from '../billing/ledger.ts'
import {
  type FirstHold,
  firstStep,
  type Meter,
  type MeterParams,
  openMeter,
  outOfSymbols,
  remainingHold,
} from '../billing/meter.ts'
import { costOfTokens, type ModelRow } from '../models/models.ts'
import { recordSideCost, withRecordedCost } from '../models/side-costs.ts'
import type { WebDeps } from '../web-search/deps.ts'
import { findInWeb } from '../web-search/find-in-web.ts'
import { pendingWeb, planText, type TextPlan, withFallback, withFindings } from './answer-plan.ts'
import {
  type AnswerDraft,
  type AnswerInput,
  type AnswerOwner,
  beginExchange,
  type ExchangeRows,
  type OpenedAnswer,
} from './begin.ts'
import type { AnswerContext } from './context.ts'
import type { AnswersDeps } from './deps.ts'
import { findByWords } from './find-by-words.ts'
import { chargeFor, earlyStop } from './finish.ts'
import { guardShort, type Masking, withoutMasked } from './masking.ts'
import { type FindPassages, webLimit } from './prompt.ts'
import { changeModel, type EndedRow, endRun, storeFindings } from './rows.ts'
import {
  type AnswerEnd,
  type AnswerKind,
  endEarly,
  enterStage,
  type RunState,
  type WriteListener,
} from './run-state.ts'

type TextDeps = Pick<AnswersDeps, 'providers' | 'findPassages' | 'web'>

/** Plans the answer, takes its first hold together with the rows, and opens the meter. */
export async function openTextAnswer(
  ctx: Ctx,
  deps: TextDeps,
  context: AnswerContext,
  input: AnswerInput,
  owner: AnswerOwner,
): Promise<OpenedAnswer> {
  const { model, threadId } = context
  const { messageId, instance } = owner
  const plan = await planText(ctx, deps, context, input, messageId)
  const { hold, input: size, inputRate, outputRate, thoughtRate, cachedRate } = plan.run
  const params: MeterParams = {
    key: hold,
    userId: ctx.user.id,
    kind: 'answer',
    // Search words are held from the start, so that they can be charged.
    input: size + (plan.search ? SEARCH_WORDS_SYMBOLS : 0),
    // The price of the search is held from the start, so that it can be charged; dropped when nothing is found.
    rates: {
      ...{ inputRate, outputRate, thoughtRate, cachedRate },
      ...(plan.web?.options.search && { searchPrice: deps.web.price }),
    },
    details: { modelId: model.id, threadId, messageId },
    instance,
  }
  const { first, rows } = await beginWithinHold(ctx, context, input, await draftOf(plan, owner), params)
  const meter = openMeter(ctx.db, params, first)
  const { providers, findPassages, web } = deps
  const answer = { db: ctx.db, providers, findPassages, webDeps: web, user: ctx.user, threadId, messageId, meter }
  return { kind: textAnswer(answer, plan), maxOutputSymbols: model.maxOutputSymbols, rows }
}

async function draftOf({ run, prompt, masking, model, web }: TextPlan, owner: AnswerOwner): Promise<AnswerDraft> {
  return {
    ...{ id: owner.messageId, kind: 'answer', run, parts: prompt.parts, citations: prompt.citations },
    masked: await masking.maskedFor(model),
    web: web && pendingWeb(web),
    instance: owner.instance,
  }
}

/** Holds one step, or what is left of the balance, and stores the exchange with it. */
async function beginWithinHold(
  ctx: Ctx,
  context: AnswerContext,
  input: AnswerInput,
  draft: AnswerDraft,
  params: MeterParams,
): Promise<{ first: FirstHold; rows: ExchangeRows }> {
  const step = firstStep(params)
  const { outcome, rows } = await beginExchange(ctx, context, input, draft, step)
  if (outcome === 'held') return { first: { held: step, takesAll: false }, rows }
  const held = await remainingHold(ctx.db, params, outcome)
  const second = await beginExchange(ctx, context, input, draft, held)
  if (second.outcome !== 'held') throw outOfSymbols(outcome)
  return { first: { held, takesAll: true }, rows: second.rows }
}

interface TextAnswer {
  db: Db
  providers: Providers
  findPassages: FindPassages
  webDeps: WebDeps
  user: CurrentUser
  threadId: string
  messageId: string
  meter: Meter
}

/** Plan → search words → pages → model → charge: each step takes the plan of the step before. */
function textAnswer(answer: TextAnswer, first: TextPlan): AnswerKind {
  const { providers, meter } = answer
  let plan = first
  return {
    get plan() {
      return plan
    },
    storesChunks: true,
    write: async (state, listener) => {
      plan = await findByWords(answer, plan, state)
      plan = await readWeb(answer, plan, state)
      const onFallback = async (model: ModelRow) => {
        plan = await fallBack(answer, plan, model, state)
      }
      return callModel(providers, callOf(answer, plan), state.abort.signal, { ...listener, onFallback })
    },
    payFor: meter.payFor,
    payForNow: meter.payForNow,
    payForHidden: (usage, signal) => meter.payForHidden((usage?.hiddenThoughtTokens ?? 0) * SYMBOLS_PER_TOKEN, signal),
    settle: (db, end) => settleText(db, answer, plan, end),
  }
}

function callOf({ meter, user }: TextAnswer, plan: TextPlan): ModelCall {
  const { model, fallback, prompt, masking, thinking, thoughtTokens } = plan
  return {
    ...{ model, fallback, messages: prompt.messages, masking, thinking, userId: user.id },
    maxTokens: maxTokensWithin(model.maxOutputSymbols, meter.limit, thoughtTokens),
    isByAdmin: user.role === 'admin',
  }
}

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

/** Searches and reads pages, and stores what they add to the prompt and to the hold before the plan is used. */
async function readWeb(answer: TextAnswer, plan: TextPlan, state: RunState): Promise<TextPlan> {
  if (!plan.web) return plan
  const { db, providers, webDeps, messageId, meter } = answer
  const { options } = plan.web
  const findings = await findPages(answer, plan, plan.web, state)
  const { query, unread } = findings
  const next = withFindings(providers, plan, plan.web, findings, webDeps.price)
  const { hasFound, searchPrice, passages } = next
  const { run, prompt, masking, model } = next.plan
  const { signal } = state.stopRetries
  await meter.change({ input: run.input, searchPrice }, signal)
  const { parts, citations } = prompt
  const web = { query, hasFound, price: searchPrice, unread, request: options }
  const stored = { run, parts, citations, web, passages, masked: await masking.maskedFor(model) }
  if (!(await retryWhileUnavailable(() => storeFindings(db, messageId, stored), { signal }))) endEarly(state, 'lost')
  state.abort.signal.throwIfAborted()
  enterStage(state, { type: 'stage-end', citations, web })
  return next.plan
}

function findPages(
  { db, providers, webDeps, user }: TextAnswer,
  { model, maskingSettings }: TextPlan,
  { options, promptParams }: NonNullable<TextPlan['web']>,
  state: RunState,
) {
  const { provider, providerModel, thinks } = model
  const llm = guardShort(providers, maskingSettings, model, providers.llm(provider))
  return findInWeb(
    db,
    webDeps,
    {
      question: promptParams.question.content,
      history: promptParams.history,
      ...toWebOptions(options),
      maskedNames: maskingSettings?.names ?? [],
      most: webLimit(promptParams),
      model: {
        llm: withRecordedCost(db, { kind: 'query', userId: user.id, model }, llm),
        ...{ model: providerModel, thinks, userId: user.id },
      },
      mask: (query) => withoutMasked(maskingSettings, query),
      onSearched: () =>
        recordSideCost(
          db,
          { kind: 'search', userId: user.id, model },
          { cost: (webDeps.cost?.amount ?? 0) / 1000, costCurrency: webDeps.cost?.currency ?? null },
        ),
    },
    state.abort.signal,
    (stage) => enterStage(state, { type: 'stage', stage }),
  )
}

/** Stores the fallback model before it is called, and lowers the rates of the hold. */
async function fallBack(answer: TextAnswer, plan: TextPlan, model: ModelRow, state: RunState): Promise<TextPlan> {
  const { db, messageId, meter } = answer
  const next = withFallback(plan, model)
  const masked = await plan.masking.maskedFor(model)
  const { signal } = state.stopRetries
  const isOurs = await retryWhileUnavailable(() => changeModel(db, messageId, next.run, model.id, masked), { signal })
  if (!isOurs) {
    endEarly(state, 'lost')
    return plan
  }
  meter.lower(model, model.id)
  return next
}

function settleText(db: Db, answer: TextAnswer, { run, model }: TextPlan, end: AnswerEnd): Promise<EndedRow | null> {
  const { meter, threadId } = answer
  const { row, begun, usage } = end
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
export async function callModel(
  providers: Providers,
  { model, fallback, messages, maxTokens, thinking, userId, isByAdmin, masking }: ModelCall,
  signal: AbortSignal,
  { onText, onThought = () => {}, onFallback, onInFlight = () => {} }: CallListener,
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
  const call = async (called: ModelRow) => {
    const request = {
      ...{ model: called.providerModel, messages, userId, onInFlight, onThought: receiver(onThought) },
      ...(isByAdmin && { isByAdmin }),
      ...(maxTokens && { maxTokens }),
      ...(thinking && called.thinks && { thinking }),
    }
    onInFlight(true)
    try {
      const llm = providers.llm(called.provider)
      return await (masking?.guard(called, llm) ?? llm)(request, signal, receiver(onText))
    } catch (error) {
      if (!signal.aborted) onInFlight(false)
      throw error
    }
  }
  try {
    return await call(model)
  } catch (error) {
    if (hasText || !fallback || signal.aborted || !canBeReplaced(error)) throw error
    await onFallback(fallback)
    signal.throwIfAborted()
    return await call(fallback)
  } finally {
    dropPrompt()
  }
}

/** Another model may succeed, unless the question itself was rejected. */
function canBeReplaced(error: unknown): boolean {
  return error instanceof LlmError && error.kind !== 'filter' && error.kind !== 'too_long'
}
