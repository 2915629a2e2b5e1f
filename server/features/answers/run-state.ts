import type { AnswerEvent, StageEvent } from '#contract/answers.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Db } from '#server/db/client.ts'
import type { AnswerRun } from '#server/db/schema.ts'
import { observeFirstText } from '#server/http/metrics.ts'
import type { LlmEnd, LlmUsage, OnText } from '#server/llm/llm.ts'
import { type DeliveredKind, HoldExpired, wholeCharacters } from '../billing/meter.ts'
import type { ModelRow } from '../models/models.ts'
import type { FollowUp } from './context.ts'
import type { EndedRow, RunEnd } from './rows.ts'

/** What is decided about an answer, as its row has it too. */
export interface AnswerPlan {
  model: ModelRow
  run: AnswerRun
}

/** How one kind of answer is written and charged. Text and images implement it. */
export interface AnswerKind {
  /** A step of the work may have replaced it. */
  readonly plan: AnswerPlan
  readonly storesChunks: boolean
  /** Produces the answer until it is complete or `state.abort` aborts. */
  write: (state: RunState, listener: WriteListener) => Promise<LlmEnd>
  /** Returns the part of the text, or of the thought, that is paid for. */
  payFor: (text: string, signal: AbortSignal, as: DeliveredKind) => Promise<string>
  /** Like `payFor`, but without waiting; null when the database has to be asked. */
  payForNow: (text: string, signal: AbortSignal, as: DeliveredKind) => string | null
  /** Raises the hold by the cost of thought that the provider counts but does not show. */
  payForHidden: (usage: LlmUsage | null, signal: AbortSignal) => Promise<void>
  /** Stores the end of the answer and its charge together. Null if the run has already ended. */
  settle: (db: Db, end: AnswerEnd) => Promise<EndedRow | null>
}

export interface WriteListener {
  onText: OnText
  onThought: OnText
  /** Whether a request is at a provider that has not rejected it. */
  onInFlight: (isInFlight: boolean) => void
}

/** The end of a run, before its kind has counted output, cost and charge. */
export interface AnswerEnd {
  row: Omit<RunEnd, 'settle' | 'output' | 'thought' | 'cost'>
  /** The text before this run. */
  begun: string
  /** What the model thought, with the thought before this run. */
  thought: string
  error: AnswerError | null
  usage: LlmUsage | null
  /** The symbols of the user have run out. */
  hasRunOut: boolean
}

export interface AnswerError {
  code: ErrorCode
  message: string
  /** The provider's content filter ended the answer: the text before that is charged. */
  isRejection?: boolean
  /** The model thought until its limit and wrote nothing: what it thought is charged. */
  isThoughtLimit?: boolean
}

/** The last event of an answer for its readers. */
export type Outcome = Extract<AnswerEvent, { type: 'done' | 'error' }>

export interface RunRequest {
  messageId: string
  threadId: string
  userId: string
  /** The request that started it, for the log. */
  requestId?: string | undefined
  /** The text before this run; empty unless an answer is continued. */
  begun: string
  begunThought: string
  kind: AnswerKind
  /** The answer ends at this length even if the model continues. */
  maxOutputSymbols: number | null
  followUp: FollowUp
}

/** Receives each new chunk of the text or the thought, and the length of the whole after it. */
export type ChunkListener = (offset: number, text: string, as: DeliveredKind) => void

/** Why an answer ends before the model has finished. `lost`: another process has ended this run. */
export type Ending = 'stopped' | 'out_of_symbols' | 'interrupted' | 'lost'

/** An answer that is being written in this process. */
export interface RunState {
  readonly request: RunRequest
  /** The text that the hold pays for; readers see it. */
  text: string
  /** What the model thought, paid and shown in the same way. */
  thought: string
  /** The model's text and thought that are not paid yet. */
  pending: string
  pendingThought: string
  received: number
  listeners: Set<ChunkListener>
  /** The current stage of the work before the model is called, or its end; null without such work. */
  stage: StageEvent | null
  stageListeners: Set<(event: StageEvent) => void>
  /** Stops the model. */
  readonly abort: AbortController
  /** Stops retrying while the database is unavailable. */
  readonly stopRetries: AbortController
  ending: Ending | null
  isInFlight: boolean
  /** An error of our own while the answer was written. */
  failure: { error: unknown } | null
  /** The model has finished; what it wrote may still be pending. */
  isWritten: boolean
  /** No more text is added: the text is stored, shown and charged as it is. */
  isClosed: boolean
  flushing: Promise<void> | null
  /** The length of the text, and of the thought, in the database. */
  stored: number
  storedThought: number
  firstTokenMs: number | null
  /** When readers got the last piece. */
  shownAt: number
  readonly startedAt: number
}

export interface ActiveRun extends RunState {
  finished: Promise<Outcome>
}

/** A limit for the text that waits while the database is unavailable; longer than any real answer. */
const MAX_PENDING = 2_000_000
/** A model that thinks longer than this is stopped. */
const MAX_THOUGHT = 1_000_000

