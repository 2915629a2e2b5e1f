import { type Script, streams } from './fake-openai.ts'
import { type Complaint, type FakeProvider, type ReceivedRequest, startFakeProvider } from './fake-provider.ts'

const KEY = 'sk-ant-test'

/** Anthropic's Messages API, on the wire as its documentation shows it. */
export async function startFakeAnthropic(): Promise<FakeProvider & { keys: { baseUrl: string; apiKey: string } }> {
  const server = await startFakeProvider({ complaint, answer, script: saysAnthropic('Привет') })
  return { ...server, keys: { baseUrl: `${server.origin}/v1`, apiKey: KEY } }
}

export const anthropicError = (type: string, message: string) => ({ type: 'error', error: { type, message } })

function complaint({ method, path, headers, body }: ReceivedRequest): Complaint | null {
  const invalid = (message: string): Complaint => [400, anthropicError('invalid_request_error', message)]
  if (headers['x-api-key'] !== KEY) return [401, anthropicError('authentication_error', 'invalid x-api-key')]
  if (headers['anthropic-version'] !== '2023-06-01') return invalid('anthropic-version: header is required')
  if (method === 'GET' && path.startsWith('/v1/models')) return null
  if (path !== '/v1/messages') return [404, anthropicError('not_found_error', 'Not found')]
  if (!Number.isInteger(body.max_tokens)) return invalid('max_tokens: Field required')
  if (body.messages.length === 0) return invalid('messages: at least one message is required')
  if (body.messages[0].role !== 'user') return invalid('messages: first message must use the "user" role')
  if (body.messages.some(({ role }: { role: string }) => role !== 'user' && role !== 'assistant')) {
    return invalid('messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter')
  }
  const texts = [...(body.system ?? []), ...body.messages.flatMap(({ content }: { content: unknown[] }) => content)]
  if (texts.some(({ type, text }) => type === 'text' && text.trim() === '')) {
    return invalid('messages: text content blocks must contain non-whitespace text')
  }
  const { thinking } = body
  if (thinking?.type === 'enabled' && (thinking.budget_tokens < 1024 || thinking.budget_tokens >= body.max_tokens)) {
    return invalid('`max_tokens` must be greater than `thinking.budget_tokens`')
  }
  return null
}

function answer({ method }: ReceivedRequest): unknown {
  if (method !== 'GET') return undefined
  const model = (id: string) => ({ type: 'model', id, display_name: id, created_at: '2026-02-19T00:00:00Z' })
  return { data: [model('claude-sonnet-9'), model('claude-haiku-9')], has_more: false, first_id: null, last_id: null }
}

export const event = (type: string, fields: object = {}) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`

export const starts = (usage: object = {}) =>
  event('message_start', {
    message: { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage: { input_tokens: 7, ...usage } },
  })
export const thinks = (index: number, ...thoughts: string[]) =>
  event('content_block_start', { index, content_block: { type: 'thinking', thinking: '', signature: '' } }) +
  thoughts
    .map((thinking) => event('content_block_delta', { index, delta: { type: 'thinking_delta', thinking } }))
    .join('') +
  event('content_block_delta', { index, delta: { type: 'signature_delta', signature: 'EqQBCg==' } }) +
  event('content_block_stop', { index })
export const writes = (index: number, ...texts: string[]) =>
  event('content_block_start', { index, content_block: { type: 'text', text: '' } }) +
  event('ping') +
  texts.map((text) => event('content_block_delta', { index, delta: { type: 'text_delta', text } })).join('') +
  event('content_block_stop', { index })
export const ends = (stop_reason: string, usage: object = {}) =>
  event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5, ...usage } }) +
  event('message_stop')

export function saysAnthropic(...texts: string[]): Script {
  return streams(starts({ output_tokens: 1 }), writes(0, ...texts), ends('end_turn'))
}
