import { countSymbols, price } from '#contract/billing.ts'
import { SYMBOLS_PER_TOKEN } from '#contract/models-admin.ts'
import { EmbeddingsBody, type EmbeddingsList, MAX_EMBEDDED_TOKENS, type Symbols } from '#contract/openai.ts'
import { LlmError } from '#server/llm/errors.ts'
import { maskTexts } from '../answers/masking.ts'
import { isOutsideHome } from '../models/countries.ts'
import { costOfTokens } from '../models/models.ts'
import { recordSideCost } from '../models/side-costs.ts'
import type { ProgramDeps } from './chat.ts'
import { bodyOf, PROGRAM_JSON, type ProgramCall } from './door.ts'
import { badField } from './errors.ts'
import { findModelOf } from './models.ts'
import { maskingOf, symbolHeaders } from './run-chat.ts'
import { underHold } from './under-hold.ts'

/** One text, several texts, or texts that the client has cut into tokens of the model. */
export function inputsOf(input: EmbeddingsBody['input']): { texts: string[]; tokens?: number[][] } {
  const list = typeof input === 'string' ? [input] : input
  const texts = list.filter((each) => typeof each === 'string')
  if (texts.length > 0) return { texts }
  const plain = list.filter((each) => typeof each === 'number')
  return { texts, tokens: plain.length > 0 ? [plain] : list.filter((each) => typeof each === 'object') }
}

function symbolsIn({ texts, tokens = [] }: ReturnType<typeof inputsOf>): number {
  const counted = texts.reduce((sum, text) => sum + countSymbols(text), 0)
  return tokens.reduce((sum, { length }) => sum + Math.ceil(length * SYMBOLS_PER_TOKEN), counted)
}

/** The list as JSON in parts: `data` comes written from a thread, and a copy of it would hold up the others. */
export function embeddingsBody(
  model: string,
  data: Uint8Array<ArrayBuffer>,
  { symbols, tokens }: { symbols: Symbols; tokens: number },
): ReadableStream<Uint8Array> {
  const usage = { prompt_tokens: tokens, total_tokens: tokens, symbols } satisfies EmbeddingsList['usage']
  const [head, tail] = [
    `{"object":"list","model":${JSON.stringify(model)},"usage":${JSON.stringify(usage)},"data":`,
    '}',
  ]
  const parts = [Buffer.from(head), ...slicesOf(data), Buffer.from(tail)]
  return new ReadableStream({
    pull: (controller) => {
      const part = parts.shift()
      if (part) controller.enqueue(part)
      else controller.close()
    },
  })
}

const SLICE_BYTES = 256 * 1024

const slicesOf = (bytes: Uint8Array) =>
  Array.from({ length: Math.ceil(bytes.length / SLICE_BYTES) }, (_, n) =>
    bytes.subarray(n * SLICE_BYTES, (n + 1) * SLICE_BYTES),
  )

/** POST /v1/embeddings. */
export async function answerEmbeddings(asked: ProgramCall, deps: ProgramDeps): Promise<Response> {
  const { c, key, left } = asked
  const body = await bodyOf(asked, EmbeddingsBody, { ...PROGRAM_JSON, numbers: MAX_EMBEDDED_TOKENS })
  const { db, providers } = deps
  const model = await findModelOf(db, key, body.model, 'embedding')
  const inputs = inputsOf(body.input)
  const { texts, tokens } = inputs
  if ([...texts, ...(tokens ?? [])].some(({ length }) => length === 0))
    throw badField('input', 'Пустой текст не превратить в вектор.')
  const embed = providers.embedWritten(model.provider, model.providerModel)
  if (!embed) throw new LlmError('refused', { reason: 'no-such-models' })
  const masking = isOutsideHome(providers, model) ? await maskingOf(db, key) : null
  if (masking && tokens)
    throw badField('input', 'Ключ скрывает личные данные, поэтому нужен текст, а не токены.', 'unsupported_value')
  const form = body.encoding_format ?? 'float'
  const options = { form, userId: key.userId, ...(body.dimensions != null && { dimensions: body.dimensions }) }
  const input = symbolsIn(inputs)
  const { id, inputRate } = model
  const cost = price(input, 0, { inputRate, outputRate: 0 })
  const { result, symbols } = await deps.calls.run(key, (stops) =>
    underHold(
      deps,
      { key, left, stops },
      {
        kind: 'indexing',
        symbols: cost,
        details: { modelId: id, input, output: 0, inputRate, outputRate: 0, note: 'Векторы для программы' },
        run: async (signal) => {
          const sent = masking ? await maskTexts(masking, texts, signal) : (tokens ?? texts)
          return { result: await embed({ input: sent, ...options }, signal), cost }
        },
      },
    ),
  )
  const paid = costOfTokens(model, null, { input, output: 0 })
  await recordSideCost(db, { kind: 'embedding', userId: key.userId, model }, paid)
  return c.body(embeddingsBody(id, result, { symbols, tokens: paid.inputTokens }), 200, {
    'content-type': 'application/json',
    ...symbolHeaders(symbols),
  })
}