export function createRunState(request: RunRequest): RunState {
  return {
    request,
    text: request.begun,
    thought: request.begunThought,
    pending: '',
    pendingThought: '',
    received: 0,
    listeners: new Set(),
    stage: null,
    stageListeners: new Set(),
    abort: new AbortController(),
    stopRetries: new AbortController(),
    ending: null,
    isInFlight: false,
    failure: null,
    isWritten: false,
    isClosed: false,
    flushing: null,
    stored: request.begun.length,
    storedThought: request.begunThought.length,
    firstTokenMs: null,
    shownAt: Number.NEGATIVE_INFINITY,
    startedAt: performance.now(),
  }
}

/** Sends readers a stage of the work before the model is called, or the end of that work. */
export function enterStage(state: RunState, event: StageEvent): void {
  state.stage = event
  for (const listener of state.stageListeners) listener(event)
}

/** A stopped answer keeps only the text that was shown; otherwise pending text is still delivered. */
export function endEarly(state: RunState, ending: Ending): void {
  state.ending ??= ending
  if (state.ending === 'stopped' || state.ending === 'lost') state.isClosed = true
  state.abort.abort()
  state.stopRetries.abort()
}

/** Adds the model's text to the pending text; false when the answer has reached its maximum length. */
export function receive(state: RunState, text: string): boolean {
  const limit = state.request.maxOutputSymbols ?? Number.MAX_SAFE_INTEGER
  const clean = storable(text)
  const taken = clean.slice(0, limit - state.received)
  state.received += taken.length
  state.pending += taken
  if (state.pending.length > MAX_PENDING) endEarly(state, 'interrupted')
  return state.received < limit
}

/** Adds to the pending thought; false when the thought has reached its limit. */
export function receiveThought(state: RunState, text: string): boolean {
  state.pendingThought += storable(text)
  return state.thought.length + state.pendingThought.length < MAX_THOUGHT
}

/** Postgres cannot store U+0000. */
const storable = (text: string) => (text.includes('\0') ? text.replaceAll('\0', '') : text)

/** Delivers pending text as far as it is paid for. One delivery at a time, because the meter counts in order. */
export async function flush(state: RunState): Promise<void> {
  try {
    if (state.flushing === null && deliverNow(state)) return
  } catch (error) {
    failDelivery(state, error)
    return
  }
  state.flushing ??= deliver(state)
    .catch((error: unknown) => failDelivery(state, error))
    .finally(() => {
      state.flushing = null
    })
  await state.flushing
}

function failDelivery(state: RunState, error: unknown): void {
  if (error instanceof HoldExpired) {
    endEarly(state, 'lost')
    return
  }
  state.isClosed = true
  // Ended while the database was unavailable: the text paid until then stays.
  if (state.ending) return
  state.failure ??= { error }
  state.abort.abort()
}

/** Delivers everything that is pending, including text that arrives meanwhile. */
export async function flushAll(state: RunState): Promise<void> {
  await state.flushing
  while (hasPending(state) && !state.isClosed) {
    const before = state.pending + state.pendingThought
    await flush(state)
    // Only half of a surrogate pair is left, and nothing follows.
    if (state.pending + state.pendingThought === before) dropPending(state)
  }
}

export const hasPending = ({ pending, pendingThought }: RunState) => pending !== '' || pendingThought !== ''

function dropPending(state: RunState): void {
  state.pending = ''
  state.pendingThought = ''
}

/** Delivers the thought before the text, in the order in which the model sent them. */
async function deliver(state: RunState): Promise<void> {
  await deliverPart(state, 'thought')
  await deliverPart(state, 'output')
}

async function deliverPart(state: RunState, as: DeliveredKind): Promise<void> {
  const text = pendingOf(state, as)
  if (text === '' || state.isClosed) return
  const paid = await state.request.kind.payFor(text, state.stopRetries.signal, as)
  // Stopped while the database was asked: text that was not shown is not stored.
  if (state.isClosed) return
  show(state, as, text, paid)
}

const pendingOf = (state: RunState, as: DeliveredKind) =>
  wholeCharacters(as === 'output' ? state.pending : state.pendingThought)

/** Delivers what the hold covers already, which is nearly always all of it; false when the database must be asked. */
function deliverNow(state: RunState): boolean {
  for (const as of ['thought', 'output'] as const) {
    const text = pendingOf(state, as)
    if (text === '' || state.isClosed) continue
    const paid = state.request.kind.payForNow(text, state.stopRetries.signal, as)
    if (paid === null) return false
    show(state, as, text, paid)
  }
  return true
}

function show(state: RunState, as: DeliveredKind, text: string, paid: string): void {
  const length = as === 'output' ? showText(state, text, paid) : showThought(state, text, paid)
  if (paid !== '') state.shownAt = performance.now()
  if (paid !== '') for (const listener of state.listeners) listener(length, paid, as)
  if (paid.length < text.length) {
    dropPending(state)
    state.isClosed = true
    endEarly(state, 'out_of_symbols')
  }
}

function showText(state: RunState, text: string, paid: string): number {
  state.pending = state.pending.slice(text.length)
  state.text += paid
  if (paid !== '' && state.firstTokenMs === null) noteFirstText(state)
  return state.text.length
}

function showThought(state: RunState, text: string, paid: string): number {
  state.pendingThought = state.pendingThought.slice(text.length)
  state.thought += paid
  return state.thought.length
}

function noteFirstText(state: RunState): void {
  const ms = performance.now() - state.startedAt
  state.firstTokenMs = Math.round(ms)
  observeFirstText({ model: state.request.kind.plan.model.id, seconds: ms / 1000 })
}
