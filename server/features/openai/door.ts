import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type * as z from 'zod/mini'
import { MAX_PROGRAM_TEXT_BYTES } from '#contract/openai.ts'
import { type Body, readBody } from '#server/http/body.ts'
import { type EventStream, openEventStream } from '#server/http/event-stream.ts'
import { inputSentence, unworded } from '#server/http/input-sentence.ts'
import { isJson, notJson, parseJson } from '#server/http/json.ts'
import type { JsonLimits } from '#server/http/json-size.ts'
import { type LimitState, type TakeSlot, TooManyRequests } from '#server/http/limits.ts'
import { type App, type Env, refuseNulInAddress, withoutNul } from '#server/http/route.ts'
import { createRunner } from '#server/instances/runner.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { endedKey, findKey, type KeyDeps, type UsedKey } from '../api-keys/find-key.ts'
import { badField, OpenAiError, openAiErrorOf } from './errors.ts'
import { openRepeat, type Repeat, type RepeatDeps } from './repeats.ts'
import type { Caller } from './run-chat.ts'

/** Pages of any site may call with a key; cookies are neither sent nor read. */
const cors = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': [
    ...['x-request-id', 'retry-after', 'openai-processing-ms', 'x-symbols-charged', 'x-symbols-left'],
    'x-tools-left-out',
    ...['limit', 'remaining', 'reset'].map((name) => `x-ratelimit-${name}-requests`),
  ].join(', '),
}

const HEADER_NAMES = /^[\w-]+(?:\s*,\s*[\w-]+)*$/

const allowOrigins: MiddlewareHandler<Env> = async (c, next) => {
  if (c.req.method !== 'OPTIONS') {
    const startedAt = performance.now()
    await next()
    const headers = { ...cors, ...processingTime(startedAt) }
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value)
    return
  }
  const asked = c.req.header('access-control-request-headers') ?? ''
  return c.body(null, 204, {
    ...cors,
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': HEADER_NAMES.test(asked) ? asked : 'authorization, content-type',
    'access-control-max-age': '86400',
    vary: 'access-control-request-headers',
  })
}

const processingTime = (since: number) => ({ 'openai-processing-ms': String(Math.round(performance.now() - since)) })

const noAddress = () =>
  new OpenAiError('Такого адреса нет. Адреса для программ описаны на /api/docs.', { status: 404, code: 'unknown_url' })

/** Mounts the calls of programs: errors in OpenAI's form, any origin, no cookies. */
export function mountPrograms(app: App, mount: (v1: Hono<Env>) => void): void {
  const v1 = new Hono<Env>()
  v1.onError((error, c) => {
    const known = openAiErrorOf(error)
    if (!known) c.var.log.error({ err: error }, 'programs: unexpected error')
    const shown = known ?? unexpected(c.var.requestId)
    return c.json(shown.body, shown.status as ContentfulStatusCode, { ...cors, ...shown.headers })
  })
  v1.use(allowOrigins)
  v1.use(refuseNulInAddress)
  mount(v1)
  v1.all('*', () => {
    throw noAddress()
  })
  app.route('/v1', v1)
}

const unexpected = (requestId: string) =>
  new OpenAiError(`Что-то сломалось на нашей стороне. Номер обращения: ${requestId}`, {
    status: 500,
    type: 'server_error',
    code: 'internal',
  })

/** Who calls. Throws 401, 403 or 429. The answer says how many calls are left. */
export async function admitKey(c: Context<Env>, keys: KeyDeps): Promise<UsedKey> {
  return (await admit(c, keys)).key
}

async function admit(c: Context<Env>, keys: KeyDeps): Promise<{ key: UsedKey; headers: Record<string, string> }> {
  try {
    return await count(c, keys)
  } catch (error) {
    if (error instanceof TooManyRequests && error.state) setHeaders(c, limitHeaders([error.state]))
    throw error
  }
}

function setHeaders(c: Context<Env>, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
}

async function count(c: Context<Env>, keys: KeyDeps): Promise<{ key: UsedKey; headers: Record<string, string> }> {
  await c.var.limits('programs-ip', c.var.ip)
  const { key, lacksConsent } = await findKey(keys, c.req.header('authorization'), c.var.ip)
  c.set('userId', key.userId)
  const ofKey = await c.var.limits('programs-key', key.id)
  const ofUser = await c.var.limits('programs-user', key.userId)
  const headers = limitHeaders([ofKey, ofUser].filter((state) => state !== undefined))
  setHeaders(c, headers)
  if (lacksConsent && c.req.method !== 'GET') await c.var.assertConsents(key.userId)
  return { key, headers }
}

