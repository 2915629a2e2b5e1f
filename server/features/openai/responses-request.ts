import type { InputItem, OutputItem, ResponsesBody } from '#contract/openai-responses.ts'
import type { LlmFormat, LlmImage, LlmMessage, LlmToolCall } from '#server/llm/llm.ts'
import { type ChatCall, samplingOf, schemaOf, thinkingOf } from './chat-request.ts'
import { contentOf } from './content.ts'
import { badField } from './errors.ts'
import { foundText, functionName, type ProgramTools, readTools, searchCall, textCall } from './responses-tools.ts'

/** What a model is asked, and what its calls of functions are called in the program. */
export interface ResponsesCall {
  call: ChatCall
  tools: ProgramTools
}

/** Items of earlier answers by their ids. */
type KeptItems = ReadonlyMap<string, OutputItem>

/** A request in the form of the Responses API as ours. */
export function responsesCallOf(body: ResponsesBody, kept: KeptItems = new Map()): ResponsesCall {
  refuseImpossible(body)
  const { model, instructions, tool_choice: choice, parallel_tool_calls: parallel, prompt_cache_key } = body
  const items: InputItem[] = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : body.input
  const tools = readTools([
    { tools: body.tools ?? [], param: 'tools' },
    ...items.flatMap((item, n) => ('tools' in item ? [{ tools: item.tools, param: `input[${n}].tools` }] : [])),
  ])
  const { functions } = tools
  const hasTools = functions.length > 0
  const format = formatOf(body.text?.format)
  const sampling = samplingOf(body)
  const call: ChatCall = {
    model,
    messages: [
      ...(instructions ? [{ role: 'system' as const, content: instructions }] : []),
      ...messagesOf(items, kept),
    ],
    options: {
      ...(hasTools && { tools: functions }),
      ...(hasTools && choice && { toolChoice: typeof choice === 'string' ? choice : { name: nameIn(choice) } }),
      ...(hasTools && parallel != null && { parallelTools: parallel }),
      ...(format && { format }),
      ...(Object.keys(sampling).length > 0 && { sampling }),
      ...(prompt_cache_key && { cacheKey: prompt_cache_key }),
    },
    maxTokens: body.max_output_tokens ?? undefined,
    thinking: thinkingOf(body.reasoning?.effort),
  }
  return { call, tools }
}

const nameIn = ({ name, namespace }: { name: string; namespace?: string | null | undefined }) =>
  functionName(name, namespace)

const WHOLE = 'Передавайте весь разговор в input.'

function refuseImpossible(body: ResponsesBody): void {
  const { previous_response_id, conversation, background, prompt, top_logprobs } = body
  if (previous_response_id)
    throw badField('previous_response_id', `Вопросы не хранятся. ${WHOLE}`, 'unsupported_parameter')
  if (conversation) throw badField('conversation', `Вопросы не хранятся. ${WHOLE}`, 'unsupported_parameter')
  if (background) throw badField('background', 'Ответ приходит в этом же запросе.', 'unsupported_parameter')
  if (prompt) throw badField('prompt', 'Заготовки хранятся не здесь: передайте текст в input.', 'unsupported_parameter')
  if (top_logprobs) throw badField('top_logprobs', 'Вероятности слов не передаются.', 'unsupported_parameter')
}

function formatOf(format: NonNullable<ResponsesBody['text']>['format']): LlmFormat | null {
  if (!format || format.type === 'text') return null
  return 'schema' in format ? { type: format.type, ...schemaOf(format) } : { type: 'json_object' }
}

/** The ids of the items that the request names and does not send. */
export const referencesIn = ({ input }: ResponsesBody): string[] =>
  typeof input === 'string' ? [] : input.flatMap((item) => ('id' in item ? [item.id] : []))

/**
 * Calls of functions and thoughts are items of their own; in a chat they belong to the assistant's message. Images that
 * functions return follow all results as a message of the user, because models take them only there. So does what
 * stands between a call and its result: models want these side by side.
 */
