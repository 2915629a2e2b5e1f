import { parentPort } from 'node:worker_threads'
import type { ArchiveAnswer, ArchiveRequest } from './chats/archive-worker.ts'
import type { DecodeRequest } from './decode-picture.ts'
import type { ParseRequest, WorkerAnswer } from './pool.ts'
import { readDocument, readPicture } from './read-document.ts'
import { BROKEN, TOO_HEAVY, Unreadable } from './rejections.ts'
import { threadPath } from './work-clock.ts'

/** The worker thread that reads documents: bytes in, a text or a reason out. */

/** Typed arrays are outside the heap limit of the thread, and a stream in a PDF may claim a thousand times its size. */
const MAX_ARRAY_BYTES = 64 * 1024 * 1024

/** Counted, because parsers catch the error and continue as if that part of the file were empty. */
let rejectedArrays = 0

const post = (answer: WorkerAnswer) => parentPort?.postMessage(answer)

restrictWorkerGlobals()
parentPort?.on('message', (request: ParseRequest | DecodeRequest | ArchiveRequest) => {
  if ('archive' in request) void readArchive(request).then((answer) => parentPort?.postMessage(answer))
  else void ('image' in request ? decode(request) : read(request).then(post))
})
post({ type: 'ready', thread: threadPath() })

/** The thread ends after a picture, so its error is only that there are no pixels. */
async function decode({ image, bytes, maxPixels }: DecodeRequest): Promise<void> {
  try {
    const pixels =
      image === 'image/bmp'
        ? (await import('./bmp.ts')).readBmp(bytes, maxPixels)
        : await (await import('./heic.ts')).readHeic(bytes, maxPixels)
    parentPort?.postMessage({ pixels }, [pixels.data.buffer])
  } catch {
    parentPort?.postMessage({})
  }
}

let reader: ((request: ArchiveRequest) => Promise<ArchiveAnswer>) | null = null

/** A thread reads one archive, from its opening to its end. */
async function readArchive(request: ArchiveRequest): Promise<ArchiveAnswer> {
  reader ??= (await import('./chats/archive-worker.ts')).archiveReader()
  return reader(request)
}

async function read({ mime, bytes, page, picture }: ParseRequest): Promise<WorkerAnswer> {
  const rejectedBefore = rejectedArrays
  let reported = 0
  try {
    const onProgress = (percent: number) => {
      if (percent < reported + 5) return
      reported = percent
      post({ type: 'progress', percent })
    }
    const text = picture ? await readPicture(bytes, picture) : await readDocument(mime, bytes, onProgress, page)
    if (rejectedArrays > rejectedBefore) throw new Unreadable(TOO_HEAVY)
    return { type: 'text', text }
  } catch (error) {
    const known = error instanceof Unreadable && rejectedArrays === rejectedBefore
    const reason = rejectedArrays > rejectedBefore ? TOO_HEAVY : BROKEN
    return { type: 'failed', reason: known ? error.message : reason, cause: error instanceof Error ? error.name : '' }
  }
}

/** Sets the limits that a worker cannot be given from outside; the large parsers are imported after this. */
function restrictWorkerGlobals(): void {
  const Capped: Uint8ArrayConstructor = new Proxy(globalThis.Uint8Array, {
    construct(target, args, newTarget) {
      if (typeof args[0] === 'number' && args[0] > MAX_ARRAY_BYTES) {
        rejectedArrays += 1
        throw new RangeError('Too large an array of bytes')
      }
      return Reflect.construct(target, args, newTarget === Capped ? target : newTarget)
    },
  })
  globalThis.Uint8Array = Capped
  // DecompressionStream would unpack outside the cap; without it PDFs are unpacked in JavaScript.
  for (const name of ['DecompressionStream', 'fetch', 'WebSocket', 'EventSource'])
    Reflect.deleteProperty(globalThis, name)
}
