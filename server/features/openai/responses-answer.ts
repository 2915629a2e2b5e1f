import type { ProgramErrorCode } from '#contract/openai.ts'
import type { OutputItem, ResponseObject } from '#contract/openai-responses.ts'
import type { EndReason, ToolDelta } from '#server/llm/llm.ts'
import { argumentsOf } from '#server/llm/turns.ts'
import { type ChatEnd, usageOf } from './chat-response.ts'
import type { ChatListener } from './deliver.ts'
import type { OpenAiError } from './errors.ts'
import type { ItemIds } from './kept-items.ts'
import { type ProgramTools, textIn } from './responses-tools.ts'

export interface ResponseHead {
  id: string
  created_at: number
  model: string
  /** Its items can be named by their ids. */
  store: boolean
}

const base = (head: ResponseHead, output: OutputItem[]): ResponseObject => ({
  ...{ id: head.id, object: 'response', created_at: head.created_at, status: 'in_progress', model: head.model },
  ...{ output, error: null, incomplete_details: null, store: head.store, previous_response_id: null, usage: null },
})

const reasons = { length: 'max_output_tokens', content_filter: 'content_filter' } as const

const RUN_OUT = {
  code: 'insufficient_quota',
  message: 'Ответ оборвался: закончились символы, или достигнут предел ключа. Пополните баланс или поднимите предел.',
} satisfies { code: ProgramErrorCode; message: string }

/**
 * A stream that the balance ended has failed: Codex and others would take it for an answer that was too long, and say
 * nothing about the balance. A whole answer stays incomplete, because clients drop the text of one that has failed.
 */
function finishedOf(head: ResponseHead, output: OutputItem[], end: ChatEnd, isStream: boolean): ResponseObject {
  const { prompt_tokens, completion_tokens, total_tokens, symbols, ...details } = usageOf(end)
  const hasFailed = isStream && symbols.stopped === 'balance'
  const cut = end.reason === 'length' || end.reason === 'content_filter' ? reasons[end.reason] : null
  return {
    ...base(head, output),
    ...(hasFailed
      ? { status: 'failed', error: RUN_OUT }
      : { status: cut ? 'incomplete' : 'completed', incomplete_details: cut && { reason: cut } }),
    usage: {
      input_tokens: prompt_tokens,
      input_tokens_details: details.prompt_tokens_details,
      output_tokens: completion_tokens,
      output_tokens_details: details.completion_tokens_details,
      total_tokens,
      symbols,
    },
  }
}

type Kind = 'reasoning' | 'message' | number

export interface ResponseParts {
  head: ResponseHead
  ids: ItemIds
  /** What the program calls its functions. */
  nameOf: ProgramTools['nameOf']
  /** Receives the events of a stream; null for a whole answer. */
  send: ((event: string) => void) | null
}

/**
 * Turns the parts of an answer into the items of a response, and tells each step to `send` as an event. One item is
 * open at a time: thought, text, or a call of a function.
 */