export function messagesOf(given: readonly InputItem[], kept: KeptItems = new Map()): LlmMessage[] {
  const named = new Set<string>()
  const items = given.map((item, n) => {
    const param = `input[${n}].id`
    if ('id' in item && named.has(item.id)) throw badField(param, `Часть ответа ${item.id} названа дважды.`)
    if ('id' in item) named.add(item.id)
    return sentItem(item, kept, param)
  })
  const answered = new Set(items.flatMap((item) => (item && isResult(item) ? [item.call_id] : [])))
  const messages: LlmMessage[] = []
  const open = new Set<string>()
  const images: LlmImage[] = []
  const held: LlmMessage[] = []
  let thought = ''
  const takeThought = () => {
    const taken = thought
    thought = ''
    return taken
  }
  for (const [n, item] of items.entries()) {
    const param = `input[${n}]`
    if (!item || item.type === 'additional_tools') continue
    if ('arguments' in item || 'input' in item) {
      addCall(messages, callOf(item), takeThought())
      if (answered.has(item.call_id)) open.add(item.call_id)
    } else if (isResult(item)) {
      const result = resultOf(item, param)
      messages.push({ role: 'tool', toolCallId: item.call_id, content: result.text })
      images.push(...result.images)
      open.delete(item.call_id)
      if (open.size > 0) continue
      if (images.length > 0) messages.push({ role: 'user', content: '', images: images.splice(0) })
      messages.push(...held.splice(0))
    } else if ('role' in item) {
      const message = withThought(messageOf(item, param), takeThought())
      ;(open.size > 0 ? held : messages).push(message)
    } else if ('summary' in item || 'content' in item) thought = joined(thought, thoughtIn(item))
    else if (item.type === 'reasoning') continue
    else throw badField(`${param}.type`, `Части запроса вида ${item.type} не принимаются.`, 'unsupported_value')
  }
  return [...messages, ...held]
}

/** Without the thought of an earlier answer a model answers too. */
function sentItem(item: InputItem, kept: KeptItems, param: string): InputItem | null {
  if (!('id' in item)) return item
  const found = kept.get(item.id)
  if (found || item.id.startsWith('rs_')) return found ?? null
  const message = `Части ответа доступны по id сутки и только без store: false; ${item.id} нет. ${WHOLE}`
  throw badField(param, message, 'unsupported_value')
}

type ResultItem = Extract<InputItem, { call_id: string } & ({ output: unknown } | { tools: unknown })>

const isResult = (item: InputItem): item is ResultItem => 'call_id' in item && ('output' in item || 'tools' in item)

const resultOf = (item: ResultItem, param: string) =>
  'output' in item
    ? contentOf(item.output, `${param}.output`)
    : { text: foundText(item.tools, `${param}.tools`), images: [] }

type CallItem = Extract<InputItem, { arguments: string } | { arguments: Record<string, unknown> } | { input: string }>

function callOf(item: CallItem): LlmToolCall {
  if ('input' in item) return textCall(item.call_id, nameIn(item), item.input)
  if (!('name' in item)) return searchCall(item.call_id, item.arguments)
  return { id: item.call_id, name: nameIn(item), arguments: item.arguments }
}

function addCall(messages: LlmMessage[], call: LlmToolCall, thought: string): void {
  const before = messages.at(-1)
  if (before?.role !== 'assistant') {
    messages.push(withThought({ role: 'assistant', content: '', toolCalls: [call] }, thought))
    return
  }
  before.toolCalls ??= []
  before.toolCalls.push(call)
  if (thought !== '') before.thought = joined(before.thought ?? '', thought)
}

/** Not a join of all each time: thousands of pieces would be copied again with every one. */
const joined = (before: string, text: string) => (before === '' || text === '' ? before + text : `${before}\n\n${text}`)

const withThought = (message: LlmMessage, thought: string): LlmMessage =>
  message.role === 'assistant' && thought !== '' ? { ...message, thought } : message

/** The whole thought, where a program has it, or its summary. */
function thoughtIn({ content, summary }: Extract<InputItem, { type: 'reasoning' }>): string {
  const parts = content?.length ? content : (summary ?? [])
  return parts
    .map(({ text }) => text)
    .filter(Boolean)
    .join('\n\n')
}

function messageOf({ role, content }: Extract<InputItem, { role: string }>, param: string): LlmMessage {
  const { text, images } = contentOf(content, `${param}.content`)
  if (images.length > 0 && role !== 'user')
    throw badField(`${param}.content`, 'Картинки принимаются только в сообщениях user.', 'unsupported_value')
  return { role: role === 'developer' ? 'system' : role, content: text, ...(images.length > 0 && { images }) }
}
