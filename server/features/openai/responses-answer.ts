import type { OutputItem, ResponseObject } from '#contract/openai.ts'
import { newId } from '#server/lib/ids.ts'
import type { ToolDelta } from '#server/llm/llm.ts'
import { type ChatEnd, usageOf } from './chat-response.ts'
import type { ChatListener } from './deliver.ts'
import type { OpenAiError } from './errors.ts'

export interface ResponseHead {
  id: string
  created_at: number
  model: string
}

const base = (head: ResponseHead, output: OutputItem[]): ResponseObject => ({
  ...{ id: head.id, object: 'response', created_at: head.created_at, status: 'in_progress', model: head.model },
  ...{ output, error: null, incomplete_details: null, store: false, previous_response_id: null, usage: null },
})

const reasons = { length: 'max_output_tokens', content_filter: 'content_filter' } as const

function finishedOf(head: ResponseHead, output: OutputItem[], end: ChatEnd): ResponseObject {
  const { prompt_tokens, completion_tokens, total_tokens, symbols, ...details } = usageOf(end)
  const isCut = end.reason === 'length' || end.reason === 'content_filter'
  return {
    ...base(head, output),
    status: isCut ? 'incomplete' : 'completed',
    incomplete_details: isCut ? { reason: reasons[end.reason as keyof typeof reasons] } : null,
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

/**
 * Turns the parts of an answer into the items of a response, and tells each step to `send` as an event. One item is
 * open at a time: thought, text, or a call of a function.
 */
export function createResponse(head: ResponseHead, send: (event: string) => void) {
  const output: OutputItem[] = []
  let number = 0
  let open: { kind: 'reasoning' | 'message' | number; item: OutputItem } | null = null

  function emit(type: string, fields: object): void {
    if (number === 0 && type !== 'response.created') {
      emit('response.created', { response: base(head, []) })
      emit('response.in_progress', { response: base(head, []) })
    }
    send(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number++, ...fields })}\n\n`)
  }
  const at = (item: OutputItem) => ({ item_id: item.id, output_index: output.indexOf(item) })

  function start(kind: 'reasoning' | 'message' | number, item: OutputItem): OutputItem {
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
    } else {
      emit('response.function_call_arguments.done', { ...at(item), name: item.name, arguments: item.arguments })
      item.status = status
    }
    emit('response.output_item.done', { output_index: output.indexOf(item), item })
  }

  const opened = (kind: 'reasoning' | 'message' | number) => (open?.kind === kind ? open.item : null)

  const listener: ChatListener = {
    onThought: (delta) => {
      const item = opened('reasoning') ?? start('reasoning', { type: 'reasoning', id: `rs_${newId()}`, summary: [] })
      if (item.type !== 'reasoning') return
      const [part] = item.summary
      item.summary = [{ type: 'summary_text', text: (part?.text ?? '') + delta }]
      emit('response.reasoning_summary_text.delta', { ...at(item), summary_index: 0, delta })
    },
    onText: (delta) => {
      const fresh: OutputItem = {
        type: 'message',
        id: `msg_${newId()}`,
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
      const fresh: OutputItem = {
        type: 'function_call',
        id: `fc_${newId()}`,
        status: 'in_progress',
        call_id: id,
        name,
        arguments: '',
      }
      const item = opened(index) ?? start(index, fresh)
      if (item.type !== 'function_call' || delta === '') return
      item.arguments += delta
      emit('response.function_call_arguments.delta', { ...at(item), delta })
    },
  }

  return {
    listener,
    end: (result: ChatEnd): ResponseObject => {
      close(result.reason === 'length' ? 'incomplete' : 'completed')
      const response = finishedOf(head, output, result)
      emit(`response.${response.status}`, { response })
      return response
    },
    fail: ({ body: { error } }: OpenAiError): void => {
      const shown = { code: error.code ?? error.type, message: error.message }
      emit('response.failed', { response: { ...base(head, output), status: 'failed', error: shown } })
    },
  }
}
