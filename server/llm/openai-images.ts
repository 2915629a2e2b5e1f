import type { IncomingMessage } from 'node:http'
import * as z from 'zod/mini'
import { AppError } from '#server/lib/errors.ts'
import { connectionFailure, failureOf } from '#server/lib/failure.ts'
import type { Connection, Parameter } from './connection.ts'
import { download, readBody } from './download.ts'
import { kindOf, LlmError, MAX_ERROR_TEXT } from './errors.ts'
import { type Draw, type DrawnImage, type DrawRequest, drawError, MAX_DRAWN_BYTES } from './llm.ts'
import { createByteBudget, retryAfterMs } from './request.ts'

const TIMEOUT_MS = 180_000
/** Base64 takes a third more, plus the JSON around it. */
const MAX_ANSWER_BYTES = Math.ceil(MAX_DRAWN_BYTES * 1.34) + 64 * 1024
/** Unfinished images that are asked for; the provider sends at most three. */
const PARTIAL_IMAGES = 2

const MB = 1024 * 1024
/** Images of changes that are being sent. Changes run in the background, so they may wait longer than a chat. */
const sentImages = createByteBudget({ processBytes: 96 * MB, userBytes: 96 * MB, waitMs: 120_000 })

/**
 * Any endpoint with OpenAI's image API. One image a request, because each is charged and fails on its own.
 * `response_format` is not sent (newer models reject it), so both base64 and URL answers are read.
 */
export function openAiDraw({ post, host, forms }: Connection, timeoutMs = TIMEOUT_MS): Draw {
  return (request, signal) =>
    inTime(signal, timeoutMs, (both) =>
      forms.ask(`${request.model} ${request.change ? 'change' : 'draw'}`, parameters(request), async (optional) => {
        const fields = { ...fieldsOf(request), ...optional }
        if (!request.change) {
          const response = await post('/images/generations', { body: () => JSON.stringify(fields), signal: both })
          return readImage(response, { host, signal: both, onPartial: request.onPartial })
        }
        return whenThereIsRoom(request, both, async () => {
          const { type, body } = await encodeForm(changeForm(request, fields))
          const headers = { 'content-type': type }
          const response = await post('/images/edits', { headers, body: () => body, signal: both })
          return readImage(response, { host, signal: both, onPartial: request.onPartial })
        })
      }),
    )
}

/** Ends a call after the time, and gives every failure its kind. */
export async function inTime<Result>(
  signal: AbortSignal,
  ms: number,
  call: (both: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const timeout = AbortSignal.timeout(ms)
  try {
    return await call(AbortSignal.any([signal, timeout]))
  } catch (error) {
    if (error instanceof LlmError) throw error
    if (signal.aborted) throw signal.reason
    if (timeout.aborted) throw drawError('timeout', { reason: 'late' })
    if (error instanceof AppError) throw drawError('busy', { reason: 'late' })
    throw drawError('down', { failure: connectionFailure(error) })
  }
}

/** Waits until the images of a change fit into the memory that all of them may take. */
export async function whenThereIsRoom<Result>(
  { change, userId = '' }: DrawRequest,
  signal: AbortSignal,
  send: () => Promise<Result>,
): Promise<Result> {
  const bytes = (change?.images ?? []).reduce((sum, image) => sum + image.bytes.length, 0)
  const release = await sentImages.take(userId, bytes, signal)
  try {
    return await send()
  } finally {
    release()
  }
}

type Fields = Record<string, string | number | boolean>

const fieldsOf = ({ model, prompt, size, transparent }: DrawRequest): Fields => ({
  model,
  prompt,
  n: 1,
  size,
  ...(transparent ? { background: 'transparent', output_format: 'png' } : {}),
})

/** What some models of the same API refuse; without it the image is only less faithful or comes at once. */
function parameters({ change, onPartial }: DrawRequest): Parameter<Fields>[] {
  return [
    ...(change ? [{ name: 'fidelity', forms: [{ input_fidelity: 'high' }, {}] }] : []),
    ...(onPartial ? [{ name: 'partial', forms: [{ stream: true, partial_images: PARTIAL_IMAGES }, {}] }] : []),
  ]
}

const extensions: Record<string, string> = { 'image/jpeg': 'jpg', 'image/webp': 'webp' }

function changeForm({ change }: DrawRequest, fields: Fields): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
  const images = change?.images ?? []
  // A list only for several: older models and gateways know a single `image`.
  const name = images.length > 1 ? 'image[]' : 'image'
  for (const [i, { mime, bytes }] of images.entries())
    form.append(name, new File([new Uint8Array(bytes)], `image-${i + 1}.${extensions[mime] ?? 'png'}`, { type: mime }))
  if (change?.area) form.set('mask', new File([new Uint8Array(change.area)], 'mask.png', { type: 'image/png' }))
  return form
}

