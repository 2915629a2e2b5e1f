import { parentPort } from 'node:worker_threads'
import { AppError } from '#server/lib/errors.ts'
import { parseChecked } from './json-size.ts'
import type { JsonAnswer, JsonRequest } from './json-thread.ts'

parentPort?.on('message', ({ bytes, limits }: JsonRequest) => parentPort?.postMessage(answerTo(bytes, limits)))

function answerTo(bytes: JsonRequest['bytes'], limits: JsonRequest['limits']): JsonAnswer {
  try {
    return { value: parseChecked(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), limits) }
  } catch (error) {
    return error instanceof AppError ? { code: error.code, message: error.message } : { code: null }
  }
}
