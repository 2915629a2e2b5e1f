import type { IncomingMessage } from 'node:http'
import type { Connection, Parameter } from './connection.ts'
import { LlmError, rejectedBy, unreachable } from './errors.ts'
import { retryAfterMs, withRetry } from './request.ts'
import { type MadeVectors, makeVectors } from './vectors/make.ts'
import { type VectorForm, vectorsOf } from './vectors/vectors.ts'

export type Vector = Float32Array | Float64Array | readonly number[]

/** Returns a vector for each text, in the order of the texts. */
export type Embed = (texts: string[], signal: AbortSignal) => Promise<Vector[]>

/** Returns the vectors as the `data` of an answer in OpenAI's form; the main thread does not read them. */
export type EmbedWritten = (
  request: WrittenRequest,
  signal: AbortSignal,
) => Promise<MadeVectors[WrittenRequest['form']]>

interface WrittenRequest {
  /** Texts, or texts that are already cut into tokens of the model. */
  input: readonly string[] | readonly number[][]
  form: 'float' | 'base64'
  dimensions?: number
  userId: string
}

interface Timeouts {
  timeoutMs: number
  retryMs: number
}

const timeouts: Timeouts = { timeoutMs: 60_000, retryMs: 500 }
/** 2048 vectors of 3072 numbers of 20 characters. */
const MAX_ANSWER_BYTES = 130 * 1024 * 1024
const BLOCK_BYTES = 1024 * 1024

/** Base64 is a third of the size of numbers, and there is nothing to read in it. */
const parameters: Parameter[] = [
  { name: 'format', forms: [{ encoding_format: 'base64' }, { encoding_format: 'float' }, {}] },
]

interface Asked<Form extends VectorForm> extends Pick<WrittenRequest, 'input' | 'dimensions'> {
  form: Form
  userId?: string
}

/** Any endpoint with OpenAI's embeddings API. A temporary error is retried once. */
export function openAiEmbed(
  { post, forms }: Connection,
  model: string,
  { timeoutMs, retryMs }: Timeouts = timeouts,
): { embed: Embed; embedWritten: EmbedWritten } {
  async function ask<Form extends VectorForm>(
    { input, form, dimensions, userId = '' }: Asked<Form>,
    signal: AbortSignal,
  ): Promise<MadeVectors[Form]> {
    const late = AbortSignal.timeout(timeoutMs)
    try {
      const both = AbortSignal.any([signal, late])
      const blocks = await forms.ask(model, parameters, async (options) => {
        const body = () => JSON.stringify({ model, input, dimensions, ...options })
        const response = await post('/embeddings', { body, signal: both })
        const answer = await blocksOf(response)
        if (response.statusCode !== 200) throw rejection(response, answer)
        return answer
      })
      const made = await makeVectors({ blocks, count: input.length, form }, userId, both)
      if (!made) throw new LlmError('down', { reason: 'unknown-answer' })
      return made
    } catch (error) {
      if (error instanceof LlmError) throw error
      if (signal.aborted) throw signal.reason
      if (late.aborted) throw new LlmError('timeout', { reason: 'late' })
      throw unreachable(error)
    }
  }
  const askPatiently = <Form extends VectorForm>(asked: Asked<Form>, signal: AbortSignal) =>
    withRetry(() => ask(asked, signal), signal, {
      tries: 2,
      waitMs: () => retryMs,
      mayRetry: (error) => error.isTemporary,
    })
  return {
    embed: async (input, signal) =>
      input.length === 0 ? [] : vectorsOf(await askPatiently({ input, form: 'numbers' }, signal)),
    embedWritten: askPatiently,
  }
}

/** In blocks that a thread can take over: a copy of the whole would hold up the others. */
async function blocksOf(response: IncomingMessage): Promise<Uint8Array<ArrayBuffer>[]> {
  const blocks: Uint8Array<ArrayBuffer>[] = []
  let block = new Uint8Array(0)
  let [at, bytes] = [0, 0]
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES) throw new LlmError('down', { reason: 'answer-without-end' })
    for (let from = 0; from < chunk.length; ) {
      if (at === block.length) {
        block = new Uint8Array(BLOCK_BYTES)
        blocks.push(block)
        at = 0
      }
      const part = chunk.subarray(from, from + block.length - at)
      block.set(part, at)
      at += part.length
      from += part.length
    }
  }
  const last = blocks.pop()
  return last ? [...blocks, last.subarray(0, at)] : []
}

function rejection({ statusCode = 0, headers }: IncomingMessage, [first = new Uint8Array()]: Uint8Array[]): LlmError {
  const text = Buffer.from(first).toString('utf8')
  return rejectedBy({ status: statusCode, text, headers, retryAfterMs: retryAfterMs(headers) })
}
