import { readFileSync } from 'node:fs'
import { DONE, type Script, says, streams } from './fake-openai.ts'
import { type Complaint, type FakeProvider, type ReceivedRequest, startFakeProvider } from './fake-provider.ts'

const YANDEX_KEY = 'AQVN-test'
const FOLDER = 'b1gtest'

/** Yandex AI Studio: chat completions with its own signature and folder. */
export async function startFakeYandex() {
  const model = `gpt://${FOLDER}/yandexgpt/latest`
  const complaint = ({ headers, body }: ReceivedRequest): Complaint | null => {
    const error = (code: number, message: string): Complaint => [code, { error: { code, message } }]
    if (headers.authorization !== `Api-Key ${YANDEX_KEY}`) return error(401, 'Unknown api key')
    if (headers['openai-project'] !== FOLDER) return error(403, 'Specified folder ID does not match')
    if (body && 'max_completion_tokens' in body) return error(400, 'Unsupported parameter: max_completion_tokens')
    return null
  }
  const answer = ({ method }: ReceivedRequest) =>
    method === 'GET' ? { object: 'list', data: [{ id: model, object: 'model', owned_by: FOLDER }] } : undefined
  const server = await startFakeProvider({ complaint, answer, script: says('Привет') })
  return {
    ...server,
    model,
    keys: { kind: 'yandex' as const, baseUrl: `${server.origin}/v1`, apiKey: YANDEX_KEY, project: FOLDER },
  }
}

const GIGA_KEY = Buffer.from('client:secret').toString('base64')
const SCOPE = 'GIGACHAT_API_PERS'
const UUID4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

export interface FakeGigaChat extends FakeProvider {
  keys: { kind: 'gigachat'; baseUrl: string; apiKey: string; tokenUrl: string }
  tokens: {
    /** How many were issued. */
    given: () => number
    /** Tokens issued from now on are valid this long. */
    live: (ms: number) => void
    /** Makes all tokens invalid before they expire. */
    revoke: () => void
    /** Requests for a token are answered with this error; null issues tokens again. */
    fail: (complaint: Complaint | null) => void
  }
}

const certificate = (name: string) => readFileSync(new URL(`./certificates/${name}.pem`, import.meta.url), 'utf8')
/** The root that signed the certificate of the secure fake. */
export const TEST_ROOT = new URL('./certificates/root.pem', import.meta.url).pathname

/** GigaChat: tokens for half an hour, chat completions with small differences, optionally HTTPS with its own root. */
export async function startFakeGigaChat({
  isSecure = false,
  script = gigaChatSays('Привет'),
} = {}): Promise<FakeGigaChat> {
  const valid = new Map<string, number>()
  let given = 0
  let lifeMs = 30 * 60_000
  let failure: Complaint | null = null

  function tokenComplaint({ headers, text }: ReceivedRequest): Complaint | null {
    if (failure) return failure
    if (!UUID4.test(String(headers.rquid))) return [400, { code: 1, message: 'RqUID is empty or not uuid4' }]
    if (headers['content-type'] !== 'application/x-www-form-urlencoded') return [400, { code: 2, message: 'bad type' }]
    if (headers.authorization !== `Basic ${GIGA_KEY}`)
      return [401, { code: 6, message: 'credentials doesn’t match db data' }]
    if (new URLSearchParams(text).get('scope') !== SCOPE)
      return [400, { code: 7, message: 'scope from db not fully includes consumed scope' }]
    return null
  }

  const server = await startFakeProvider({
    complaint: (received) => {
      if (received.path === '/api/v2/oauth') return tokenComplaint(received)
      const { headers, body } = received
      const until = valid.get(String(headers.authorization).replace('Bearer ', '')) ?? 0
      if (until <= Date.now()) return [401, { status: 401, message: 'Token has expired' }]
      if (body && 'stream_options' in body) return [422, { status: 422, message: 'unknown field stream_options' }]
      return body?.messages ? functionComplaint(body) : null
    },
    answer: ({ method, path }) => {
      if (path === '/api/v2/oauth') {
        const token = `token-${++given}`
        const until = Date.now() + lifeMs
        valid.set(token, until)
        return { access_token: token, expires_at: until }
      }
      if (method !== 'GET') return undefined
      const model = (id: string) => ({ id, object: 'model', owned_by: 'salutedevices', type: 'chat' })
      return { object: 'list', data: [model('GigaChat-2-Max'), model('GigaChat-2')] }
    },
    script,
    ...(isSecure ? { tls: { cert: certificate('server'), key: certificate('server-key') } } : {}),
  })
  return {
    ...server,
    keys: {
      kind: 'gigachat',
      baseUrl: `${server.origin}/api/v1`,
      apiKey: GIGA_KEY,
      tokenUrl: `${server.origin}/api/v2/oauth`,
    },
    tokens: {
      given: () => given,
      live: (ms) => {
        lifeMs = ms
      },
      revoke: () => valid.clear(),
      fail: (complaint) => {
        failure = complaint
      },
    },
  }
}

interface GigaChatBody {
  messages: { role: string; content: string; name?: string; function_call?: { name: string; arguments: unknown } }[]
  functions?: { name: string; parameters?: unknown }[]
  tools?: unknown
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text))
  } catch {
    return false
  }
}

function functionComplaint({ messages, functions = [], tools }: GigaChatBody): Complaint | null {
  const wrong = (message: string, status = 422): Complaint => [status, { status, message }]
  if (tools) return wrong('unknown field tools')
  if (functions.some(({ parameters }) => !isObject(parameters))) return wrong('functions: parameters is required')
  for (const [n, { role, content, name, function_call: call }] of messages.entries()) {
    if (!['system', 'user', 'assistant', 'function'].includes(role)) return wrong(`unknown role ${role}`, 400)
    if (role === 'system' && n > 0) return wrong('system message must be the first message')
    if (call && !isObject(call.arguments)) return wrong('Your request contains invalid JSON syntax.', 400)
    if (role === 'function' && (!name || !isJsonObject(content))) return wrong('function: content must be JSON')
    if (role === 'function' && messages[n - 1]?.function_call?.name !== name) return wrong('function without its call')
  }
  return null
}

/** A call comes whole, with the state that is sent back with its result. */
export function gigaChatCalls(name: string, args: object, state: string): Script {
  const delta = { role: 'assistant', content: '', function_call: { name, arguments: args }, functions_state_id: state }
  const usage = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12, precached_prompt_tokens: 0 }
  const choices = [{ delta, index: 0, finish_reason: 'function_call' }]
  return streams(`data: ${JSON.stringify({ choices, usage, object: 'chat.completion' })}\n\n`, DONE)
}

/** The last chunk has both the reason and the counts. */
export function gigaChatSays(...texts: string[]): Script {
  return (response) => {
    const chunk = (delta: object, more: object = {}) =>
      `data: ${JSON.stringify({ choices: [{ delta, index: 0, ...more }], created: 1, model: 'GigaChat', object: 'chat.completion' })}\n\n`
    const usage = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12, precached_prompt_tokens: 0 }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const content of texts) response.write(chunk({ content, role: 'assistant' }))
    const last = {
      choices: [{ delta: { content: '' }, index: 0, finish_reason: 'stop' }],
      usage,
      object: 'chat.completion',
    }
    response.end(`data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`)
  }
}
