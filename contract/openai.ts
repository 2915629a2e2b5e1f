import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { MAX_IMAGE_PROMPT } from './image-address.ts'

/**
 * Calls for programs, in the form of OpenAI's API. A key of the profile is sent as `Authorization: Bearer`, cookies are
 * not read. Unknown fields are ignored; what cannot be done is an error that names the field.
 */

/** Bodies of these calls. */
export const MAX_PROGRAM_BYTES = 25 * 1024 * 1024

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

const optional = <S extends z.ZodMiniType>(schema: S) => z.optional(z.nullable(schema))
const Json = z.record(z.string(), z.unknown())

const TextPart = z.object({ type: z.enum(['text', 'input_text', 'output_text']), text: z.string() })
const RefusalPart = z.object({ type: z.literal('refusal'), refusal: z.string() })
const ImagePart = z.object({
  type: z.literal('image_url'),
  image_url: z.union([z.string(), z.object({ url: z.string() })]),
})
/** Sound and files, which are answered with an error. */
const OtherPart = z.object({ type: z.string() })
const Content = z.union([z.string(), z.array(z.union([TextPart, RefusalPart, ImagePart, OtherPart]))])

const ToolCall = z.object({
  id: z.string(),
  function: z.object({ name: z.string(), arguments: z.string() }),
})
const ChatMessage = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: optional(Content),
  tool_calls: optional(z.array(ToolCall)),
  tool_call_id: optional(z.string()),
})
export type ChatMessage = z.infer<typeof ChatMessage>

const FunctionTool = z.object({
  name: z.string(),
  description: optional(z.string()),
  parameters: optional(Json),
  strict: optional(z.boolean()),
})
const JsonSchemaFormat = z.object({
  name: z.string(),
  description: optional(z.string()),
  schema: Json,
  strict: optional(z.boolean()),
})

const Effort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])
export type Effort = z.infer<typeof Effort>
const positive = z.int().check(z.minimum(1))
const NamedTool = z.object({ type: z.literal('function'), function: z.object({ name: z.string() }) })

export const ChatBody = z.object({
  model: z.string(),
  messages: z.array(ChatMessage).check(z.minLength(1)),
  stream: optional(z.boolean()),
  stream_options: optional(z.object({ include_usage: optional(z.boolean()) })),
  max_tokens: optional(positive),
  max_completion_tokens: optional(positive),
  temperature: optional(z.number().check(z.minimum(0), z.maximum(2))),
  top_p: optional(z.number().check(z.minimum(0), z.maximum(1))),
  presence_penalty: optional(z.number().check(z.minimum(-2), z.maximum(2))),
  frequency_penalty: optional(z.number().check(z.minimum(-2), z.maximum(2))),
  seed: optional(z.int()),
  stop: optional(z.union([z.string(), z.array(z.string()).check(z.maxLength(4))])),
  n: optional(z.int()),
  logprobs: optional(z.boolean()),
  logit_bias: optional(Json),
  modalities: optional(z.array(z.string())),
  audio: optional(z.unknown()),
  response_format: optional(
    z.union([
      z.object({ type: z.enum(['text', 'json_object']) }),
      z.object({ type: z.literal('json_schema'), json_schema: JsonSchemaFormat }),
    ]),
  ),
  tools: optional(z.array(z.object({ type: z.string(), function: z.optional(FunctionTool) }))),
  functions: optional(z.array(z.unknown())),
  web_search_options: optional(z.unknown()),
  tool_choice: optional(z.union([z.enum(['auto', 'none', 'required']), NamedTool])),
  parallel_tool_calls: optional(z.boolean()),
  reasoning_effort: optional(Effort),
})
export type ChatBody = z.infer<typeof ChatBody>

