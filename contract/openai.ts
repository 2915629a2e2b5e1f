import * as z from 'zod/mini'
import { MAX_IMAGE_PROMPT } from './image-address.ts'

/**
 * Calls for programs, in the form of OpenAI's API. A key of the profile is sent as `Authorization: Bearer`, cookies are
 * not read. Unknown fields are ignored; what cannot be done is an error that names the field.
 */

/** Bodies of these calls, and what of them is not images. */
export const MAX_PROGRAM_BYTES = 25 * 1024 * 1024
export const MAX_PROGRAM_TEXT_BYTES = 4 * 1024 * 1024
/** Texts may be sent as tokens; OpenAI takes as many. */
export const MAX_EMBEDDED_TOKENS = 300_000

/** Codes of errors that say what to do; a wrong field has its name in `param` and no code. */
export const programErrors = {
  invalid_api_key: [401, 'ключа нет, он не тот, отключён или истёк'],
  ip_not_authorized: [401, 'с этого адреса ключом пользоваться нельзя'],
  insufficient_quota: [402, 'кончились символы, или достигнут предел ключа или свой дневной'],
  api_keys_off: [403, 'владелец сервиса отключил ключи'],
  model_not_allowed: [403, 'ключу эта модель не разрешена'],
  model_not_found: [404, 'такой модели нет'],
  unknown_url: [404, 'такого адреса нет'],
  request_timeout: [408, 'запрос передаётся слишком медленно'],
  idempotency_in_progress: [409, 'запрос с этим Idempotency-Key ещё выполняется'],
  rate_limit_exceeded: [429, 'слишком часто; подождать говорит заголовок Retry-After'],
  context_length_exceeded: [400, 'запрос не помещается в модель'],
  content_filter: [400, 'модель отказалась отвечать по своим правилам'],
  model_refused: [400, 'модель не приняла запрос'],
  unsupported_parameter: [400, 'модель или сервис такого не умеют'],
  unsupported_value: [400, 'такое значение не принимается'],
  idempotency_key_reused: [400, 'с этим Idempotency-Key уже был другой запрос'],
  model_unavailable: [502, 'модель не подключена или отключена провайдером'],
  model_failed: [502, 'модель не ответила'],
  model_busy: [503, 'модель перегружена'],
  model_timeout: [504, 'модель слишком долго молчит'],
} as const satisfies Record<string, readonly [status: number, when: string]>
export type ProgramErrorCode = keyof typeof programErrors

/** Every error of these calls. */
export const OpenAiErrorBody = z.object({
  error: z.object({
    message: z.string(),
    type: z.enum(['invalid_request_error', 'insufficient_quota', 'requests', 'server_error']),
    /** The field that is wrong. */
    param: z.nullable(z.string()),
    code: z.nullable(z.string()),
  }),
})
export type OpenAiErrorBody = z.infer<typeof OpenAiErrorBody>

export const optional = <S extends z.ZodMiniType>(schema: S) => z.optional(z.nullable(schema))
export const Json = z.record(z.string(), z.unknown())

export const TextPart = z.object({ type: z.enum(['text', 'input_text', 'output_text']), text: z.string() })
export const RefusalPart = z.object({ type: z.literal('refusal'), refusal: z.string() })
const ImagePart = z.object({
  type: z.literal('image_url'),
  image_url: z.union([z.string(), z.object({ url: z.string() })]),
})
/** Sound and files, which are answered with an error. */
export const OtherPart = z.object({ type: z.string() })
/** Agents send thousands of messages and hundreds of functions. */
const MAX_ITEMS = 10_000
const MAX_TOOLS = 1000
const MAX_PARTS = 2048
export const itemsOf = <S extends z.ZodMiniType>(item: S) => z.array(item).check(z.minLength(1), z.maxLength(MAX_ITEMS))
export const toolsOf = <S extends z.ZodMiniType>(tool: S) => z.array(tool).check(z.maxLength(MAX_TOOLS))
export const partsOf = <S extends z.ZodMiniType>(part: S) => z.array(part).check(z.maxLength(MAX_PARTS))

const Content = z.union([z.string(), partsOf(z.union([TextPart, RefusalPart, ImagePart, OtherPart]))])

/** Longer than OpenAI's 40: gateways put the signature of a thought into it. */
export const CallId = z.string().check(z.maxLength(4096))
const ToolCall = z.object({
  id: CallId,
  function: z.object({ name: z.string(), arguments: z.string() }),
})
const ChatMessage = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: optional(Content),
  tool_calls: optional(toolsOf(ToolCall)),
  tool_call_id: optional(CallId),
  /** The thought of an earlier answer, under both names that programs have for it. */
  reasoning_content: optional(z.string()),
  reasoning: optional(z.unknown()),
})
export type ChatMessage = z.infer<typeof ChatMessage>

export const FunctionTool = z.object({
  name: z.string(),
  description: optional(z.string()),
  parameters: optional(Json),
  strict: optional(z.boolean()),
})
export const JsonSchemaFormat = z.object({
  name: z.string(),
  description: optional(z.string().check(z.maxLength(4096))),
  schema: Json,
  strict: optional(z.boolean()),
})

export const Effort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', 'ultra'])
export type Effort = z.infer<typeof Effort>
export const positive = z.int().check(z.minimum(1))
const StopWord = z.string().check(z.maxLength(64))
const NamedTool = z.object({ type: z.literal('function'), function: z.object({ name: z.string() }) })

