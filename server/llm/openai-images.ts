import type { IncomingMessage } from 'node:http'
import * as z from 'zod/mini'
import { connectionFailure, failureOf } from '#server/lib/failure.ts'
import type { Connection } from './connection.ts'
import { download, readBody } from './download.ts'
import { kindOf, LlmError } from './errors.ts'
import { type Draw, type DrawnImage, type DrawRequest, drawError, MAX_DRAWN_BYTES } from './llm.ts'
import { retryAfterMs } from './request.ts'

const TIMEOUT_MS = 180_000
/** Base64 takes a third more, plus the JSON around it. */
const MAX_ANSWER_BYTES = Math.ceil(MAX_DRAWN_BYTES * 1.34) + 64 * 1024

/**
 * Any endpoint with OpenAI's image generations API. One image a request, because each is charged and fails on its own.
 * `response_format` is not sent (newer models reject it), so both base64 and URL answers are read.
 */
export function openAiDraw({ post, host }: Connection, timeoutMs = TIMEOUT_MS): Draw {
  return async (request, signal) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const both = AbortSignal.any([signal, timeout])
    try {
      const body = () => JSON.stringify(wireRequest(request))
      const response = await post('/images/generations', { body, signal: both })
      return await readImage(response, host, both)
    } catch (error) {
      if (error instanceof LlmError) throw error
      if (signal.aborted) throw signal.reason
      if (timeout.aborted) throw drawError('timeout', { reason: 'late' })
      throw drawError('down', { failure: connectionFailure(error) })
    }
  }
}

const wireRequest = ({ model, prompt, size }: DrawRequest) => ({ model, prompt, n: 1, size })

const Answer = z.object({
  data: z
    .array(z.object({ b64_json: z.optional(z.nullable(z.string())), url: z.optional(z.nullable(z.string())) }))
    .check(z.minLength(1)),
})

async function readImage(response: IncomingMessage, trusted: string, signal: AbortSignal): Promise<DrawnImage> {
  const status = response.statusCode ?? 0
  const text = (await readBody(response, MAX_ANSWER_BYTES)).toString('utf8')
  if (status < 200 || status > 299) {
    const failure = failureOf({ status, body: text, headers: response.headers })
    throw drawError(kindOf(status, text), { failure, retryAfterMs: retryAfterMs(response.headers) })
  }
  const answer = Answer.safeParse(parse(text))
  if (!answer.success) throw drawError(kindOf(500, text), { reason: 'unknown-answer' })
  const [image] = answer.data.data
  if (image?.b64_json) return { bytes: Buffer.from(image.b64_json, 'base64') }
  if (image?.url) return { bytes: await fetchImage(image.url, trusted, signal) }
  throw drawError('down', { reason: 'without-image' })
}

async function fetchImage(address: string, trusted: string, signal: AbortSignal): Promise<Uint8Array> {
  if (address.startsWith('data:')) return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64')
  return download(address, { trusted, maxBytes: MAX_DRAWN_BYTES, signal })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
