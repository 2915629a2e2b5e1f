import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { createTurns, type Turns } from '#server/lib/fair-turns.ts'
import { workerSource } from '#server/lib/worker-source.ts'
import type { WebPage } from './read-document.ts'
import { BROKEN, TOO_HEAVY, TOO_SLOW, Unreadable } from './rejections.ts'
import type { ReadText } from './text.ts'
import { wallClock, workClock } from './work-clock.ts'

export interface ParseRequest {
  mime: string
  bytes: Uint8Array<ArrayBuffer>
  page?: WebPage
  /** Asks for the picture of this page instead of the text. */
  picture?: number
}

export type WorkerAnswer =
  | { type: 'ready'; thread: string | null }
  | { type: 'progress'; percent: number }
  | { type: 'text'; text: ReadText }
  | { type: 'failed'; reason: string; cause: string }

/** Reads one document in its own thread; throws `Unreadable` with a reason, or `Closing` when the server stops. */
export type Parse = (request: ParseRequest, onProgress?: (percent: number) => void) => Promise<ReadText>

export interface Pool {
  /**
   * Waits for a free thread, then runs `work` with it, so that no more files are in memory than there are threads.
   * Waiting work is taken in turn by `userId`, so that many files of one user do not delay another user's.
   */
  use: <Result>(work: (parse: Parse) => Promise<Result>, userId?: string) => Promise<Result>
  /** Runs work on texts that were read, few at a time. The signal aborts when the server stops, and close() waits. */
  beside: <Result>(work: (closing: AbortSignal) => Promise<Result>, userId?: string) => Promise<Result>
  /** Ends the threads; waiting work fails with `Closing`. */
  close: () => Promise<void>
}

export interface PoolLimits {
  threads: number
  /** Processor time for one file; where the system does not tell it, time of the clock. */
  workMs: number
  heapMb: number
  idleMs?: number
}

export class Closing extends Error {
  override name = 'Closing'
}

const IDLE_MS = 60_000
/** A user waits for an answer while a web page is read, and the page must not block a thread that files need. */
const PAGE_MS = 4000
const BESIDE = 2
const CHECK_MS = 250

export function createPool({ threads, workMs, heapMb, idleMs = IDLE_MS }: PoolLimits): Pool {
  const idle: Worker[] = []
  const alive = new Map<Worker, string | null>()
  const running = new Set<Promise<unknown>>()
  const closing = new AbortController()
  // One thread is left to others, so that a file that takes long holds up its owner only.
  const reading = createTurns({ size: threads, ofPerson: Math.max(1, threads - 1) })
  const beside = createTurns({ size: BESIDE })
  let closed = false

  async function takeWorker(): Promise<Worker> {
    const idleWorker = idle.pop()
    if (idleWorker) return idleWorker
    const worker = startWorker(heapMb)
    alive.set(worker, null)
    worker.once('exit', () => {
      alive.delete(worker)
      takeFromIdle(worker)
    })
    alive.set(worker, await threadOf(worker))
    return worker
  }

  const parse: Parse = async (request, onProgress = () => {}) => {
    if (closed) throw new Closing()
    const worker = await takeWorker().catch(orClosing)
    // A person waits for a page of the web, so its time is that of the clock.
    const clock = request.page ? wallClock(Math.min(workMs, PAGE_MS)) : workClock(alive.get(worker) ?? null, workMs)
    const outcome = await ask(worker, request, clock, onProgress)
    if ('died' in outcome) await worker.terminate()
    else releaseWorker(worker)
    if (closed) throw new Closing()
    if ('text' in outcome) return outcome.text
    throw new Unreadable(outcome.reason)
  }

  function orClosing(error: unknown): never {
    throw closed ? new Closing() : error
  }

  function releaseWorker(worker: Worker): void {
    idle.push(worker)
    // Removed from the list before it ends: a file sent to an ending thread would fail as a broken one.
    setTimeout(() => takeFromIdle(worker) && void worker.terminate(), idleMs).unref()
  }

  function takeFromIdle(worker: Worker): boolean {
    const index = idle.indexOf(worker)
    if (index >= 0) idle.splice(index, 1)
    return index >= 0
  }

  async function inTurn<Result>(turns: Turns, userId: string, work: () => Promise<Result>): Promise<Result> {
    if (closed) throw new Closing()
    await turns.enter(userId)
    if (closed) throw new Closing()
    const run = work().finally(() => turns.leave(userId))
    running.add(run)
    return run.finally(() => running.delete(run))
  }

  return {
    use: (work, userId = '') => inTurn(reading, userId, () => work(parse)),
    beside: (work, userId = '') => inTurn(beside, userId, () => work(closing.signal)),
    close: async () => {
      closed = true
      closing.abort(new Closing())
      for (const turns of [reading, beside]) turns.endWaiting()
      await Promise.all([...alive.keys()].map((worker) => worker.terminate()))
      await Promise.allSettled(running)
    },
  }
}

type Outcome = { text: ReadText } | { reason: string } | { reason: string; died: true }

/** Sends one document to a worker. A timeout, a full heap and an exit are results too. */
function ask(
  worker: Worker,
  request: ParseRequest,
  isOver: () => boolean,
  onProgress: (percent: number) => void,
): Promise<Outcome> {
  return new Promise((done) => {
    const end = (outcome: Outcome) => {
      clearInterval(timer)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      done(outcome)
    }
    const onMessage = (answer: WorkerAnswer) => {
      if (answer.type === 'progress') onProgress(answer.percent)
      if (answer.type === 'text') end({ text: answer.text })
      if (answer.type === 'failed') end({ reason: answer.reason })
    }
    const onError = (error: NodeJS.ErrnoException) =>
      end({ reason: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? TOO_HEAVY : BROKEN, died: true })
    const onExit = () => end({ reason: BROKEN, died: true })
    const timer = setInterval(() => isOver() && end({ reason: TOO_SLOW, died: true }), CHECK_MS)
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    worker.postMessage(request, [request.bytes.buffer])
  })
}

/** A thread that does not start is an error of the server, not of the file. Returns its path in /proc. */
async function threadOf(worker: Worker): Promise<string | null> {
  const timeouts = new AbortController()
  const lost = once(worker, 'exit', { signal: timeouts.signal }).then(() => {
    throw new Error('The thread for reading files did not start')
  })
  try {
    const [answer] = await Promise.race([once(worker, 'message', { signal: timeouts.signal }), lost])
    return (answer as WorkerAnswer).type === 'ready' ? (answer as { thread: string | null }).thread : null
  } finally {
    timeouts.abort()
    lost.catch(() => undefined)
  }
}

/** The thread gets no environment variables, because they hold secrets, and its output is not logged. */
export function startWorker(heapMb: number, youngMb = 32): Worker {
  const { source, isCode } = workerSource('files-worker', new URL('./worker.ts', import.meta.url))
  const worker = new Worker(source, {
    eval: isCode,
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngMb, stackSizeMb: 4 },
  })
  worker.stdout.resume()
  worker.stderr.resume()
  worker.on('error', () => {})
  worker.unref()
  return worker
}
