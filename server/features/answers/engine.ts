import { AppError } from '#server/lib/errors.ts'
import { whileAway } from '#server/work/retry.ts'
import { createRunner } from '#server/work/runner.ts'
import { lowerRates } from '../billing/meter.ts'
import type { EngineDeps, StreamResult } from './deps.ts'
import { finishAnswer } from './finish.ts'
import type { Outcome } from './outcome.ts'
import { changeModel, stopRequests, storeChunks } from './rows.ts'
import {
  type AnswerOrder,
  createRunning,
  endEarly,
  flush,
  flushAll,
  type Running,
  receive,
  type Writable,
} from './running.ts'
import { speak } from './speak.ts'

/** Owns the answers that are being written in this process. Who reads them, or whether anybody does, is not its business. */
export interface Engine {
  /** Takes a place for an answer that is about to begin, or says why there is none. The returned function gives it back. */
  reserve: () => () => void
  begin: (order: AnswerOrder) => Running
  find: (messageId: string) => Running | undefined
  /** The process that answers belong to which begin now. */
  instance: () => string
  size: () => number
  /** Lets answers finish for a while, then ends them with what they have. */
  close: (drainMs?: number) => Promise<void>
}

/** How often text goes out to readers, and how often it is stored. */
const FLUSH_MS = 50
const STORE_MS = 1000
const DRAIN_MS = 5000
const MAX_RUNNING = 500
/** Why a model is stopped that has said all it may. */
const FULL = 'full'

export function createEngine(deps: EngineDeps): Engine {
  const running = new Map<string, Running>()
  const runner = createRunner({
    limit: Number.MAX_SAFE_INTEGER,
    onError: (error, messageId) => deps.log.error({ err: error, messageId }, 'an answer was lost'),
  })
  const afterwards = new Set<Promise<void>>()
  const maxRunning = deps.maxRunning ?? MAX_RUNNING
  let isOpen = true
  let reserved = 0
  const pulse = createPulse(deps, running)

  async function write(answer: Writable): Promise<Outcome> {
    const result = await listenTo(deps, answer)
    await pulse.stored()
    const outcome = await finishAnswer(deps, answer, result)
    running.delete(answer.order.messageId)
    pulse.stopIfIdle()
    const { userId, threadId } = answer.order
    const after = deps
      .afterAnswer({ userId, threadId })
      .catch((error: unknown) => deps.log.error({ err: error }, 'after an answer'))
    afterwards.add(after)
    void after.finally(() => afterwards.delete(after))
    return outcome
  }

  return {
    reserve: () => {
      if (!isOpen) throw closing()
      if (running.size + reserved >= maxRunning) throw full()
      reserved += 1
      let isBack = false
      return () => {
        if (!isBack) reserved -= 1
        isBack = true
      }
    },
    begin: (order) => {
      const answer = createRunning(order)
      const finished = write(answer)
      const opened: Running = Object.assign(answer, { finished })
      running.set(order.messageId, opened)
      void runner.run(order.run.hold, async (signal) => {
        signal.addEventListener('abort', () => endEarly(opened, 'interrupted'), { once: true })
        await finished
      })
      pulse.start()
      return opened
    },
    find: (messageId) => running.get(messageId),
    instance: () => deps.instance.id,
    size: () => running.size,
    close: async (drainMs = DRAIN_MS) => {
      isOpen = false
      const until = Date.now() + drainMs
      // Whoever was let in before this moment still begins, and is waited for.
      while (reserved > 0 && Date.now() < until) await new Promise((done) => setTimeout(done, 20))
      await runner.close(Math.max(0, until - Date.now()), undefined)
      await Promise.all(afterwards)
      pulse.stop()
    },
  }
}

const closing = () =>
  new AppError('unavailable', 'Сервер перезапускается. Повторите через несколько секунд.', { retryAfterSeconds: 1 })
const full = () =>
  new AppError('unavailable', 'Сейчас пишется слишком много ответов. Повторите через несколько секунд.', {
    retryAfterSeconds: 3,
  })

/** Takes everything the model says. Told to stop, it stops; what broke is told to the caller, not thrown. */
async function listenTo({ db, providers }: EngineDeps, answer: Writable): Promise<StreamResult> {
  const { order, abort } = answer
  const result: StreamResult = { reason: null, usage: null, failure: null }
  try {
    const onFallback = async (model: typeof order.speech.model) => {
      const run = { ...order.run, ...lowerRates(order.run, model) }
      const { signal } = answer.leave
      const isOurs = await whileAway(() => changeModel(db, order.messageId, run, model.id), { signal })
      if (!isOurs) return endEarly(answer, 'lost')
      Object.assign(order.run, run)
      order.speech.model = model
      order.meter.lower(model, model.id)
    }
    const onText = (piece: string) => {
      if (!receive(answer, piece)) abort.abort(FULL)
      if (answer.firstTokenMs === null) void flush(answer)
    }
    const onAsked = (isAsked: boolean) => {
      // Stopped, it stays as it was at that moment.
      if (!abort.signal.aborted) answer.isAsked = isAsked
    }
    const end = await speak(providers, order.speech, abort.signal, { onText, onFallback, onAsked })
    result.reason = end.reason
    result.usage = end.usage
  } catch (error) {
    if (abort.signal.reason === FULL) result.reason = 'length'
    else if (!answer.ending && !answer.failure) result.failure = { error }
  }
  // Stopped means: no more than what was already shown.
  await (answer.isClosed ? answer.flushing : flushAll(answer))
  answer.isClosed = true
  result.failure ??= answer.failure
  return result
}

/** One clock for all answers: many small timers and many small writes would cost more than the answers do. */
function createPulse({ db, log, instance }: EngineDeps, running: Map<string, Running>) {
  let flushing: NodeJS.Timeout | undefined
  let storing: NodeJS.Timeout | undefined
  let current: Promise<void> | null = null

  async function store(): Promise<void> {
    const grown = [...running.values()].filter(isGrown).map((answer) => ({ answer, text: answer.text }))
    if (grown.length > 0) {
      const owned = await storeChunks(
        db,
        grown.map(({ answer: { order, stored }, text }) => ({
          id: order.messageId,
          hold: order.run.hold,
          at: stored,
          upto: text.length,
          text: text.slice(stored),
        })),
      )
      for (const { answer, text } of grown) {
        if (owned.has(answer.order.messageId)) answer.stored = text.length
        else endEarly(answer, 'lost')
      }
    }
    for (const id of await stopRequests(db, instance.id)) {
      const answer = running.get(id)
      if (answer) endEarly(answer, 'stopped')
    }
  }

  function beat(): void {
    if (running.size === 0) return
    current ??= store()
      .catch((error: unknown) => log.warn({ err: error }, 'answers could not be stored; the next try is soon'))
      .finally(() => {
        current = null
      })
  }

  function stop() {
    clearInterval(flushing)
    clearInterval(storing)
    flushing = undefined
  }

  return {
    start: () => {
      if (flushing) return
      flushing = setInterval(() => {
        for (const answer of running.values()) if (answer.pending !== '' && !answer.isClosed) void flush(answer)
      }, FLUSH_MS)
      storing = setInterval(beat, STORE_MS)
    },
    /** Resolves when nothing is on its way into the database. */
    stored: async () => {
      await current
    },
    stopIfIdle: () => {
      if (running.size === 0) stop()
    },
    stop,
  }
}

/** A picture's address is stored with the picture only, at the end: alone it would lead nowhere. */
const isGrown = ({ text, stored, isClosed, order }: Running) =>
  text.length > stored && !isClosed && order.speech.model.kind !== 'image'
