import { countSymbols } from '#contract/billing.ts'
import { IMAGE_SYMBOLS } from '#contract/files.ts'
import { SYMBOLS_PER_TOKEN } from '#contract/models-admin.ts'
import type { ChatBody, ChatMessage, Effort } from '#contract/openai.ts'
import type { Depth, LlmFormat, LlmMessage, LlmRequest, LlmTool, Sampling } from '#server/llm/llm.ts'
import type { Providers } from '#server/llm/providers.ts'
import type { ModelRow } from '../models/models.ts'
import { contentOf } from './content.ts'
import { badField } from './errors.ts'

/** What a model is asked, whichever call it came with. */
export interface ChatCall {
  /** As the client named it. */
  model: string
  messages: LlmMessage[]
  options: Pick<LlmRequest, 'tools' | 'toolChoice' | 'parallelTools' | 'format' | 'stop' | 'sampling' | 'cacheKey'>
  maxTokens: number | undefined
  thinking: Depth | undefined
}

/** A request in OpenAI's form as ours. Throws an error that names the field for what cannot be done. */
export function chatCallOf(body: ChatBody): ChatCall {
  refuseImpossible(body)
  const { model, tool_choice: choice, parallel_tool_calls: parallel } = body
  const tools = body.tools?.map(toolOf)
  const stop = body.stop == null ? [] : [body.stop].flat().filter(Boolean)
  const format = formatOf(body.response_format)
  const sampling = samplingOf(body)
  return {
    model,
    messages: body.messages.map(messageOf),
    options: {
      ...(tools?.length && { tools }),
      ...(tools?.length && choice && { toolChoice: typeof choice === 'string' ? choice : choice.function }),
      ...(tools?.length && parallel != null && { parallelTools: parallel }),
      ...(format && { format }),
      ...(stop.length > 0 && { stop }),
      ...(Object.keys(sampling).length > 0 && { sampling }),
      ...(body.prompt_cache_key && { cacheKey: body.prompt_cache_key }),
    },
    maxTokens: body.max_completion_tokens ?? body.max_tokens ?? undefined,
    thinking: thinkingOf(body.reasoning_effort),
  }
}

function refuseImpossible(body: ChatBody): void {
  const { n, logprobs, logit_bias, modalities, audio, web_search_options, functions } = body
  if (n != null && n !== 1) throw badField('n', 'За один запрос пишется один ответ: n = 1.', 'unsupported_value')
  if (logprobs) throw badField('logprobs', 'Вероятности слов не передаются.', 'unsupported_parameter')
  if (logit_bias && Object.keys(logit_bias).length > 0)
    throw badField('logit_bias', 'Веса слов не меняются.', 'unsupported_parameter')
  if (audio || modalities?.includes('audio'))
    throw badField(audio ? 'audio' : 'modalities', 'Модели отвечают только текстом.', 'unsupported_value')
  if (web_search_options)
    throw badField('web_search_options', 'Поиска в интернете для программ нет.', 'unsupported_parameter')
  if (functions?.length) throw badField('functions', 'Функции передают в tools.', 'unsupported_parameter')
}

const efforts: Record<Effort, Depth> = {
  ...{ none: 'none', minimal: 'minimal', low: 'low', medium: 'more' },
  ...{ high: 'most', xhigh: 'xhigh', max: 'max', ultra: 'max' },
}

export const thinkingOf = (effort: Effort | null | undefined): Depth | undefined =>
  effort == null ? undefined : efforts[effort]

type Nullable<T> = { [K in keyof T]?: T[K] | null | undefined }

export function samplingOf(
  body: Nullable<Pick<ChatBody, 'temperature' | 'top_p' | 'presence_penalty' | 'frequency_penalty' | 'seed'>>,
): Sampling {
  const { temperature, top_p, presence_penalty, frequency_penalty, seed } = body
  return {
    ...(temperature != null && { temperature }),
    ...(top_p != null && { topP: top_p }),
    ...(presence_penalty != null && { presencePenalty: presence_penalty }),
    ...(frequency_penalty != null && { frequencyPenalty: frequency_penalty }),
    ...(seed != null && { seed }),
  }
}

