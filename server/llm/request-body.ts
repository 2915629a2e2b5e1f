import type { ByteBudget } from './byte-budget.ts'
import type { LlmMessage, LlmPicture, LlmRequest } from './llm.ts'
import type { StreamedBody } from './post-json.ts'

type Part = Buffer | LlmPicture

/** The JSON of a request. Pictures are streamed, so their bytes are never in memory as a whole. */
export function requestBody(request: LlmRequest, budget: ByteBudget, signal: AbortSignal): Buffer | StreamedBody {
  const pictureBytes = request.messages.reduce((sum, message) => sum + bytesOf(message.pictures), 0)
  const parts = [...partsOf(request)]
  if (pictureBytes === 0) return Buffer.concat(parts.flatMap((part) => (isPicture(part) ? [] : [part])))
  return {
    length: parts.reduce((sum, part) => sum + (isPicture(part) ? base64Length(part.bytes) : part.length), 0),
    chunks: async function* () {
      request.onAsked?.(false)
      const release = await budget.take(request.userId ?? '', pictureBytes, signal)
      request.onAsked?.(true)
      try {
        // Sent parts are dropped: the socket keeps this generator alive as long as the answer takes.
        for (let part = parts.shift(); part; part = parts.shift()) {
          if (isPicture(part)) yield* base64(part)
          else yield part
        }
      } finally {
        parts.length = 0
        release()
      }
    },
  }
}

const isPicture = (part: Part): part is LlmPicture => 'read' in part
const bytesOf = (pictures: readonly LlmPicture[] = []) => pictures.reduce((sum, { bytes }) => sum + bytes, 0)

function* partsOf({ model, messages, maxTokens }: LlmRequest): Generator<Part> {
  const options = {
    model,
    stream: true,
    stream_options: { include_usage: true },
    ...(maxTokens ? { max_completion_tokens: maxTokens } : {}),
  }
  yield Buffer.from(`${JSON.stringify(options).slice(0, -1)},"messages":[`)
  for (const [i, message] of messages.entries()) {
    if (i > 0) yield Buffer.from(',')
    yield* messageParts(message)
  }
  yield Buffer.from(']}')
}

function* messageParts({ role, content, pictures }: LlmMessage): Generator<Part> {
  if (!pictures) {
    yield Buffer.from(JSON.stringify({ role, content }))
    return
  }
  const text = JSON.stringify({ type: 'text', text: content })
  yield Buffer.from(`{"role":${JSON.stringify(role)},"content":[${text}`)
  for (const picture of pictures) {
    yield Buffer.from(`,{"type":"image_url","image_url":{"url":"data:${picture.mime};base64,`)
    yield picture
    yield Buffer.from('"}}')
  }
  yield Buffer.from(']}')
}

const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4

/** Base64 encodes three bytes at a time; the remainder of a chunk is carried over to the next. */
async function* base64({ bytes, read }: LlmPicture): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  let seen = 0
  for await (const chunk of read()) {
    seen += chunk.length
    const joined = Buffer.concat([rest, chunk])
    const whole = joined.length - (joined.length % 3)
    if (whole > 0) yield Buffer.from(joined.toString('base64', 0, whole), 'latin1')
    rest = joined.subarray(whole)
  }
  if (seen !== bytes) throw new Error(`a picture of ${bytes} bytes has ${seen}`)
  if (rest.length > 0) yield Buffer.from(rest.toString('base64'), 'latin1')
}
