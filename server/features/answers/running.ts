import type { AnswerRun } from '#server/db/schema.ts'
import { observeFirstText } from '#server/http/metrics.ts'
import { HoldExpired, type Meter } from '../billing/meter.ts'
import type { Outcome } from './outcome.ts'
import type { Speech } from './speak.ts'

/** An answer that is to be written, with everything it takes. */
export interface AnswerOrder {
  messageId: string
  threadId: string
  userId: string
  /** The text before this run: empty, unless an answer is continued. */
  begun: string
  run: AnswerRun
  speech: Speech
  meter: Meter
  /** Where the answer must end even if the model would go on. */
  maxOutputSymbols: number | null
}

/** Gets each new piece and the length of the whole text after it. */
export type Listener = (offset: number, piece: string) => void

/** Why an answer ends before the model has finished. `lost`: another process ended this run. */
export type Ending = 'stopped' | 'out_of_symbols' | 'interrupted' | 'lost'

/** An answer that is being written in this process. */
export interface Running {
  readonly order: AnswerOrder
  /** What is covered by the hold and may be read. */
  text: string
  /** What the model said since. */
  pending: string
  received: number
  listeners: Set<Listener>
  /** Stops the model. */
  readonly abort: AbortController
  /** Ends the waiting for a database that is away. */
  readonly leave: AbortController
  ending: Ending | null
  /** A request is with a provider that has not refused it. */
  isAsked: boolean
  /** Set when writing it failed on our side. */
  failure: { error: unknown } | null
  /** No more text may be added: what is there is what is kept, shown and charged. */
  isClosed: boolean
  flushing: Promise<void> | null
  /** How much of the text is in the database. */
  stored: number
  firstTokenMs: number | null
  readonly startedAt: number
  finished: Promise<Outcome>
}

export type Writable = Omit<Running, 'finished'>

/** While the database is away text gathers here; no answer is as long as this. */
const MAX_PENDING = 2_000_000

export function createRunning(order: AnswerOrder): Writable {
  return {
    order,
    text: order.begun,
    pending: '',
    received: 0,
    listeners: new Set(),
    abort: new AbortController(),
    leave: new AbortController(),
    ending: null,
    isAsked: false,
    failure: null,
    isClosed: false,
    flushing: null,
    stored: order.begun.length,
    firstTokenMs: null,
    startedAt: performance.now(),
  }
}

/** Stopped, it keeps what its reader has seen; otherwise what the model said so far is still taken. */
export function endEarly(running: Writable, ending: Ending): void {
  running.ending ??= ending
  if (running.ending === 'stopped' || running.ending === 'lost') running.isClosed = true
  running.abort.abort()
  running.leave.abort()
}

/** Takes what the model said; false when the answer is as long as it may be. */
export function receive(running: Writable, piece: string): boolean {
  const limit = running.order.maxOutputSymbols ?? Number.MAX_SAFE_INTEGER
  // The database keeps no U+0000.
  const clean = piece.includes('\0') ? piece.replaceAll('\0', '') : piece
  const kept = clean.slice(0, limit - running.received)
  running.received += kept.length
  running.pending += kept
  if (running.pending.length > MAX_PENDING) endEarly(running, 'interrupted')
  return running.received < limit
}

/** Hands on what has gathered, as far as it is paid for. One at a time: the meter counts in order. */
export async function flush(running: Writable): Promise<void> {
  running.flushing ??= deliver(running)
    .catch((error: unknown) => {
      if (error instanceof HoldExpired) return endEarly(running, 'lost')
      running.isClosed = true
      // Told to end while the database was away: what was covered until then is kept.
      if (running.ending) return
      running.failure ??= { error }
      running.abort.abort()
    })
    .finally(() => {
      running.flushing = null
    })
  await running.flushing
}

/** Everything that is left, also what came while the last piece was on its way. */
export async function flushAll(running: Writable): Promise<void> {
  await running.flushing
  while (running.pending !== '' && !running.isClosed) {
    const before = running.pending
    await flush(running)
    // Half a letter that nothing follows.
    if (running.pending === before) running.pending = ''
  }
}

async function deliver(running: Writable): Promise<void> {
  const piece = wholeCharacters(running.pending)
  if (piece === '' || running.isClosed) return
  const covered = await running.order.meter.cover(piece, running.leave.signal)
  // Ended while the database was asked: what was not shown is not kept.
  if (running.isClosed) return
  running.pending = running.pending.slice(piece.length)
  if (covered !== '') {
    running.text += covered
    if (running.firstTokenMs === null) noteFirstText(running)
    for (const listener of running.listeners) listener(running.text.length, covered)
  }
  if (covered.length < piece.length) {
    running.pending = ''
    running.isClosed = true
    endEarly(running, 'out_of_symbols')
  }
}

function noteFirstText(running: Writable): void {
  const ms = performance.now() - running.startedAt
  running.firstTokenMs = Math.round(ms)
  observeFirstText({ model: running.order.speech.model.id, seconds: ms / 1000 })
}

/** An emoji whose second half is still on its way waits for it. */
function wholeCharacters(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text
}