/** What a call cost; absent where nothing is charged yet. */
const Symbols = z.object({
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

const InputPart = z.union([
  TextPart,
  RefusalPart,
  z.object({ type: z.literal('input_image'), image_url: z.string() }),
  OtherPart,
])
const InputContent = z.union([z.string(), z.array(InputPart)])
export const InputItem = z.union([
  z.object({ type: z.literal('function_call'), call_id: z.string(), name: z.string(), arguments: z.string() }),
  z.object({ type: z.literal('function_call_output'), call_id: z.string(), output: InputContent }),
  z.object({
    type: optional(z.literal('message')),
    role: z.enum(['system', 'developer', 'user', 'assistant']),
    content: InputContent,
  }),
  /** Reasoning, which is ignored, and what is answered with an error. */
  z.object({ type: z.string() }),
])
export type InputItem = z.infer<typeof InputItem>

const ResponsesFunction = z.extend(FunctionTool, { type: z.literal('function') })
export type FunctionTool = z.infer<typeof ResponsesFunction>

export const ResponsesBody = z.object({
  model: z.string(),
  input: z.union([z.string(), z.array(InputItem).check(z.minLength(1))]),
  instructions: optional(z.string()),
  stream: optional(z.boolean()),
  max_output_tokens: optional(positive),
  temperature: optional(z.number().check(z.minimum(0), z.maximum(2))),
  top_p: optional(z.number().check(z.minimum(0), z.maximum(1))),
  reasoning: optional(z.object({ effort: optional(Effort) })),
  text: optional(
    z.object({
      format: optional(
        z.union([
          z.object({ type: z.enum(['text', 'json_object']) }),
          z.extend(JsonSchemaFormat, { type: z.literal('json_schema') }),
        ]),
      ),
    }),
  ),
  tools: optional(z.array(z.union([ResponsesFunction, z.looseObject({ type: z.string() })]))),
  tool_choice: optional(
    z.union([z.enum(['auto', 'none', 'required']), z.object({ type: z.literal('function'), name: z.string() })]),
  ),
  parallel_tool_calls: optional(z.boolean()),
  previous_response_id: optional(z.string()),
  conversation: optional(z.unknown()),
  background: optional(z.boolean()),
  prompt: optional(z.unknown()),
})
export type ResponsesBody = z.infer<typeof ResponsesBody>

const OutputItem = z.union([
  z.object({
    type: z.literal('reasoning'),
    id: z.string(),
    summary: z.array(z.object({ type: z.literal('summary_text'), text: z.string() })),
  }),
  z.object({
    type: z.literal('message'),
    id: z.string(),
    status: z.enum(['in_progress', 'completed', 'incomplete']),
    role: z.literal('assistant'),
    content: z.array(z.object({ type: z.literal('output_text'), text: z.string(), annotations: z.array(z.unknown()) })),
  }),
  z.object({
    type: z.literal('function_call'),
    id: z.string(),
    status: z.enum(['in_progress', 'completed', 'incomplete']),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
])
export type OutputItem = z.infer<typeof OutputItem>

export const ResponseObject = z.object({
  id: z.string(),
  object: z.literal('response'),
  created_at: z.int(),
  status: z.enum(['in_progress', 'completed', 'incomplete', 'failed']),
  model: z.string(),
  output: z.array(OutputItem),
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
  incomplete_details: z.nullable(z.object({ reason: z.enum(['max_output_tokens', 'content_filter']) })),
  /** Nothing is stored. */
  store: z.literal(false),
  previous_response_id: z.null(),
  usage: z.nullable(
    z.object({
      input_tokens: z.int(),
      input_tokens_details: z.object({ cached_tokens: z.int() }),
      output_tokens: z.int(),
      output_tokens_details: z.object({ reasoning_tokens: z.int() }),
      total_tokens: z.int(),
      symbols: Symbols,
    }),
  ),
})
export type ResponseObject = z.infer<typeof ResponseObject>

const Vectors = z.union([z.array(z.number()), z.string()])
export const EmbeddingsBody = z.object({
  model: z.string(),
  /** Texts, or texts cut into tokens of the model. */
  input: z.union([
    z.string(),
    z.array(z.string()).check(z.minLength(1), z.maxLength(2048)),
    z.array(z.int()).check(z.minLength(1)),
    z.array(z.array(z.int())).check(z.minLength(1), z.maxLength(2048)),
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

export const openAiApi = {
  models: endpoint('GET', '/v1/models', {
    who: 'key',
    summary: 'Модели, доступные ключу, с ценами в символах',
    returns: z.object({ object: z.literal('list'), data: z.array(ProgramModel) }),
  }),
  model: endpoint('GET', '/v1/models/:id', {
    who: 'key',
    summary: 'Одна модель',
    returns: ProgramModel,
  }),
  chat: endpoint('POST', '/v1/chat/completions', {
    who: 'key',
    summary: 'Ответ модели на сообщения: целиком или потоком. Тексты не хранятся',
    body: ChatBody,
    answers: 'stream',
    returns: Completion,
  }),
  responses: endpoint('POST', '/v1/responses', {
    who: 'key',
    summary: 'То же в форме Responses API: целиком или событиями. Ничего не хранится, поэтому без previous_response_id',
    body: ResponsesBody,
    answers: 'stream',
    returns: ResponseObject,
  }),
  embeddings: endpoint('POST', '/v1/embeddings', {
    who: 'key',
    summary: 'Векторы текстов: числами или base64. Тексты не хранятся',
    body: EmbeddingsBody,
    returns: EmbeddingsList,
  }),
  images: endpoint('POST', '/v1/images/generations', {
    who: 'key',
    summary: 'Нарисовать картинки; они только в ответе и не хранятся',
    body: ImagesBody,
    returns: z.object({
      created: z.int(),
      data: z.array(z.object({ b64_json: z.string() })),
      usage: z.object({ symbols: Symbols }),
    }),
  }),
  transcriptions: endpoint('POST', '/v1/audio/transcriptions', {
    who: 'key',
    summary: 'Расшифровать запись до 25 МБ: поля file, model, language, response_format. Запись не хранится',
    takes: 'form',
    returns: z.object({ text: z.string(), usage: z.object({ seconds: z.number(), symbols: Symbols }) }),
  }),
}