export function createResponse({ head, ids, nameOf, send }: ResponseParts) {
  const output: OutputItem[] = []
  let number = 0
  let open: { kind: Kind; item: OutputItem } | null = null
  /** The arguments of an open call that shows them in another form. */
  let json = ''

  function emit(type: string, fields: object): void {
    if (!send) return
    if (number === 0 && type !== 'response.created') {
      emit('response.created', { response: base(head, []) })
      emit('response.in_progress', { response: base(head, []) })
    }
    send(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number++, ...fields })}\n\n`)
  }
  const at = (item: OutputItem) => ({ item_id: item.id, output_index: output.indexOf(item) })

  function start(kind: Kind, item: OutputItem): OutputItem {
    close()
    open = { kind, item }
    output.push(item)
    emit('response.output_item.added', { output_index: output.length - 1, item })
    if (item.type === 'reasoning')
      emit('response.reasoning_summary_part.added', {
        ...at(item),
        summary_index: 0,
        part: { type: 'summary_text', text: '' },
      })
    if (item.type === 'message')
      emit('response.content_part.added', {
        ...at(item),
        content_index: 0,
        part: { type: 'output_text', text: '', annotations: [] },
      })
    return item
  }

  function close(status: 'completed' | 'incomplete' = 'completed'): void {
    const item = open?.item
    open = null
    if (!item) return
    if (item.type === 'reasoning') {
      const [part] = item.summary
      emit('response.reasoning_summary_text.done', { ...at(item), summary_index: 0, text: part?.text ?? '' })
      emit('response.reasoning_summary_part.done', { ...at(item), summary_index: 0, part })
    } else if (item.type === 'message') {
      const [part] = item.content
      emit('response.output_text.done', { ...at(item), content_index: 0, text: part?.text ?? '', logprobs: [] })
      emit('response.content_part.done', { ...at(item), content_index: 0, part })
      item.status = status
    } else if (item.type === 'function_call') {
      emit('response.function_call_arguments.done', { ...at(item), name: item.name, arguments: item.arguments })
      item.status = status
    } else if (item.type === 'tool_search_call') {
      item.arguments = argumentsOf({ arguments: json })
      item.status = status
    } else {
      item.input = textIn(json)
      emit('response.custom_tool_call_input.delta', { ...at(item), delta: item.input })
      emit('response.custom_tool_call_input.done', { ...at(item), input: item.input })
      item.status = status
    }
    emit('response.output_item.done', { output_index: output.indexOf(item), item })
  }

  const opened = (kind: Kind) => (open?.kind === kind ? open.item : null)

  const listener: ChatListener = {
    onThought: (delta) => {
      const item = opened('reasoning') ?? start('reasoning', { type: 'reasoning', id: ids.next('rs'), summary: [] })
      if (item.type !== 'reasoning') return
      const [part] = item.summary
      item.summary = [{ type: 'summary_text', text: (part?.text ?? '') + delta }]
      emit('response.reasoning_summary_text.delta', { ...at(item), summary_index: 0, delta })
    },
    onText: (delta) => {
      const fresh: OutputItem = {
        type: 'message',
        id: ids.next('msg'),
        status: 'in_progress',
        role: 'assistant',
        content: [],
      }
      const item = opened('message') ?? start('message', fresh)
      if (item.type !== 'message') return
      const [part] = item.content
      item.content = [{ type: 'output_text', text: (part?.text ?? '') + delta, annotations: [] }]
      emit('response.output_text.delta', { ...at(item), content_index: 0, delta, logprobs: [] })
    },
    onTool: ({ index, id = '', name = '', arguments: delta }: ToolDelta) => {
      const item = opened(index) ?? start(index, callItem(id, name))
      json += delta
      if (item.type !== 'function_call' || delta === '') return
      item.arguments += delta
      emit('response.function_call_arguments.delta', { ...at(item), delta })
    },
  }

  function callItem(call_id: string, functionName: string): OutputItem {
    const { form, ...name } = nameOf(functionName)
    const started = { status: 'in_progress' as const, call_id }
    const call = { ...started, ...name }
    json = ''
    if (form === 'search')
      return { type: 'tool_search_call', id: ids.next('tsc'), ...started, execution: 'client', arguments: {} }
    if (form === 'text') return { type: 'custom_tool_call', id: ids.next('ctc'), ...call, input: '' }
    return { type: 'function_call', id: ids.next('fc'), ...call, arguments: '' }
  }

  return {
    listener,
    /** The items, of which none grows any more. */
    close: (reason: EndReason): OutputItem[] => {
      close(reason === 'length' ? 'incomplete' : 'completed')
      return output
    },
    end: (result: ChatEnd): ResponseObject => {
      const response = finishedOf(head, output, result, send !== null)
      emit(`response.${response.status}`, { response })
      return response
    },
    fail: ({ body: { error } }: OpenAiError): void => {
      const shown = { code: error.code ?? error.type, message: error.message }
      emit('response.failed', { response: { ...base(head, output), status: 'failed', error: shown } })
    },
  }
}
