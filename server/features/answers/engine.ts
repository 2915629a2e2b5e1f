import { finishAnswer } from './finish.ts'
import { storeTexts } from './rows.ts'
import { type AnswerOrder, createRunning, endEarly, flush, flushAll, hear, type Running } from './running.ts'
import { speak } from './speak.ts'
import type { EngineWorld, Heard } from './world.ts'

/** Owns the answers that are being written in this process. Who reads them, or whether anybody does, is not its business. */
export interface Engine {
  begin: (order: AnswerOrder) => Running
  find: (messageId: string) => Running | undefined
  /** False once it is closing: nothing new may begin. */
  isOpen: () => boolean
  /** Lets answers finish for a while, then ends them with what they have. */
  close: (lastWordsMs?: number) => Promise<void>
}

/** How often text goes out to readers, and how often it is stored. */
const FLUSH_MS = 50
const STORE_MS = 1500
const LAST_WORDS_MS = 8000
/** Why a model is stopped that has said all it may. */
const FULL = 'full'

export function createEngine(world: EngineWorld): Engine {
  const running = new Map<string, Running>()
  const afterwards = new Set<Promise<void>>()
  let isOpen = true
  const pulse = createPulse(world, running)

  async function write(answer: Omit<Running, 'finished'>) {
    const heard = await listenTo(world, answer)
    const outcome = await finishAnswer(world, answer, heard)
    running.delete(answer.order.messageId)
    pulse.stopIfIdle()
    const { userId, threadId } = answer.order
    const after = world
      .afterAnswer({ userId, threadId })
      .catch((error: unknown) => world.log.error({ err: error }, 'after an answer'))
    afterwards.add(after)
    void after.finally(() => afterwards.delete(after))
    return outcome
  }

  return {
    begin: (order) => {
      const answer = createRunning(order)
      const opened: Running = Object.assign(answer, { finished: write(answer) })
      running.set(order.messageId, opened)
      pulse.start()
      return opened
    },
    find: (messageId) => running.get(messageId),
    isOpen: () => isOpen,
    close: async (lastWordsMs = LAST_WORDS_MS) => {
      isOpen = false
      const allFinished = () => Promise.all([...running.values()].map(({ finished }) => finished))
      await Promise.race([allFinished(), new Promise((resolve) => setTimeout(resolve, lastWordsMs).unref())])
      for (const answer of running.values()) endEarly(answer, 'interrupted')
      await allFinished()
      await Promise.all(afterwards)
      pulse.stop()
    },
  }
}

/** Takes everything the model says. Told to stop, it stops; what broke is told to the caller, not thrown. */
async function listenTo({ providers }: EngineWorld, answer: Omit<Running, 'finished'>): Promise<Heard> {
  const { order, abort } = answer
  const heard: Heard = { reason: null, usage: null, failure: null }
  try {
    const onFallback = (model: typeof order.speech.model) => {
      order.speech.model = model
      order.meter.lower(model, model.id)
    }
    const onText = (piece: string) => {
      if (!hear(answer, piece)) abort.abort(FULL)
      if (answer.firstTokenMs === null) void flush(answer)
    }
    const end = await speak(providers, order.speech, abort.signal, { onText, onFallback })
    heard.reason = end.reason
    heard.usage = end.usage
  } catch (error) {
    if (abort.signal.reason === FULL) heard.reason = 'length'
    else if (!answer.ending && !answer.failure) heard.failure = { error }
  }
  // Stopped means: no more than what was already shown.
  await (answer.ending === 'stopped' ? answer.flushing : flushAll(answer))
  heard.failure ??= answer.failure
  return heard
}

/** One clock for all answers: many small timers and many small writes would cost more than the answers do. */
function createPulse({ db, log }: EngineWorld, running: Map<string, Running>) {
  let flushing: NodeJS.Timeout | undefined
  let storing: NodeJS.Timeout | undefined
  let isStoring = false

  async function store() {
    if (isStoring || running.size === 0) return
    isStoring = true
    const grown = [...running.values()].map((answer) => ({ answer, text: answer.text }))
    try {
      await storeTexts(
        db,
        grown.map(({ answer, text }) => ({
          id: answer.order.messageId,
          content: text.length > answer.storedSymbols ? text : null,
        })),
      )
      for (const { answer, text } of grown) answer.storedSymbols = text.length
    } catch (error) {
      log.error({ err: error }, 'answers could not be stored; the next try is soon')
    } finally {
      isStoring = false
    }
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
        for (const answer of running.values()) if (answer.pending !== '') void flush(answer)
      }, FLUSH_MS)
      storing = setInterval(() => void store(), STORE_MS)
    },
    stopIfIdle: () => {
      if (running.size === 0) stop()
    },
    stop,
  }
}
