import type { IncomingMessage } from 'node:http'
import { StringDecoder } from 'node:string_decoder'
import * as z from 'zod/mini'
import { type ByteBudget, picturesInFlight } from './byte-budget.ts'
import type { Connection } from './connection.ts'
import { kindOf, LlmError } from './errors.ts'
import { dataLines, rejection } from './event-stream.ts'
import type { EndReason, Llm, LlmEnd, LlmMessage, LlmRequest, LlmUsage, OnText } from './llm.ts'
import { chatParameters, type Options } from './parameters.ts'
import { bodyOf, joined, openObject, type Part } from './request-body.ts'
import { type ModelTimeouts, usualTimeouts, watchSilence } from './silence.ts'

function* partsOf({ model, messages }: LlmRequest, options: Options): Generator<Part> {
  yield Buffer.from(`${openObject({ model, stream: true, ...options })},"messages":[`)
  yield* joined(messages.map(messageParts))
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

const MAX_ERROR_TEXT = 4000
const HANG_UP_MS = 5000

const noPictures = () =>
  new LlmError(
    'refused',
    'the provider takes no pictures in messages',
    undefined,
    'Эта модель не принимает картинки. Уберите их или выберите другую модель.',
  )

/** Any endpoint with OpenAI's chat completions API. Reads only the fields it needs: gateways differ in the rest. */
export function openAiLlm(
  { post, profile, forms }: Connection,
  timeouts: ModelTimeouts = usualTimeouts,
  budget: ByteBudget = picturesInFlight,
): Llm {
  const headers = { accept: 'text/event-stream' }
  return async (request, signal, onText) => {
    if (!profile.takesPictures && request.messages.some(({ pictures }) => pictures?.length)) throw noPictures()
    const silence = watchSilence(signal, timeouts)
    const ask = async (options: Options) => {
      // No variable holds the body, so it can be collected as soon as it is sent.
      const body = () => bodyOf([...partsOf(request, options)], request, budget, silence.signal)
      const response = await post('/chat/completions', { headers, body, signal: silence.signal })
      if (response.statusCode !== 200) throw await rejection(response)
      return response
    }
    try {
      const response = await forms.ask(request.model, chatParameters(profile, request), ask)
      return await readAnswer(response, signal, onText, silence.broken)
    } catch (error) {
      const reason = silence.explain(error)
      silence.hangUp()
      throw reason
    } finally {
      silence.end()
    }
  }
}

const Chunk = z.object({
  choices: z.optional(
    z.nullable(
      z.array(
        z.object({
          delta: z.optional(
            z.nullable(
              z.object({
                content: z.optional(z.nullable(z.string())),
                // Reasoning has several names and only counts as a sign of life.
                reasoning: z.optional(z.unknown()),
                reasoning_content: z.optional(z.unknown()),
                reasoning_details: z.optional(z.unknown()),
              }),
            ),
          ),
          finish_reason: z.optional(z.nullable(z.string())),
        }),
      ),
    ),
  ),
  usage: z.optional(z.nullable(z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }))),
  error: z.optional(z.unknown()),
})

type Delta = NonNullable<NonNullable<NonNullable<z.infer<typeof Chunk>['choices']>[number]['delta']>>

const hasReasoning = ({ reasoning, reasoning_content, reasoning_details }: Delta) =>
  [reasoning, reasoning_content, reasoning_details].some(
    (thought) => (typeof thought === 'string' || Array.isArray(thought)) && thought.length > 0,
  )

/** Reads until `[DONE]` or the end of the stream. The text of one socket chunk goes to `onText` in one call. */
function readAnswer(
  response: IncomingMessage,
  signal: AbortSignal,
  onText: OnText,
  onSign: (sign: 'text' | 'thought') => void,
): Promise<LlmEnd> {
  let reason: EndReason | null = null
  let usage: LlmUsage | null = null
  let hasText = false

  function parseData(data: string): string {
    const chunk = readChunk(data)
    if (chunk.error) throw errorInStream(chunk.error)
    if (chunk.usage) usage = { inputTokens: chunk.usage.prompt_tokens, outputTokens: chunk.usage.completion_tokens }
    const choice = chunk.choices?.[0]
    if (choice?.finish_reason) reason = reasonOf(choice.finish_reason)
    if (choice?.delta && hasReasoning(choice.delta)) onSign('thought')
    return choice?.delta?.content ?? ''
  }

  return new Promise((done, fail) => {
    const decoder = new StringDecoder('utf8')
    const lines = dataLines()
    const finish = () => {
      // The connection can be reused if the provider ends the response soon.
      if (!response.complete) setTimeout(() => response.destroy(), HANG_UP_MS).unref()
      // A stream without `finish_reason` was cut off.
      if (reason) done({ reason, usage })
      else fail(new LlmError('down', hasText ? 'the stream broke off' : 'the stream was empty'))
    }
    const receive = (text: string) => {
      let fresh = ''
      try {
        for (const data of lines(text)) {
          if (data === '[DONE]') return finish()
          fresh += parseData(data)
        }
      } finally {
        if (fresh !== '') {
          hasText = true
          onSign('text')
          onText(fresh)
        }
      }
    }
    const attempt = (work: () => void) => {
      try {
        work()
      } catch (error) {
        response.destroy()
        fail(error)
      }
    }
    response.on('data', (bytes: Buffer) => attempt(() => receive(decoder.write(bytes))))
    response.on('end', () =>
      attempt(() => {
        receive(`${decoder.end()}\n`)
        finish()
      }),
    )
    // After `finish_reason` a broken connection does not matter.
    response.on('error', (error) => (reason && !signal.aborted ? done({ reason, usage }) : fail(error)))
  })
}

function readChunk(data: string): z.infer<typeof Chunk> {
  let json: unknown
  try {
    json = JSON.parse(data)
  } catch (cause) {
    throw new LlmError('down', `not JSON: ${data.slice(0, 200)}`, cause)
  }
  const chunk = Chunk.safeParse(json)
  if (!chunk.success) throw new LlmError('down', `unknown chunk: ${data.slice(0, 200)}`)
  return chunk.data
}

function reasonOf(reason: string): EndReason {
  // GigaChat calls its filter a blacklist.
  if (reason === 'blacklist') return 'content_filter'
  return reason === 'length' || reason === 'content_filter' ? reason : 'stop'
}

function errorInStream(error: unknown): LlmError {
  const text = JSON.stringify(error).slice(0, MAX_ERROR_TEXT)
  const code = error !== null && typeof error === 'object' && 'code' in error ? Number(error.code) : Number.NaN
  return new LlmError(kindOf(Number.isInteger(code) ? code : 500, text), text)
}
