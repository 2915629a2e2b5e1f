import type { Instance } from '#server/instances/instance.ts'
import { createRunner } from '#server/instances/runner.ts'
import { AppError } from '#server/lib/errors.ts'
import { isNextPiece, paceMs } from '#server/llm/pace.ts'
import type { FollowUp } from './context.ts'
import { type FinishDeps, finishAnswer, type WriteResult } from './finish.ts'
import { type ChunkTable, stopRequests, storeChunks } from './rows.ts'
import {
  type ActiveRun,
  createRunState,
  endEarly,
  flush,
  flushAll,
  hasPending,
  type Outcome,
  type RunRequest,
  type RunState,
  receive,
  receiveThought,
} from './run-state.ts'

export interface EngineDeps extends FinishDeps {
  instance: Pick<Instance, 'id'>
  maxRunning?: number
  /** Called after an answer with a follow-up has been stored. */
  afterAnswer: (answer: { userId: string; threadId: string; followUp: FollowUp }) => Promise<void>
}

/** Writes the answers of this process, independent of their readers. */
export interface Engine {
  /** Reserves capacity for an answer that is about to start, or throws 503. Returns the release. */
  reserve: () => () => void
  run: (request: RunRequest) => ActiveRun
  find: (messageId: string) => ActiveRun | undefined
  /** Stops what is written for a user in this process. */
  stopAllOf: (userId: string) => void
  /** The process that owns new answers. */
  instance: () => string
  size: () => number
  /** Waits for running answers up to the limit, then ends them with the text they have. */
  close: (drainMs?: number) => Promise<void>
}

const STORE_MS = 1000
const DRAIN_MS = 5000
const MAX_RUNNING = 500
/** The abort reason when the answer has reached its maximum length. */
const FULL = 'full'

export function createEngine(deps: EngineDeps): Engine {
  const running = new Map<string, ActiveRun>()
  const runner = createRunner({
    limit: Number.MAX_SAFE_INTEGER,
    onError: (error, messageId) => deps.log.error({ err: error, messageId }, 'answers: a run failed'),
  })
  const followUps = new Set<Promise<void>>()
  const maxRunning = deps.maxRunning ?? MAX_RUNNING
  let isOpen = true
  let reserved = 0
  const clock = createClock(deps, running)

  async function writeAnswer(state: RunState): Promise<Outcome> {
    const result = await writeText(state)
    await clock.stored()
    const outcome = await finishAnswer(deps, state, result)
    running.delete(state.request.messageId)
    clock.stopIfIdle()
    follow(state.request)
    return outcome
  }

  function follow({ userId, threadId, followUp }: RunRequest): void {
    if (!followUp.title && !followUp.summary) return
    const work = deps
      .afterAnswer({ userId, threadId, followUp })
      .catch((error: unknown) => deps.log.error({ err: error }, 'answers: the follow-up of an answer failed'))
    followUps.add(work)
    void work.finally(() => followUps.delete(work))
  }

  return {
    reserve: () => {
      if (!isOpen) throw closing()
      if (running.size + reserved >= maxRunning) throw full()
      reserved += 1
      let isReleased = false
      return () => {
        if (!isReleased) reserved -= 1
        isReleased = true
      }
    },
    run: (request) => {
      const state = createRunState(request)
      const finished = writeAnswer(state)
      const started: ActiveRun = Object.assign(state, { finished })
      running.set(request.messageId, started)
      void runner.run(request.kind.plan.run.hold, async (signal) => {
        signal.addEventListener('abort', () => endEarly(started, 'interrupted'), { once: true })
        await finished
      })
      clock.start()
      return started
    },
    find: (messageId) => running.get(messageId),
    stopAllOf: (userId) => {
      for (const state of running.values()) if (state.request.userId === userId) endEarly(state, 'stopped')
    },
    instance: () => deps.instance.id,
    size: () => running.size,
    close: async (drainMs = DRAIN_MS) => {
      isOpen = false
      const until = Date.now() + drainMs
      // Requests that have already reserved capacity still start, so they are awaited.
      while (reserved > 0 && Date.now() < until) await new Promise((done) => setTimeout(done, 20))
      await runner.close(Math.max(0, until - Date.now()), undefined)
      await Promise.all(followUps)
      clock.stop()
    },
  }
}