/** The counter that ends first. */
function limitHeaders(states: LimitState[]): Record<string, string> {
  const [first] = states.sort((one, other) => one.left - other.left)
  if (!first) return {}
  return {
    'x-ratelimit-limit-requests': String(first.limit),
    'x-ratelimit-remaining-requests': String(first.left),
    'x-ratelimit-reset-requests': `${Math.ceil(first.resetMs / 1000)}s`,
  }
}

/** A call that was let in. */
export interface ProgramCall {
  c: Context<Env>
  key: UsedKey
  bytes: Buffer
  /** Set when the client may repeat the call: then it is finished also when its client leaves. */
  repeat: Repeat | null
  left: AbortSignal
  /** What every answer says, for answers that write their own headers. */
  headers: Record<string, string>
  startedAt: number
  /** The call lasts longer than its answer begins: its slot and its body count until this work ends. */
  lasts: (work: Promise<unknown>) => void
}

/** A header of the answer, whichever way it is written. */
export function say({ c, headers }: ProgramCall, name: string, value: string): void {
  headers[name] = value
  c.header(name, value)
}

export interface AnsweredCall {
  answer: (call: ProgramCall) => Promise<Response>
  mostBytes: number
}

/** Lets a call in, and answers a repeated one with the answer of the first. The slot is taken before the body is read. */
export async function answerCall(
  c: Context<Env>,
  deps: RepeatDeps & { keys: KeyDeps; calls: Calls },
  { answer, mostBytes }: AnsweredCall,
): Promise<Response> {
  const startedAt = performance.now()
  const { key, headers } = await admit(c, deps.keys)
  const releaseSlot = deps.calls.takeSlot(key)
  const lasting: Promise<unknown>[] = []
  const lasts = (work: Promise<unknown>) => void lasting.push(work)
  let body: Body | null = null
  try {
    body = await readBody(c, { mostBytes, caller: key.userId })
    const { bytes } = body
    const repeat = await openRepeat(c, deps, key, bytes)
    if (repeat instanceof Response) return repeat
    const left = repeat ? new AbortController().signal : c.req.raw.signal
    return await answerOnce({ c, key, bytes, repeat, left, headers, startedAt, lasts }, answer)
  } finally {
    void Promise.allSettled(lasting).then(() => {
      body?.release()
      releaseSlot()
    })
  }
}

async function answerOnce(call: ProgramCall, answer: (call: ProgramCall) => Promise<Response>): Promise<Response> {
  const { repeat } = call
  try {
    const response = await answer(call)
    if (!repeat || response === RESPONSE_ALREADY_SENT) return response
    const whole = Buffer.from(await response.arrayBuffer())
    await repeat.keep({ type: response.headers.get('content-type') ?? '', bytes: whole })
    return new Response(whole, response)
  } catch (error) {
    await repeat?.forget()
    throw error
  }
}

/** More than agents send with a hundred tools; models with the longest memory take less text. */
export const PROGRAM_JSON: JsonLimits = { values: 30_000, textBytes: MAX_PROGRAM_TEXT_BYTES }

export async function bodyOf<S extends z.ZodMiniType>(
  { c, bytes }: ProgramCall,
  schema: S,
  limits: JsonLimits = PROGRAM_JSON,
): Promise<z.output<S>> {
  if (!isJson(c.req.header('content-type'))) throw notJson()
  const value = await parseJson(bytes, limits)
  // Only a text with the escape can have the character.
  return checkBody(schema, bytes.includes('\\u0000') ? withoutNul(value) : value)
}

/** Throws an error that names the first field which is wrong; `at` is where the value is in the request. */
export function checkBody<S extends z.ZodMiniType>(schema: S, value: unknown, at = ''): z.output<S> {
  const parsed = schema.safeParse(value, unworded)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const param = paramOf(issue?.path ?? [], at)
  if (!issue || issue.input === undefined) throw badField(param, `Не заполнено поле ${param}.`)
  const problem = inputSentence({ ...issue, path: [] }, '').replace(/^Запрос:? ?/, '')
  throw badField(param, `Поле ${param}: ${problem}`)
}

