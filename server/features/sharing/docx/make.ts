import { Worker } from 'node:worker_threads'
import type { Message, Thread } from '#contract/threads.ts'
import { AppError } from '#server/lib/errors.ts'
import { createTurns } from '#server/lib/fair-turns.ts'
import { workerSource } from '#server/lib/worker-source.ts'
import type { Transcript } from '../../transcriptions/docx-file.ts'

/** What the thread gets: everything as values. */
export type DocxRequest =
  | { type: 'thread'; owner: string; thread: Thread; messages: (Message & { speaker: string })[] }
  | { type: 'transcript'; owner: string; transcript: Transcript }
  /** Markdown under a title and a line about it. */
  | { type: 'text'; owner: string; title: string; note: string; text: string }

const MAX_MS = 30_000
const IDLE_MS = 60_000
const HEAP_MB = 512
/** One document of a person at a time, so that a long one holds up its owner only. */
const turns = createTurns({ size: 2, ofPerson: 1 })
const TOO_HEAVY = 'Документ Word получается слишком сложным. Скачайте текст в другом формате.'

let idle: { worker: Worker; end: NodeJS.Timeout } | null = null

/**
 * Makes a Word document in a thread: the parser of Markdown takes the square of a text without sense, and the packing of
 * a long document takes seconds.
 */
export const makeDocx = (userId: string, request: DocxRequest): Promise<Uint8Array<ArrayBuffer>> =>
  turns.run(userId, () => write(request))

async function write(request: DocxRequest): Promise<Uint8Array<ArrayBuffer>> {
  const worker = takeWorker()
  try {
    const bytes = await ask(worker, request)
    keepIdle(worker)
    return bytes
  } catch (error) {
    await worker.terminate()
    throw error
  }
}

function takeWorker(): Worker {
  const waiting = idle
  idle = null
  clearTimeout(waiting?.end)
  if (waiting) return waiting.worker
  const { source, isCode } = workerSource('docx-worker', new URL('./worker.ts', import.meta.url))
  const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB }
  const worker = new Worker(source, { eval: isCode, env: {}, execArgv: [], resourceLimits })
  worker.unref()
  return worker
}

function keepIdle(worker: Worker): void {
  if (idle) {
    void worker.terminate()
    return
  }
  // Not all of them: the worker itself listens for listeners, and would not receive the next message.
  worker.removeAllListeners('error').removeAllListeners('exit')
  const forget = () => {
    if (idle?.worker === worker) idle = null
  }
  worker.on('error', forget).on('exit', forget)
  const end = setTimeout(() => {
    forget()
    void worker.terminate()
  }, IDLE_MS).unref()
  idle = { worker, end }
}

function ask(worker: Worker, request: DocxRequest): Promise<Uint8Array<ArrayBuffer>> {
  const tooHeavy = () => new AppError('payload_too_large', TOO_HEAVY)
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(tooHeavy()), MAX_MS)
    const isOver = () => clearTimeout(timer)
    worker.once('message', (bytes: Uint8Array<ArrayBuffer>) => {
      isOver()
      done(bytes)
    })
    worker.once('error', (error: NodeJS.ErrnoException) => {
      isOver()
      fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooHeavy() : error)
    })
    worker.once('exit', () => {
      isOver()
      fail(new Error('The thread for Word documents ended without a document'))
    })
    worker.postMessage(request)
  })
}
