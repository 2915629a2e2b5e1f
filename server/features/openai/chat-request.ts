import { countSymbols } from '#contract/billing.ts'
import { IMAGE_SYMBOLS } from '#contract/files.ts'
import type { Thinking } from '#contract/models.ts'
import type { ChatBody, ChatMessage, Effort } from '#contract/openai.ts'
import type { LlmFormat, LlmMessage, LlmRequest, LlmTool, Sampling } from '#server/llm/llm.ts'
import { contentOf } from './content.ts'
import { badField } from './errors.ts'

/** What a model is asked, whichever call it came with. */
export interface ChatCall {
  /** As the client named it. */
  model: string
  messages: LlmMessage[]
  options: Pick<LlmRequest, 'tools' | 'toolChoice' | 'parallelTools' | 'format' | 'stop' | 'sampling'>
  maxTokens: number | undefined
  thinking: Thinking | undefined
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

const efforts: Record<Effort, Thinking> = {
  none: 'none',
  minimal: 'none',
  low: 'usual',
  medium: 'more',
  high: 'most',
  xhigh: 'most',
  max: 'most',
}

export const thinkingOf = (effort: Effort | null | undefined): Thinking | undefined =>
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

function messageOf({ role, content, tool_calls, tool_call_id }: ChatMessage, n: number): LlmMessage {
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
    ...(toolCalls?.length && { toolCalls }),
    ...(role === 'tool' && tool_call_id && { toolCallId: tool_call_id }),
  }
}

/** The symbols of everything that the model reads, as a chat counts them. */
export function inputSymbols({ messages, options: { tools, format } }: Pick<ChatCall, 'messages' | 'options'>): number {
  const shapes = [...(tools ?? []), ...(format?.type === 'json_schema' ? [format.schema] : [])]
  const ofMessages = messages.reduce((sum, { content, images = [], toolCalls = [] }) => {
    const calls = toolCalls.reduce((total, call) => total + countSymbols(call.name) + countSymbols(call.arguments), 0)
    return sum + countSymbols(content) + images.length * IMAGE_SYMBOLS + calls
  }, 0)
  return shapes.reduce((sum, shape) => sum + countSymbols(JSON.stringify(shape)), ofMessages)
}