const closing = () =>
  new AppError('unavailable', 'Сервер перезапускается. Повторите через несколько секунд.', { retryAfterSeconds: 1 })
const full = () =>
  new AppError('unavailable', 'Сейчас пишется слишком много ответов. Повторите через несколько секунд.', {
    retryAfterSeconds: 3,
  })

/** Returns failures, because the run must still be finished. */
async function writeText(state: RunState): Promise<WriteResult> {
  const { request, abort } = state
  const result: WriteResult = { reason: null, usage: null, failure: null }
  try {
    const onText = (text: string) => {
      if (!receive(state, text)) abort.abort(FULL)
      if (state.firstTokenMs === null || isNextPiece(performance.now() - state.shownAt)) void flush(state)
    }
    const onThought = (text: string) => {
      if (!receiveThought(state, text)) abort.abort(FULL)
    }
    const onInFlight = (isInFlight: boolean) => {
      // The charge of a stopped answer depends on the value at the moment of the stop.
      if (!abort.signal.aborted) state.isInFlight = isInFlight
    }
    const end = await request.kind.write(state, { onText, onThought, onInFlight })
    result.reason = end.reason
    result.usage = end.usage
  } catch (error) {
    if (abort.signal.reason === FULL) result.reason = 'length'
    else if (!state.ending && !state.failure) result.failure = { error }
  }
  state.isWritten = true
  // A stopped answer gets no text beyond what was shown.
  await (state.isClosed ? state.flushing : flushAll(state))
  state.isClosed = true
  await holdHiddenThought(state, result)
  result.failure ??= state.failure
  return result
}

/** The length of a hidden thought is known only at the end, so the hold is raised then. */
async function holdHiddenThought({ request, stopRetries }: RunState, result: WriteResult): Promise<void> {
  if (result.failure || !result.usage?.hiddenThoughtTokens) return
  try {
    await request.kind.payForHidden(result.usage, stopRetries.signal)
  } catch {
    // The charge is cut to what is held.
  }
}

/** One timer and one write for all answers: a timer and a write for each would cost more than the answers do. */
function createClock({ db, log, instance }: EngineDeps, running: Map<string, ActiveRun>) {
  let flushing: NodeJS.Timeout | undefined
  let storing: NodeJS.Timeout | undefined
  let current: Promise<void> | null = null

  async function store(): Promise<void> {
    await storeGrown('thought_chunks', 'thought', 'storedThought')
    await storeGrown('message_chunks', 'text', 'stored')
    for (const id of await stopRequests(db, instance.id)) {
      const state = running.get(id)
      if (state) endEarly(state, 'stopped')
    }
  }

  async function storeGrown(
    table: ChunkTable,
    whole: 'text' | 'thought',
    stored: 'stored' | 'storedThought',
  ): Promise<void> {
    const grown = [...running.values()]
      .filter((state) => state[whole].length > state[stored] && !state.isClosed && state.request.kind.storesChunks)
      .map((state) => ({ state, text: state[whole] }))
    if (grown.length === 0) return
    const owned = await storeChunks(
      db,
      grown.map(({ state, text }) => ({
        id: state.request.messageId,
        hold: state.request.kind.plan.run.hold,
        at: state[stored],
        upto: text.length,
        text: text.slice(state[stored]),
      })),
      table,
    )
    for (const { state, text } of grown) {
      if (owned.has(state.request.messageId)) state[stored] = text.length
      else endEarly(state, 'lost')
    }
  }

  function storeSoon(): void {
    if (running.size === 0) return
    current ??= store()
      .catch((error: unknown) => log.warn({ err: error }, 'answers: storing chunks failed, retrying'))
      .finally(() => {
        current = null
      })
  }

  function flushRepeatedly() {
    flushing = setTimeout(flushRepeatedly, paceMs(running.size))
    for (const state of running.values()) if (hasPending(state) && !state.isClosed) void flush(state)
  }

  function stop() {
    clearTimeout(flushing)
    clearInterval(storing)
    flushing = undefined
  }

  return {
    start: () => {
      if (flushing) return
      flushing = setTimeout(flushRepeatedly, paceMs(running.size))
      storing = setInterval(storeSoon, STORE_MS)
    },
    /** Resolves when no write is in flight. */
    stored: async () => {
      await current
    },
    stopIfIdle: () => {
      if (running.size === 0) stop()
    },
    stop,
  }
}