async function encodeForm(form: FormData): Promise<{ type: string; body: Buffer }> {
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type') ?? ''
  return { type, body: Buffer.from(await encoded.arrayBuffer()) }
}

const Item = z.object({ b64_json: z.optional(z.nullable(z.string())), url: z.optional(z.nullable(z.string())) })
const Answer = z.object({ data: z.array(Item).check(z.minLength(1)) })

interface Reading {
  host: string
  signal: AbortSignal
  onPartial: DrawRequest['onPartial']
}

async function readImage(response: IncomingMessage, reading: Reading): Promise<DrawnImage> {
  const isStream = /^text\/event-stream/i.test(response.headers['content-type'] ?? '')
  if (isStream && response.statusCode === 200) return readEvents(response, reading)
  const text = await readAnswer(response)
  const answer = Answer.safeParse(parseJson(text))
  const [image] = answer.data?.data ?? []
  if (!image) throw drawError(kindOf(500, text), { reason: 'unknown-answer' })
  return imageIn(image, reading)
}

/** The text of an answer; an error with its kind for any status but success. */
export async function readAnswer(response: IncomingMessage, kind: typeof kindOf = kindOf): Promise<string> {
  const status = response.statusCode ?? 0
  const text = (await readBody(response, MAX_ANSWER_BYTES)).toString('utf8')
  if (status >= 200 && status <= 299) return text
  const failure = failureOf({ status, body: text, headers: response.headers })
  const body = text.slice(0, MAX_ERROR_TEXT)
  throw drawError(kind(status, text), { failure, body, retryAfterMs: retryAfterMs(response.headers) })
}

async function imageIn({ b64_json, url }: z.infer<typeof Item>, { host, signal }: Reading): Promise<DrawnImage> {
  if (b64_json) return { bytes: Buffer.from(b64_json, 'base64') }
  if (url) return { bytes: await fetchImage(url, host, signal) }
  throw drawError('down', { reason: 'without-image' })
}

export async function fetchImage(address: string, trusted: string, signal: AbortSignal): Promise<Uint8Array> {
  if (address.startsWith('data:')) return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64')
  return download(address, { trusted, maxBytes: MAX_DRAWN_BYTES, signal })
}

const Event = z.extend(Item, { type: z.optional(z.string()), error: z.optional(z.unknown()) })

async function readEvents(response: IncomingMessage, reading: Reading): Promise<DrawnImage> {
  try {
    for await (const line of linesOf(response, MAX_ANSWER_BYTES * (PARTIAL_IMAGES + 1))) {
      if (!line.startsWith('data:')) continue
      const event = Event.safeParse(parseJson(line.slice(5))).data
      if (event?.error) throw drawError(kindOf(500, line), { reason: 'unknown-answer' })
      if (event?.type?.endsWith('.completed')) return await imageIn(event, reading)
      if (event?.type?.endsWith('.partial_image') && event.b64_json)
        reading.onPartial?.(Buffer.from(event.b64_json, 'base64'))
    }
  } finally {
    response.destroy()
  }
  throw drawError('down', { reason: 'stream-cut' })
}

/** Lines of megabytes come in many chunks, which are joined once. */
async function* linesOf(response: IncomingMessage, maxBytes: number): AsyncGenerator<string> {
  let begun: string[] = []
  let bytes = 0
  response.setEncoding('latin1')
  for await (const chunk of response as AsyncIterable<string>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw drawError('down', { reason: 'too-large' })
    const [first = '', ...others] = chunk.split('\n')
    begun.push(first)
    for (const next of others) {
      yield begun.join('')
      begun = [next]
    }
  }
  yield begun.join('')
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
