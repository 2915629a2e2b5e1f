import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { workerSource } from '#server/lib/worker-source.ts'
import type { Pixels } from './bmp.ts'

/** Kinds that sharp does not decode. */
const foreign = new Set(['image/bmp', 'image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence'])

export const needsDecoder = (mime: string) => foreign.has(mime)

export interface DecodeRequest {
  image: string
  maxPixels: number
  bytes: Uint8Array<ArrayBuffer>
}

const DECODE_MS = 60_000

/** Decodes a picture in a thread of its own, which ends with it: it takes seconds, and a file may make it crash. */
export async function decodePicture(path: string, mime: string, maxPixels: number): Promise<Pixels> {
  const { source, isCode } = workerSource('files-worker', new URL('./worker.ts', import.meta.url))
  const worker = new Worker(source, {
    ...{ eval: isCode, env: {}, execArgv: [], stdout: true, stderr: true },
    resourceLimits: { maxOldGenerationSizeMb: 512, stackSizeMb: 4 },
  })
  worker.stdout.resume()
  worker.stderr.resume()
  const signal = AbortSignal.timeout(DECODE_MS)
  const ended = once(worker, 'exit', { signal }).then(() => {
    throw new Error('The thread for decoding a picture ended early')
  })
  const answered = async () => {
    await once(worker, 'message', { signal })
    const bytes = new Uint8Array(await readFile(path))
    const request: DecodeRequest = { image: mime, maxPixels, bytes }
    worker.postMessage(request, [bytes.buffer])
    const [answer] = (await once(worker, 'message', { signal })) as [{ pixels?: Pixels }]
    if (!answer.pixels) throw new Error('The picture does not decode')
    return answer.pixels
  }
  try {
    return await Promise.race([answered(), ended])
  } finally {
    ended.catch(() => undefined)
    await worker.terminate()
  }
}
