import { countSymbols, price } from '#contract/billing.ts'
import { SYMBOLS_PER_TOKEN } from '#contract/models-admin.ts'
import { EmbeddingsBody, type EmbeddingsList, type Symbols } from '#contract/openai.ts'
import { LlmError } from '#server/llm/errors.ts'
import { maskFor } from '../answers/masking.ts'
import { isOutsideHome } from '../models/countries.ts'
import { costOfTokens } from '../models/models.ts'
import { recordSideCost } from '../models/side-costs.ts'
import type { ProgramDeps } from './chat.ts'
import { bodyOf, type ProgramCall } from './door.ts'
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

/** As OpenAI sends them: 32-bit floats, the low byte first. */
export function base64Of(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [n, value] of vector.entries()) bytes.writeFloatLE(value, n * 4)
  return bytes.toString('base64')
}

export function embeddingsOf(
  model: string,
  vectors: number[][],
  { isBase64, symbols, tokens }: { isBase64: boolean; symbols: Symbols; tokens: number },
): EmbeddingsList {
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: isBase64 ? base64Of(vector) : vector,
    })),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens, symbols },
  }
}

/** POST /v1/embeddings. */
export async function answerEmbeddings(asked: ProgramCall, deps: ProgramDeps): Promise<Response> {
  const { c, key, left } = asked
  const body = bodyOf(asked, EmbeddingsBody)
  const { db, providers } = deps
  const model = await findModelOf(db, key, body.model, 'embedding')
  const inputs = inputsOf(body.input)
  const { texts, tokens } = inputs
  if ([...texts, ...(tokens ?? [])].some(({ length }) => length === 0))
    throw badField('input', 'Пустой текст не превратить в вектор.')
  const embed = providers.embed(model.provider, model.providerModel)
  if (!embed) throw new LlmError('refused', { reason: 'no-such-models' })
  const mask = maskFor(isOutsideHome(providers, model) ? await maskingOf(db, key) : null)
  if (mask && tokens)
    throw badField('input', 'Ключ скрывает личные данные, поэтому нужен текст, а не токены.', 'unsupported_value')
  const sent = mask ? texts.map((text) => mask(text, text.length)) : texts
  const options = { ...(body.dimensions != null && { dimensions: body.dimensions }), ...(tokens && { tokens }) }
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
        run: async (signal) => ({ result: await embed(sent, signal, options), cost }),
      },
    ),
  )
  const paid = costOfTokens(model, null, { input, output: 0 })
  await recordSideCost(db, { kind: 'embedding', userId: key.userId, model }, paid)
  const shape = { isBase64: body.encoding_format === 'base64', symbols, tokens: paid.inputTokens }
  return c.json(embeddingsOf(id, result, shape), 200, symbolHeaders(symbols))
}
