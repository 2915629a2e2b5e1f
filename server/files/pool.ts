import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { ReadText } from './tidy.ts'
import { BROKEN, TOO_HEAVY, TOO_SLOW, Unreadable } from './unreadable.ts'

export interface WorkerOrder {
  mime: string
  bytes: Uint8Array<ArrayBuffer>
}

export type WorkerAnswer =
  | { type: 'ready' }
  | { type: 'progress'; percent: number }
  | { type: 'text'; text: ReadText }
  | { type: 'failed'; reason: string; cause: string }

/** Reads one document in a thread of its own; throws `Unreadable` with a reason, or `Closing` when the server stops. */
export type Parse = (order: WorkerOrder, onProgress?: (percent: number) => void) => Promise<ReadText>

export interface Pool {
  /**
   * Waits for a free thread, then lets `work` use it. What is loaded inside is held by as many files as there are
   * threads. Those who wait take turns by `person`, so that many files of one do not hold up another's.
   */
  use: <Result>(work: (parse: Parse) => Promise<Result>, person?: string) => Promise<Result>
  /** Work on what was read, beside the threads and few at a time. It is told when the server stops, and waited for. */
  beside: <Result>(work: (closing: AbortSignal) => Promise<Result>, person?: string) => Promise<Result>
  /** Ends the threads; whoever waits is told `Closing`. */
  close: () => Promise<void>
}

export interface PoolLimits {
  threads: number
  wallMs: number
  heapMb: number
}

export class Closing extends Error {
  override name = 'Closing'
}

const IDLE_MS = 60_000
const BESIDE = 2

export function createPool({ threads, wallMs, heapMb }: PoolLimits): Pool {
  const idle: Worker[] = []
  const alive = new Set<Worker>()
  const running = new Set<Promise<unknown>>()
  const closing = new AbortController()
  const [reading, beside] = [createTurns(threads), createTurns(BESIDE)]
  let closed = false

  async function hire(): Promise<Worker> {
    const rested = idle.pop()
    if (rested) return rested
    const worker = startWorker(heapMb)
    alive.add(worker)
    worker.once('exit', () => {
      alive.delete(worker)
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1)
    })
    await isReady(worker)
    return worker
  }

  const parse: Parse = async (order, onProgress = () => {}) => {
    if (closed) throw new Closing()
    const worker = await hire().catch(orClosing)
    const outcome = await ask(worker, order, wallMs, onProgress)
    if ('died' in outcome) await worker.terminate()
    else rest(worker)
    if (closed) throw new Closing()
    if ('text' in outcome) return outcome.text
    throw new Unreadable(outcome.reason)
  }

  function orClosing(error: unknown): never {
    throw closed ? new Closing() : error
  }

  function rest(worker: Worker): void {
    idle.push(worker)
    setTimeout(() => idle.includes(worker) && void worker.terminate(), IDLE_MS).unref()
  }

  async function inTurn<Result>(turns: Turns, person: string, work: () => Promise<Result>): Promise<Result> {
    if (closed) throw new Closing()
    await turns.enter(person)
    if (closed) throw new Closing()
    const run = work().finally(() => turns.leave(person))
    running.add(run)
    return run.finally(() => running.delete(run))
  }

  return {
    use: (work, person = '') => inTurn(reading, person, () => work(parse)),
    beside: (work, person = '') => inTurn(beside, person, () => work(closing.signal)),
    close: async () => {
      closed = true
      closing.abort(new Closing())
      for (const turns of [reading, beside]) turns.endWaiting()
      await Promise.all([...alive].map((worker) => worker.terminate()))
      await Promise.allSettled(running)
    },
  }
}

type Turns = ReturnType<typeof createTurns>

interface Person {
  waiting: (() => void)[]
  running: number
  /** Which turn in all was this person's last. */
  lastTurn: number
}

/** So many at a time. Of those who wait, the next is who has least running, then who has waited longest for a turn. */
function createTurns(places: number) {
  const people = new Map<string, Person>()
  let free = places
  let turns = 0

  function start(person: Person): void {
    person.running += 1
    person.lastTurn = ++turns
  }

  function nextPerson(): Person | undefined {
    return [...people.values()]
      .filter(({ waiting }) => waiting.length > 0)
      .toSorted((a, b) => a.running - b.running || a.lastTurn - b.lastTurn)[0]
  }

  return {
    enter: async (name: string) => {
      const person = people.get(name) ?? { waiting: [], running: 0, lastTurn: 0 }
      people.set(name, person)
      if (free === 0) return new Promise<void>((turn) => person.waiting.push(turn))
      free -= 1
      start(person)
    },
    leave: (name: string) => {
      const person = people.get(name)
      if (person) person.running -= 1
      const next = nextPerson()
      if (next) {
        start(next)
        next.waiting.shift()?.()
      } else free += 1
      if (person?.running === 0 && person.waiting.length === 0) people.delete(name)
    },
    endWaiting: () => {
      for (const { waiting } of people.values()) for (const turn of waiting.splice(0)) turn()
    },
  }
}

type Outcome = { text: ReadText } | { reason: string } | { reason: string; died: true }

/** One question to a worker. Silence past the limit, a full heap or an exit are answers too. */
function ask(
  worker: Worker,
  order: WorkerOrder,
  wallMs: number,
  onProgress: (percent: number) => void,
): Promise<Outcome> {
  return new Promise((done) => {
    const end = (outcome: Outcome) => {
      clearTimeout(timer)
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
    const timer = setTimeout(() => end({ reason: TOO_SLOW, died: true }), wallMs)
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    worker.postMessage(order, [order.bytes.buffer])
  })
}

/** A thread that cannot even start is no fault of the file. */
async function isReady(worker: Worker): Promise<void> {
  const timeouts = new AbortController()
  const lost = once(worker, 'exit', { signal: timeouts.signal }).then(() => {
    throw new Error('The thread for reading files did not start')
  })
  try {
    await Promise.race([once(worker, 'message', { signal: timeouts.signal }), lost])
  } finally {
    timeouts.abort()
    lost.catch(() => undefined)
  }
}

/** No settings of the server reach the thread, and nothing it prints reaches the log. */
function startWorker(heapMb: number): Worker {
  const { source, isCode } = workerSource()
  const worker = new Worker(source, {
    eval: isCode,
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  })
  worker.stdout.resume()
  worker.stderr.resume()
  worker.on('error', () => {})
  worker.unref()
  return worker
}

/** Beside the built server, a file of its own; from the sources, TypeScript, which the thread must first learn to read. */
function workerSource(): { source: string | URL; isCode: boolean } {
  const here = dirname(fileURLToPath(import.meta.url))
  const built = [here, dirname(here)].map((folder) => join(folder, 'files-worker.js')).find((path) => existsSync(path))
  if (built) return { source: pathToFileURL(built), isCode: false }
  const sources = JSON.stringify(new URL('./worker.ts', import.meta.url).href)
  const source = `import('tsx/esm/api').then(({ register }) => { register(); return import(${sources}) })`
  return { source, isCode: true }
}
