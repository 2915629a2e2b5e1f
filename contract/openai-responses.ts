import * as z from 'zod/mini'
import {
  CallId,
  Effort,
  FunctionTool,
  itemsOf,
  Json,
  JsonSchemaFormat,
  OtherPart,
  optional,
  partsOf,
  positive,
  RefusalPart,
  Symbols,
  TextPart,
  toolsOf,
} from './openai.ts'

/** The shapes of the Responses API. */

const InputPart = z.union([
  TextPart,
  RefusalPart,
  z.object({ type: z.literal('input_image'), image_url: z.string() }),
  OtherPart,
])
const InputContent = z.union([z.string(), partsOf(InputPart)])
const ToolOfResponses = z.looseObject({ type: z.string() })
export const InputItem = z.union([
  z.object({
    type: z.literal('function_call'),
    call_id: CallId,
    name: z.string(),
    namespace: optional(z.string()),
    arguments: z.string(),
  }),
  z.object({
    type: z.literal('custom_tool_call'),
    call_id: CallId,
    name: z.string(),
    namespace: optional(z.string()),
    input: z.string(),
  }),
  z.object({
    type: z.enum(['function_call_output', 'custom_tool_call_output']),
    call_id: CallId,
    output: InputContent,
  }),
  z.object({
    type: z.literal('reasoning'),
    summary: optional(partsOf(z.object({ text: z.string() }))),
    content: optional(partsOf(z.object({ text: z.string() }))),
  }),
  /** An item of an earlier answer. */
  z.object({ type: z.literal('item_reference'), id: z.string() }),
  /** A search among the tools of the program, and what it found. */
  z.object({ type: z.literal('tool_search_call'), call_id: CallId, arguments: Json }),
  z.object({ type: z.literal('tool_search_output'), call_id: CallId, tools: toolsOf(ToolOfResponses) }),
  /** Codex offers its tools as a message of the developer. */
  z.object({ type: z.literal('additional_tools'), tools: toolsOf(ToolOfResponses) }),
  z.object({
    type: optional(z.literal('message')),
    role: z.enum(['system', 'developer', 'user', 'assistant']),
    content: InputContent,
  }),
  /** What is answered with an error. */
  z.object({ type: z.string() }),
])
export type InputItem = z.infer<typeof InputItem>

export const ResponsesFunction = z.extend(FunctionTool, { type: z.literal('function') })

/** A function that takes one text, often by a grammar. */
export const CustomTool = z.object({
  type: z.literal('custom'),
  name: z.string(),
  description: optional(z.string()),
  format: optional(z.object({ syntax: optional(z.string()), definition: optional(z.string()) })),
})
export type CustomTool = z.infer<typeof CustomTool>

/** A search among tools that the program offers only when they are found. */
export const ToolSearch = z.object({
  type: z.literal('tool_search'),
  execution: z.literal('client'),
  description: optional(z.string()),
  parameters: optional(Json),
})

/** Functions of one server or part of a program. */
export const ToolNamespace = z.object({
  type: z.literal('namespace'),
  name: z.string(),
  description: optional(z.string()),
  tools: toolsOf(ToolOfResponses),
})

export const ResponsesBody = z.object({
  model: z.string(),
  input: z.union([z.string(), itemsOf(InputItem)]),
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
  tools: optional(toolsOf(ToolOfResponses)),
  tool_choice: optional(
    z.union([
      z.enum(['auto', 'none', 'required']),
      z.object({ type: z.enum(['function', 'custom']), name: z.string(), namespace: optional(z.string()) }),
    ]),
  ),
  parallel_tool_calls: optional(z.boolean()),
  prompt_cache_key: optional(z.string()),
  top_logprobs: optional(z.int()),
  /** True unless it says otherwise: then items of the answer can be named by their ids for a day. */
  store: optional(z.boolean()),
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
    call_id: CallId,
    name: z.string(),
    namespace: z.optional(z.string()),
    arguments: z.string(),
  }),
  z.object({
    type: z.literal('custom_tool_call'),
    id: z.string(),
    status: z.enum(['in_progress', 'completed', 'incomplete']),
    call_id: CallId,
    name: z.string(),
    namespace: z.optional(z.string()),
    input: z.string(),
  }),
  z.object({
    type: z.literal('tool_search_call'),
    id: z.string(),
    status: z.enum(['in_progress', 'completed', 'incomplete']),
    call_id: CallId,
    execution: z.literal('client'),
    arguments: Json,
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
  /** Its items can be named by their ids for a day. */
  store: z.boolean(),
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
