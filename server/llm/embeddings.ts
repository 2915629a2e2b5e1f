import type { IncomingMessage } from 'node:http'
import * as z from 'zod/mini'
import type { Connection, Parameter } from './connection.ts'
import { LlmError, rejectedBy, unreachable } from './errors.ts'
import { retryAfterMs, withRetry } from './request.ts'

/** Returns a vector for each text, in the order of the texts. */
export type Embed = (texts: string[], signal: AbortSignal, options?: EmbedOptions) => Promise<number[][]>

interface EmbedOptions {
  dimensions?: number
  /** Texts that are already cut into tokens of the model, in place of `texts`. */
  tokens?: number[][]
}

interface Timeouts {
  timeoutMs: number
  retryMs: number
}

const timeouts: Timeouts = { timeoutMs: 60_000, retryMs: 500 }
/** 2048 vectors of 3072 numbers of 20 characters. */
const MAX_ANSWER_BYTES = 130 * 1024 * 1024

const Answer = z.object({
  data: z.array(z.object({ index: z.optional(z.number()), embedding: z.array(z.number()) })),
})

const parameters: Parameter[] = [{ name: 'format', forms: [{ encoding_format: 'float' }, {}] }]

/** Any endpoint with OpenAI's embeddings API. A temporary error is retried once. */
export function openAiEmbed(
  { post, forms }: Connection,
  model: string,
  { timeoutMs, retryMs }: Timeouts = timeouts,
): Embed {
  const ask = async (input: string[] | number[][], signal: AbortSignal, fixed: object) => {
    const late = AbortSignal.timeout(timeoutMs)
    try {
      const both = AbortSignal.any([signal, late])
      const text = await forms.ask(model, parameters, async (options) => {
        const body = () => JSON.stringify({ model, input, ...fixed, ...options })
        const response = await post('/embeddings', { body, signal: both })
        const answer = await textOf(response)
        if (response.statusCode !== 200) throw rejection(response, answer)
        return answer
      })
      return parseVectors(text, input.length)
    } catch (error) {
      if (error instanceof LlmError) throw error
      if (signal.aborted) throw signal.reason
      if (late.aborted) throw new LlmError('timeout', { reason: 'late' })
      throw unreachable(error)
    }
  }
  return async (texts, signal, { tokens, ...fixed } = {}) => {
    const input = tokens ?? texts
    if (input.length === 0) return []
    return withRetry(() => ask(input, signal, fixed), signal, {
      tries: 2,
      waitMs: () => retryMs,
      mayRetry: (error) => error.isTemporary,
    })
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES) throw new LlmError('down', { reason: 'answer-without-end' })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function rejection({ statusCode = 0, headers }: IncomingMessage, text: string): LlmError {
  return rejectedBy({ status: statusCode, text, headers, retryAfterMs: retryAfterMs(headers) })
}

/** Checks that there is one vector for each text, all of one length and finite. */
function parseVectors(text: string, count: number): number[][] {
  const answer = Answer.safeParse(parseJson(text))
  if (!answer.success) throw new LlmError('down', { reason: 'unknown-answer' })
  const { data } = answer.data
  const vectors = data.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)).map(({ embedding }) => embedding)
  const size = vectors[0]?.length ?? 0
  const isWhole = vectors.length === count && size > 0
  if (!isWhole || vectors.some((vector) => vector.length !== size || !vector.every(Number.isFinite))) {
    throw new LlmError('down', { reason: 'count-of-vectors' })
  }
  return vectors
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