/** «messages[0].content». */
const paramOf = (path: readonly PropertyKey[], at: string) =>
  path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`
    return name === '' ? String(part) : `${name}.${String(part)}`
  }, at) || 'body'

export interface Calls {
  /** Throws 429 when the owner of the key has too many calls at once. */
  takeSlot: (key: UsedKey) => () => void
  /** Runs a call until it ends, its client leaves, its key is ended or the server stops. */
  run: <T>(key: UsedKey, work: (stops: AbortSignal) => Promise<T>) => Promise<T>
  close: (drainMs: number) => Promise<void>
}

const stopping = () =>
  new AppError('unavailable', 'Сервер перезапускается. Повторите через несколько секунд.', { retryAfterSeconds: 1 })

/** How often running calls are compared with the keys they came with, which may be ended on any instance. */
const CHECK_KEYS_MS = 1000

/** All calls that run in this process. */
export function createCalls(takeSlot: TakeSlot, workingKeys: (ids: string[]) => Promise<Set<string>>): Calls {
  const keys = new Map<string, string>()
  const runner = createRunner({
    ...{ limit: Number.MAX_SAFE_INTEGER, onError: () => undefined, lost: endedKey(), checkMs: CHECK_KEYS_MS },
    stillOwned: async (calls) => {
      const working = await workingKeys([...new Set(keys.values())])
      return calls.filter((call) => working.has(keys.get(call) ?? ''))
    },
  })
  let isOpen = true
  return {
    takeSlot: ({ userId }) => takeSlot(userId),
    run: async <T>(key: UsedKey, work: (stops: AbortSignal) => Promise<T>) => {
      if (!isOpen) throw stopping()
      let result: Promise<T> = Promise.reject(stopping())
      result.catch(() => undefined)
      const id = newId()
      keys.set(id, key.id)
      await runner.run(id, async (stops) => {
        result = work(stops)
        await result
      })
      keys.delete(id)
      return result
    },
    close: async (drainMs) => {
      isOpen = false
      await runner.close(drainMs, stopping())
    },
  }
}

const EVENTS = 'text/event-stream; charset=utf-8'
/** A model may think for minutes before its first event; proxies want to see something sooner. */
const OPEN_AFTER_MS = 10_000

/**
 * Answers with events. The stream opens with the first of them, so that an error before that has a status of its own;
 * an error after it is an event, and the stream ends without its last line.
 */
export async function answerEvents(
  { c, key, repeat, left: gone, headers, startedAt, lasts }: ProgramCall,
  calls: Calls,
  work: (caller: Caller, send: (text: string) => void) => Promise<void>,
  errorEvent: (error: OpenAiError) => string,
): Promise<Response> {
  const left = new AbortController()
  const leave = () => {
    if (!repeat) left.abort()
  }
  const sent: string[] = []
  let stream: EventStream | null = null
  let onOpen: (response: Response) => void = () => undefined
  const opened = new Promise<Response>((done) => {
    onOpen = done
  })
  const open = (): EventStream => {
    if (stream) return stream
    stream = openEventStream(c, null, leave, { ...cors, ...headers, ...processingTime(startedAt) })
    onOpen(stream.response)
    return stream
  }
  const timer = setTimeout(open, OPEN_AFTER_MS)
  const send = (text: string) => {
    if (repeat) sent.push(text)
    if (!open().write(text)) leave()
  }
  const caller = (stops: AbortSignal) => ({
    ...{ key, left: AbortSignal.any([left.signal, gone]), stops },
    ready: () => stream?.drained() ?? null,
  })
  const finished = calls
    .run(key, (stops) => work(caller(stops), send))
    .then(() => repeat?.keep({ type: EVENTS, bytes: Buffer.from(sent.join('')) }))
    .catch(async (error: unknown) => {
      if (!stream) throw error
      await repeat?.forget()
      const known = openAiErrorOf(error)
      if (!known) c.var.log.error({ err: error }, 'programs: a stream failed')
      stream.write(errorEvent(known ?? unexpected(c.var.requestId)))
    })
    .then(() => {
      const { response, end } = open()
      end()
      return response
    })
    .finally(() => clearTimeout(timer))
  lasts(finished)
  return Promise.race([opened, finished])
}
