import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { createTurns } from '#server/lib/fair-turns.ts'
import { workerSource } from '#server/lib/worker-source.ts'
import { type PackedVectors, readVectors, type VectorForm, writeVectors } from './vectors.ts'

/** The answer of a provider in blocks, which the thread takes over. */
export interface VectorRequest {
  blocks: Uint8Array<ArrayBuffer>[]
  count: number
  form: VectorForm
}

/** What each form gives. */
export interface MadeVectors {
  numbers: PackedVectors
  float: Uint8Array<ArrayBuffer>
  base64: Uint8Array<ArrayBuffer>
}

/** A smaller answer takes a few milliseconds, which is less than starting a thread. */
const SMALL_BYTES = 128 * 1024
const MAX_MS = 30_000
const HEAP_MB = 512

/** One at a time: an answer of 2048 texts takes a hundred megabytes. */
const turns = createTurns({ size: 1 })

/**
 * Reads the answer of a provider and writes it in the wanted form; null when it is not an answer. A large one is read in
 * a thread of its own: a batch of 2048 texts has three million numbers.
 */
export async function makeVectors<Form extends VectorForm>(
  request: VectorRequest & { form: Form },
  userId: string,
  signal: AbortSignal,
): Promise<MadeVectors[Form] | null> {
  const bytes = request.blocks.reduce((sum, { length }) => sum + length, 0)
  const made =
    bytes <= SMALL_BYTES ? makeHere(request) : await turns.run(userId, () => inThread(request, signal), signal)
  return made as MadeVectors[Form] | null
}

function makeHere({ blocks, count, form }: VectorRequest): MadeVectors[VectorForm] | null {
  const packed = readVectors(Buffer.concat(blocks), count)
  return packed && form !== 'numbers' ? writeVectors(packed, form) : packed
}

async function inThread(request: VectorRequest, signal: AbortSignal): Promise<MadeVectors[VectorForm] | null> {
  const { source, isCode } = workerSource('vectors-worker', new URL('./worker.ts', import.meta.url))
  const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB }
  const worker = new Worker(source, { eval: isCode, env: {}, execArgv: [], resourceLimits })
  try {
    const ends = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)])
    const answered = once(worker, 'message', { signal: ends })
    worker.postMessage(
      request,
      request.blocks.map(({ buffer }) => buffer),
    )
    const [made] = (await answered) as [MadeVectors[VectorForm] | null]
    return made
  } finally {
    await worker.terminate()
  }
}
