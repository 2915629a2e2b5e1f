import type { FunctionTool, InputItem, ResponsesBody } from '#contract/openai.ts'
import type { LlmFormat, LlmImage, LlmMessage, LlmTool } from '#server/llm/llm.ts'
import { type ChatCall, functionTool, ONLY_FUNCTIONS, samplingOf, schemaOf, thinkingOf } from './chat-request.ts'
import { contentOf } from './content.ts'
import { badField } from './errors.ts'

/** A request in the form of the Responses API as ours. */
export function responsesCallOf(body: ResponsesBody): ChatCall {
  refuseStored(body)
  const { model, instructions, tool_choice: choice, parallel_tool_calls: parallel } = body
  const tools = (body.tools ?? []).flatMap(toolOf)
  const format = formatOf(body.text?.format)
  const sampling = samplingOf(body)
  const items: InputItem[] = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : body.input
  return {
    model,
    messages: [...(instructions ? [{ role: 'system' as const, content: instructions }] : []), ...messagesOf(items)],
    options: {
      ...(tools.length > 0 && { tools }),
      ...(tools.length > 0 && choice && { toolChoice: typeof choice === 'string' ? choice : { name: choice.name } }),
      ...(tools.length > 0 && parallel != null && { parallelTools: parallel }),
      ...(format && { format }),
      ...(Object.keys(sampling).length > 0 && { sampling }),
    },
    maxTokens: body.max_output_tokens ?? undefined,
    thinking: thinkingOf(body.reasoning?.effort),
  }
}

const NOT_STORED = 'Ответы не хранятся. Передавайте весь разговор в input и задайте store: false.'

function refuseStored({ previous_response_id, conversation, background, prompt }: ResponsesBody): void {
  if (previous_response_id) throw badField('previous_response_id', NOT_STORED, 'unsupported_parameter')
  if (conversation) throw badField('conversation', NOT_STORED, 'unsupported_parameter')
  if (background) throw badField('background', 'Ответ приходит в этом же запросе.', 'unsupported_parameter')
  if (prompt) throw badField('prompt', 'Заготовки хранятся не здесь: передайте текст в input.', 'unsupported_parameter')
}

type GivenTool = NonNullable<ResponsesBody['tools']>[number]

/**
 * Codex offers its search and its patches in a form of its own to every model, and works without them; what else a
 * client asks for and we have not is an error.
 */
const isOfCodex = (tool: GivenTool): boolean =>
  (tool.type === 'web_search' && 'external_web_access' in tool) ||
  (tool.type === 'custom' && 'name' in tool && tool.name === 'apply_patch')

const isFunction = (tool: GivenTool): tool is FunctionTool => tool.type === 'function' && 'name' in tool

function toolOf(tool: GivenTool, n: number): LlmTool[] {
  if (isFunction(tool)) return [functionTool(tool)]
  if (isOfCodex(tool)) return []
  if (tool.type === 'function') throw badField(`tools[${n}].name`, 'У функции нет имени.')
  throw badField(`tools[${n}].type`, ONLY_FUNCTIONS, 'unsupported_value')
}

function formatOf(format: NonNullable<ResponsesBody['text']>['format']): LlmFormat | null {
  if (!format || format.type === 'text') return null
  return 'schema' in format ? { type: format.type, ...schemaOf(format) } : { type: 'json_object' }
}

/**
 * Calls of functions are items of their own; in a chat they belong to the assistant's message before them. Images that
 * functions return follow all their results as a message of the user, because models take them only there.
 */
export function messagesOf(items: readonly InputItem[]): LlmMessage[] {
  const messages: LlmMessage[] = []
  let images: LlmImage[] = []
  for (const [n, item] of items.entries()) {
    const param = `input[${n}]`
    if ('arguments' in item) addCall(messages, item)
    else if ('output' in item) {
      const result = contentOf(item.output, `${param}.output`)
      messages.push({ role: 'tool', toolCallId: item.call_id, content: result.text })
      images.push(...result.images)
      const next = items[n + 1]
      if (images.length === 0 || (next && 'output' in next)) continue
      messages.push({ role: 'user', content: '', images })
      images = []
    } else if ('role' in item) messages.push(messageOf(item, param))
    else if (item.type !== 'reasoning') throw wrongItem(item.type, `${param}.type`)
  }
  return messages
}

const wrongItem = (type: string | null | undefined, param: string) =>
  type === 'item_reference'
    ? badField(param, NOT_STORED, 'unsupported_value')
    : badField(param, `Части запроса вида ${type} не принимаются.`, 'unsupported_value')

function addCall(
  messages: LlmMessage[],
  { call_id: id, name, arguments: json }: Extract<InputItem, { arguments: string }>,
): void {
  const call = { id, name, arguments: json }
  const before = messages.at(-1)
  if (before?.role === 'assistant') before.toolCalls = [...(before.toolCalls ?? []), call]
  else messages.push({ role: 'assistant', content: '', toolCalls: [call] })
}

function messageOf({ role, content }: Extract<InputItem, { role: string }>, param: string): LlmMessage {
  const { text, images } = contentOf(content, `${param}.content`)
  if (images.length > 0 && role !== 'user')
    throw badField(`${param}.content`, 'Картинки принимаются только в сообщениях user.', 'unsupported_value')
  return { role: role === 'developer' ? 'system' : role, content: text, ...(images.length > 0 && { images }) }
}