export const ChatBody = z.object({
  model: z.string(),
  messages: itemsOf(ChatMessage),
  stream: optional(z.boolean()),
  stream_options: optional(z.object({ include_usage: optional(z.boolean()) })),
  max_tokens: optional(positive),
  max_completion_tokens: optional(positive),
  temperature: optional(z.number().check(z.minimum(0), z.maximum(2))),
  top_p: optional(z.number().check(z.minimum(0), z.maximum(1))),
  presence_penalty: optional(z.number().check(z.minimum(-2), z.maximum(2))),
  frequency_penalty: optional(z.number().check(z.minimum(-2), z.maximum(2))),
  seed: optional(z.int()),
  stop: optional(z.union([StopWord, z.array(StopWord).check(z.maxLength(4))])),
  n: optional(z.int()),
  logprobs: optional(z.boolean()),
  logit_bias: optional(Json),
  modalities: optional(partsOf(z.string())),
  audio: optional(z.unknown()),
  response_format: optional(
    z.union([
      z.object({ type: z.enum(['text', 'json_object']) }),
      z.object({ type: z.literal('json_schema'), json_schema: JsonSchemaFormat }),
    ]),
  ),
  tools: optional(toolsOf(z.object({ type: z.string(), function: z.optional(FunctionTool) }))),
  functions: optional(toolsOf(z.unknown())),
  web_search_options: optional(z.unknown()),
  tool_choice: optional(z.union([z.enum(['auto', 'none', 'required']), NamedTool])),
  parallel_tool_calls: optional(z.boolean()),
  reasoning_effort: optional(Effort),
  prompt_cache_key: optional(z.string()),
})
export type ChatBody = z.infer<typeof ChatBody>

/** What a call cost; absent where nothing is charged yet. */
export const Symbols = z.object({
  charged: z.int(),
  left: z.int(),
  /** The answer ended because the symbols, or a cap, ran out. */
  stopped: z.optional(z.literal('balance')),
})
export type Symbols = z.infer<typeof Symbols>

export const Usage = z.object({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  prompt_tokens_details: z.object({ cached_tokens: z.int() }),
  completion_tokens_details: z.object({ reasoning_tokens: z.int() }),
  symbols: Symbols,
})
export type Usage = z.infer<typeof Usage>

const FinishReason = z.enum(['stop', 'length', 'tool_calls', 'content_filter'])

export const Completion = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.int(),
      message: z.object({
        role: z.literal('assistant'),
        content: z.nullable(z.string()),
        refusal: z.null(),
        reasoning_content: z.optional(z.string()),
        tool_calls: z.optional(z.array(z.extend(ToolCall, { type: z.literal('function') }))),
      }),
      logprobs: z.null(),
      finish_reason: FinishReason,
    }),
  ),
  usage: Usage,
})
export type Completion = z.infer<typeof Completion>

export const ProgramModel = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
  name: z.string(),
  kind: z.enum(['text', 'image', 'transcription', 'embedding']),
  /** In tokens; null when there is no limit. */
  context_length: z.nullable(z.int()),
  max_output_tokens: z.nullable(z.int()),
  /** The model sees images. */
  vision: z.boolean(),
  shutdown_date: z.nullable(z.string()),
  /** In symbols of the balance: per symbol of text, per image or per minute. */
  symbols: z.object({
    input: z.nullable(z.number()),
    output: z.nullable(z.number()),
    image: z.nullable(z.number()),
    minute: z.nullable(z.number()),
  }),
})
export type ProgramModel = z.infer<typeof ProgramModel>

/** One by one in a schema, 300,000 of them would take a tenth of a second. */
const Tokens = z.custom<number[]>((list) => Array.isArray(list) && list.length > 0 && list.every(Number.isInteger))
const Vectors = z.union([z.array(z.number()), z.string()])
export const EmbeddingsBody = z.object({
  model: z.string(),
  /** Texts, or texts cut into tokens of the model. */
  input: z.union([
    z.string(),
    z.array(z.string()).check(z.minLength(1), z.maxLength(2048)),
    Tokens,
    z.array(Tokens).check(z.minLength(1), z.maxLength(2048)),
  ]),
  encoding_format: optional(z.enum(['float', 'base64'])),
  dimensions: optional(positive),
})
export type EmbeddingsBody = z.infer<typeof EmbeddingsBody>

export const EmbeddingsList = z.object({
  object: z.literal('list'),
  data: z.array(z.object({ object: z.literal('embedding'), index: z.int(), embedding: Vectors })),
  model: z.string(),
  usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int(), symbols: Symbols }),
})
export type EmbeddingsList = z.infer<typeof EmbeddingsList>

export const ImagesBody = z.object({
  model: z.string(),
  prompt: z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_IMAGE_PROMPT)),
  n: optional(z.int().check(z.minimum(1), z.maximum(4))),
  size: optional(z.string()),
  background: optional(z.enum(['auto', 'transparent', 'opaque'])),
  output_format: optional(z.enum(['png', 'jpeg', 'webp'])),
  response_format: optional(z.enum(['b64_json', 'url'])),
  stream: optional(z.boolean()),
})
export type ImagesBody = z.infer<typeof ImagesBody>

/** The fields beside `file`. */
export const TranscriptionBody = z.object({
  model: z.string(),
  language: z.optional(z.string().check(z.regex(/^[a-z]{2}$/, { error: 'нужны две буквы, например ru' }))),
  response_format: z.optional(z.enum(['json', 'text', 'srt', 'verbose_json', 'vtt'])),
  stream: z.optional(z.string()),
})