function formatOf(format: ChatBody['response_format']): LlmFormat | null {
  if (!format || format.type === 'text') return null
  return 'json_schema' in format ? { type: format.type, ...schemaOf(format.json_schema) } : { type: 'json_object' }
}

interface NamedSchema {
  name: string
  schema: Record<string, unknown>
  description?: string | null | undefined
  strict?: boolean | null | undefined
}

export const schemaOf = ({ name, schema, description, strict }: NamedSchema) => ({
  ...{ name, schema },
  ...(description != null && { description }),
  ...(strict != null && { strict }),
})

export const ONLY_FUNCTIONS = 'Поддерживаются только инструменты типа function.'

function toolOf({ type, function: given }: NonNullable<ChatBody['tools']>[number], n: number): LlmTool {
  if (type !== 'function' || !given) throw badField(`tools[${n}].type`, ONLY_FUNCTIONS, 'unsupported_value')
  return functionTool(given)
}

interface GivenFunction {
  name: string
  description?: string | null | undefined
  parameters?: Record<string, unknown> | null | undefined
  strict?: boolean | null | undefined
}

export const functionTool = ({ name, description, parameters, strict }: GivenFunction): LlmTool => ({
  name,
  ...(description && { description }),
  ...(parameters && { parameters }),
  ...(strict != null && { strict }),
})

function messageOf(message: ChatMessage, n: number): LlmMessage {
  const { role, content, tool_calls, tool_call_id, reasoning, reasoning_content } = message
  const thought = reasoning_content ?? reasoning
  const { text, images } = contentOf(content, `messages[${n}].content`)
  if (images.length > 0 && role !== 'user')
    throw badField(`messages[${n}].content`, 'Картинки принимаются только в сообщениях user.', 'unsupported_value')
  if (role === 'tool' && !tool_call_id)
    throw badField(`messages[${n}].tool_call_id`, 'Сообщению tool нужен tool_call_id: на какой вызов это ответ.')
  const toolCalls = tool_calls?.map(({ id, function: call }) => ({ id, ...call }))
  return {
    role: role === 'developer' ? 'system' : role,
    content: text,
    ...(images.length > 0 && { images }),
    ...(role === 'assistant' && typeof thought === 'string' && { thought }),
    ...(toolCalls?.length && { toolCalls }),
    ...(role === 'tool' && tool_call_id && { toolCallId: tool_call_id }),
  }
}

/** Only the form of OpenAI takes thoughts back; others want a signed form of them, which programs do not have. */
export function dropUnusedThoughts({ messages }: ChatCall, providers: Providers, { provider }: ModelRow): void {
  const kind = providers.list().find(({ name }) => name === provider)?.kind
  if (kind === 'openai' || kind === 'yandex') return
  for (const message of messages) delete message.thought
}

/** What a provider bills for a message beside its text: about four tokens. */
const MESSAGE_SYMBOLS = 4 * SYMBOLS_PER_TOKEN

/** The symbols of everything that is sent to a provider: texts, names, ids, functions, the shape of the answer. */
export function inputSymbols({ messages, options }: Pick<ChatCall, 'messages' | 'options'>): number {
  const { tools = [], toolChoice, format, stop } = options
  const ofMessages = messages.reduce((sum, { role: _, images = [], ...texts }) => {
    return sum + symbolsIn(texts) + images.length * IMAGE_SYMBOLS
  }, 0)
  // One short question costs what it costs in a chat; thousands of empty messages cost what they are billed as.
  const least = MESSAGE_SYMBOLS * (messages.length - 1)
  const shapes = [...tools, ...(format?.type === 'json_schema' ? [schemaOf(format)] : [])]
  const ofShapes = shapes.reduce((sum, shape) => sum + countSymbols(JSON.stringify(shape)), 0)
  const chosen = typeof toolChoice === 'object' ? toolChoice : null
  return Math.max(ofMessages, least) + ofShapes + symbolsIn([stop, chosen])
}

/** Every text in a value, under whatever name, so that a new field of a message is counted too. */
function symbolsIn(value: unknown): number {
  if (typeof value === 'string') return countSymbols(value)
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, part) => sum + symbolsIn(part), 0)
}
