import { Worker } from 'node:worker_threads'
import { AppError } from '#server/lib/errors.ts'
import { workerSource } from '#server/lib/worker-source.ts'
import type { JsonLimits } from './json-size.ts'

export interface JsonRequest {
  bytes: Uint8Array
  limits: JsonLimits
}

/** Without a code it is not JSON. */
export type JsonAnswer = { value: unknown } | { code: AppError['code']; message: string } | { code: null }

const HEAP_MB = 256
const IDLE_MS = 30_000

let worker: Worker | null = null
let idle: NodeJS.Timeout | undefined
let last: Promise<unknown> = Promise.resolve()

/** Counts and parses one text at a time, outside the main thread. Throws SyntaxError when it is not JSON. */
export function parseInThread(request: JsonRequest): Promise<unknown> {
  const parsed = last.then(() => ask(request))
  last = parsed.catch(() => undefined)
  return parsed
}

function ask(request: JsonRequest): Promise<unknown> {
  const thread = worker ?? startWorker()
  worker = thread
  clearTimeout(idle)
  thread.ref()
  return new Promise((done, fail) => {
    const finish = (answer: JsonAnswer | null) => {
      thread.off('message', finish).off('exit', onExit).unref()
      idle = setTimeout(() => void thread.terminate(), IDLE_MS).unref()
      if (answer === null) fail(new Error('The thread that parses JSON has ended'))
      else if ('value' in answer) done(answer.value)
      else fail(answer.code === null ? new SyntaxError('Not JSON') : new AppError(answer.code, answer.message))
    }
    const onExit = () => finish(null)
    thread.on('message', finish).once('exit', onExit)
    thread.postMessage(request)
  })
}

function startWorker(): Worker {
  const { source, isCode } = workerSource('json-worker', new URL('./json-worker.ts', import.meta.url))
  const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB }
  const started = new Worker(source, { eval: isCode, env: {}, execArgv: [], resourceLimits })
  // Its end is noticed by whoever waits for an answer.
  started.on('error', () => undefined)
  started.once('exit', () => {
    if (worker === started) worker = null
  })
  return started
}
