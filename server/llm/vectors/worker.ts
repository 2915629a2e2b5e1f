import { parentPort } from 'node:worker_threads'
import type { VectorRequest } from './make.ts'
import { readVectors, writeVectors } from './vectors.ts'

parentPort?.once('message', ({ blocks, count, form }: VectorRequest) => {
  const packed = readVectors(Buffer.concat(blocks), count)
  if (!packed || form === 'numbers') return parentPort?.postMessage(packed, packed ? [packed.numbers.buffer] : [])
  const written = writeVectors(packed, form)
  return parentPort?.postMessage(written, [written.buffer])
})
