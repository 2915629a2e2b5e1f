import { Worker } from 'node:worker_threads'

/** Plain JavaScript: a thread from a file would have to be built. It answers with the value, or without one. */
const CODE = `
const { parentPort } = require('node:worker_threads')
const wellFormed = (_name, value) => (typeof value === 'string' ? value.toWellFormed() : value)
parentPort.on('message', (bytes) => {
  let answer = {}
  try {
    const text = Buffer.from(bytes).toString('utf8')
    answer = { value: /\\u[dD]/.test(text) ? JSON.parse(text, wellFormed) : JSON.parse(text) }
  } catch {}
  parentPort.postMessage(answer)
})`

const HEAP_MB = 256
const IDLE_MS = 30_000

let worker: Worker | null = null
let idle: NodeJS.Timeout | undefined
let last: Promise<unknown> = Promise.resolve()

/** Parses one text at a time, outside the main thread. Throws when it is not JSON. */
export function parseInThread(bytes: Buffer): Promise<unknown> {
  const parsed = last.then(() => ask(bytes))
  last = parsed.catch(() => undefined)
  return parsed
}

function ask(bytes: Buffer): Promise<unknown> {
  const thread = worker ?? startWorker()
  worker = thread
  clearTimeout(idle)
  thread.ref()
  return new Promise((done, fail) => {
    const finish = (answer: { value?: unknown } | null) => {
      thread.off('message', finish).off('exit', onExit).unref()
      idle = setTimeout(() => void thread.terminate(), IDLE_MS).unref()
      if (answer && 'value' in answer) done(answer.value)
      else fail(answer ? new SyntaxError('Not JSON') : new Error('The thread that parses JSON has ended'))
    }
    const onExit = () => finish(null)
    thread.on('message', finish).once('exit', onExit)
    thread.postMessage(bytes)
  })
}

function startWorker(): Worker {
  const started = new Worker(CODE, { eval: true, env: {}, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } })
  // Its end is noticed by whoever waits for an answer.
  started.on('error', () => undefined)
  started.once('exit', () => {
    if (worker === started) worker = null
  })
  return started
}
