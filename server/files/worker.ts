import { parentPort } from 'node:worker_threads'
import type { WorkerAnswer, WorkerOrder } from './pool.ts'
import { readDocument } from './read-document.ts'
import { refusedArrays, restrictWorkerGlobals } from './sandbox.ts'
import { BROKEN, TOO_HEAVY, Unreadable } from './unreadable.ts'

/** The thread in which documents are read. It is given bytes and answers with a text or a reason, and knows no more. */
const say = (answer: WorkerAnswer) => parentPort?.postMessage(answer)

restrictWorkerGlobals()
parentPort?.on('message', (order: WorkerOrder) => {
  void read(order).then(say)
})
say({ type: 'ready' })

async function read({ mime, bytes }: WorkerOrder): Promise<WorkerAnswer> {
  const refusedBefore = refusedArrays()
  let told = 0
  try {
    const text = await readDocument(mime, bytes, (percent) => {
      if (percent < told + 5) return
      told = percent
      say({ type: 'progress', percent })
    })
    if (refusedArrays() > refusedBefore) throw new Unreadable(TOO_HEAVY)
    return { type: 'text', text }
  } catch (error) {
    const known = error instanceof Unreadable && refusedArrays() === refusedBefore
    const reason = refusedArrays() > refusedBefore ? TOO_HEAVY : BROKEN
    return { type: 'failed', reason: known ? error.message : reason, cause: error instanceof Error ? error.name : '' }
  }
}
