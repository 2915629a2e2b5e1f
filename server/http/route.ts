import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono, MiddlewareHandler } from 'hono'
import type * as z from 'zod/mini'
import type { Answer, Endpoint, Input, JsonEndpoint } from '#contract/endpoint.ts'
import { NEXT_CURSOR } from '#contract/paging.ts'
import type { Db } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Log } from '#server/lib/log.ts'
import { assertShort, type BodyTerms, withBody } from './body.ts'
import { mostBytesOf } from './body-size.ts'
import { networkOf } from './client-ip.ts'
import type { AnyoneCtx, Ctx, CurrentSession, CurrentUser, OnSessionEnd, Publish } from './context.ts'
import { inputSentence, unworded } from './input-sentence.ts'
import { isJson, notJson, parseJson } from './json.ts'
import { PAGE_JSON } from './json-size.ts'
import { type LimitName, type LimitRow, limitTable } from './limit-table.ts'
import type { Limits } from './limits.ts'

export interface Env {
  Bindings: HttpBindings
  Variables: {
    requestId: string
    /** Set once the session is known. */
    userId?: string
    /** The client's IP as reported by the trusted proxies. */
    ip: string
    log: Log
    db: Db
    publish: Publish
    onSessionEnd: OnSessionEnd
    /** The Set-Cookie value for a new device id. */
    deviceCookie?: string | null
    limits: Limits
    sessionOf: (headers: Headers) => Promise<CurrentSession | null>
    factors: {
      mustBeFresh: (session: CurrentSession, proof: NonNullable<Endpoint['proof']>) => Promise<void>
      lacksFactor: (session: CurrentSession) => Promise<'factor' | 'proof' | null>
    }
    /** Throws 403 until the user has agreed to the seller's documents. */
    assertConsents: (userId: string) => Promise<void>
  }
}
export type App = Hono<Env>

type CtxOf<E extends Endpoint> = E['who'] extends 'anyone' ? AnyoneCtx : Ctx
type Result<E extends Endpoint> = E extends { answers: 'file' | 'stream' }
  ? Response
  : E extends JsonEndpoint
    ? Answer<E> | Page<Answer<E>>
    : never
/** A handler gets the request itself for headers, cookies, forms, bytes and streams. */
type Handler<E extends Endpoint> = (ctx: CtxOf<E>, input: Input<E>, c: Context<Env>) => Promise<Result<E>> | Result<E>

/** The cursor of the next page is sent in a header. */
export class Page<Items> {
  readonly items: Items
  readonly nextCursor: string | null

  constructor(items: Items, nextCursor: string | null) {
    this.items = items
    this.nextCursor = nextCursor
  }
}

/** Stored bytes may be shown or saved, and must not run as a page. */
const fileHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/** Mounts one endpoint of the contract: checks access, limits and input, then calls the handler. */
export function route<E extends Endpoint>(app: App, endpoint: E, handler: Handler<E>, limited: Limited = {}): void {
  const readsBody = endpoint.takes === 'form' || endpoint.takes === 'bytes'
  const mostBytes = readsBody ? Number.POSITIVE_INFINITY : mostBytesOf(endpoint.body)
  app.on(endpoint.method, endpoint.path, async (c) => {
    assertShort(c, mostBytes)
    if (endpoint.effects) assertFromOwnPage(c, ...(endpoint.answers === 'file' ? fetchOrDownload : onlyFetch))
    const rules = { ...endpoint, ...limited }
    const ctx = await admit(c, rules)
    const forgive = giveBackFor(c, rules, ctx)
    const lacksConsent = 'session' in ctx && ctx.session.lacksConsent !== false
    if (lacksConsent && asksForConsent(endpoint)) await c.var.assertConsents(ctx.user.id)
    const input = await readInput(c, endpoint, { mostBytes, caller: callerOf(c) }).catch(forgive)
    const run = async () => handler(ctx as CtxOf<E>, input as Input<E>, c)
    const result = await run().catch(forgive)
    if (endpoint.answers === 'stream') return result as Response
    if (endpoint.answers === 'file') return withFileHeaders(result as Response)
    if (result instanceof Page && result.nextCursor) c.header(NEXT_CURSOR, result.nextCursor)
    return c.json(answerOf(endpoint, result as Answer<JsonEndpoint>) as object)
  })
}

/** The response of a call, without fields that the contract does not name. */
export function answerOf<E extends JsonEndpoint>({ returns }: E, result: Answer<E> | Page<Answer<E>>): Answer<E> {
  return returns.parse(result instanceof Page ? result.items : result) as Answer<E>
}

/**
 * Every change by a user needs consent to the seller's documents, so that a new call is covered by default. Reads
 * without effects and deletions need none, nor do calls of the admin area or of the authentication library.
 */
export function asksForConsent({ who, method, effects, consent }: Endpoint): boolean {
  return who === 'user' && consent !== 'unneeded' && (effects === true || (method !== 'GET' && method !== 'DELETE'))
}

function withFileHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(fileHeaders)) response.headers.set(name, value)
  return response
}

const onlyFetch = ['empty'] as const
const fetchOrDownload = ['empty', 'document'] as const

export const PROOF_REQUIRED = 'Подтвердите, что это вы, и повторите: для этого нужен недавний вход.'

/** Throws 401, 403 or 429. */
export async function admit(
  c: Context<Env>,
  { who, impersonation, limit, proof }: AccessRules,
): Promise<AnyoneCtx | Ctx> {
  const deps = { db: c.var.db, publish: c.var.publish }
  const isRead = isReading(c.req.method)
  const counted = countedAs(c, limit)
  if (who === 'anyone') {
    if (counted) await c.var.limits(counted, keyOf(counted, networkOf(c.var.ip), c.var.ip))
    return deps
  }
  const session = await c.var.sessionOf(c.req.raw.headers)
  if (!session) throw new AppError('unauthorized', 'Войдите, чтобы продолжить.')
  if (who === 'admin' && (session.user.role !== 'admin' || session.impersonatedBy)) {
    throw new AppError('forbidden', 'Это доступно только администратору.')
  }
  assertNotImpersonated(session, impersonation ?? (isRead ? 'allowed' : 'refused'))
  const user = await userWithRights(c, session, who)
  if (proof) await c.var.factors.mustBeFresh(session, proof)
  if (counted) await c.var.limits(counted, keyOf(counted, session.user.id, c.var.ip))
  const request = { id: c.var.requestId, userAgent: c.req.header('user-agent') ?? null }
  return { ...deps, session: { ...session, user }, user, ip: c.var.ip, request }
}

const countedAs = (c: Context<Env>, limit: Limited['limit']) =>
  limit === undefined && !isReading(c.req.method) ? 'writes' : limit

const refusals = new Set([400, 409, 413, 415])

/** What was refused is no use of a limit of few calls in a long time: it is given back. */
function giveBackFor(c: Context<Env>, { limit }: Limited, ctx: AnyoneCtx | Ctx) {
  const counted = countedAs(c, limit)
  return async (error: unknown): Promise<never> => {
    const row: LimitRow | undefined = counted ? limitTable[counted] : undefined
    if (counted && row?.forgivesRefusals && error instanceof AppError && refusals.has(error.status)) {
      const caller = 'session' in ctx ? ctx.session.user.id : networkOf(c.var.ip)
      await c.var.limits(counted, keyOf(counted, caller, c.var.ip), 'give back')
    }
    throw error
  }
}

/** An admin whose grace period without a second factor is over has the rights of a user. */
async function userWithRights(c: Context<Env>, session: CurrentSession, who: Endpoint['who']): Promise<CurrentUser> {
  const { user } = session
  const lack = user.role === 'admin' ? await c.var.factors.lacksFactor(session) : null
  if (!lack) return user
  if (who !== 'admin') return { ...user, role: 'user' }
  if (lack === 'proof') throw new AppError('proof_required', PROOF_REQUIRED)
  throw new AppError(
    'second_factor_required',
    'Администратору нужен второй шаг входа. Откройте профиль, раздел «Вход в два шага», и включите его или добавьте ключ доступа.',
  )
}

/** Rows counted by network get the IP, the others the user id. */
const keyOf = (limit: LimitName, caller: string, ip: string) => (limitTable[limit].per === 'network' ? ip : caller)

interface Limited {
  /** The limit that counts this call. By default changes are counted as `writes`; null counts nothing. */
  limit?: LimitName | null
}
type AccessRules = Pick<Endpoint, 'who' | 'impersonation' | 'proof'> & Limited
const readMethods = new Set(['GET', 'HEAD'])
export const isReading = (method: string) => readMethods.has(method)

/** Impersonated sessions are read-only. */
function assertNotImpersonated({ impersonatedBy }: CurrentSession, impersonation: 'allowed' | 'refused'): void {
  if (!impersonatedBy || impersonation === 'allowed') return
  throw new AppError(
    'impersonated',
    'Вы смотрите глазами пользователя: так можно только смотреть. Чтобы действовать, вернитесь к себе.',
  )
}

/**
 * A GET with effects must come from our own page, not from a link, an image or a frame of another site. Clients that
 * send no Sec-Fetch headers are not browsers.
 */
function assertFromOwnPage(c: Context<Env>, ...wanted: readonly ('empty' | 'document')[]): void {
  const site = c.req.header('sec-fetch-site')
  const purpose = c.req.header('sec-fetch-dest')
  const isOwn = site === undefined || site === 'same-origin'
  const isWanted = purpose === undefined || wanted.some((name) => name === purpose)
  if (!isOwn || !isWanted) throw new AppError('forbidden', 'Откройте это со страниц самого приложения.')
}

/** Makes impersonated sessions read-only for calls of the authentication library, which are outside the contract. */
export async function rejectImpersonated(c: Context<Env>): Promise<void> {
  if (isReading(c.req.method)) return
  const session = await c.var.sessionOf(c.req.raw.headers)
  if (session) assertNotImpersonated(session, 'refused')
}

async function readInput(c: Context<Env>, endpoint: Endpoint, terms: BodyTerms) {
  return {
    params: withoutNul(c.req.param()),
    query: endpoint.query && checkInput(endpoint.query, c.req.query(), endpoint.path),
    body: endpoint.body && checkInput(endpoint.body, await readJson(c, terms), endpoint.path),
  }
}

async function readJson(c: Context<Env>, terms: BodyTerms): Promise<unknown> {
  if (!isJson(c.req.header('content-type'))) throw notJson()
  return withBody(c, terms, (bytes) => parseJson(bytes, PAGE_JSON))
}

/** Bodies are counted by user, those of strangers by network. */
export const callerOf = (c: Context<Env>) => c.var.userId ?? networkOf(c.var.ip)

export function checkInput<S extends NonNullable<Endpoint['body']>>(
  schema: S,
  value: unknown,
  path: string,
): z.output<S> {
  const result = schema.safeParse(value, unworded)
  if (result.success) return withoutNul(result.data)
  const issue = result.error.issues[0]
  const unknownField = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  const field = [...(issue?.path ?? []), ...(unknownField ? [unknownField] : [])].join('.')
  const message = issue ? inputSentence(issue, path.split('/')[2] ?? '') : 'Запрос не подходит.'
  throw new AppError('bad_request', message, field ? { field } : {})
}

/** Rejects URLs with U+0000, which no query can carry. */
export const refuseNulInAddress: MiddlewareHandler<Env> = async (c, next) => {
  if (/%00|\0/.test(c.req.url)) withoutNul('\0')
  await next()
}

/** Postgres cannot store U+0000 in text. */
export function withoutNul<T>(input: T): T {
  if (hasNul(input)) throw new AppError('bad_request', 'В запросе есть знак с кодом 0: такой текст не хранится.')
  return input
}

function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).some(([name, part]) => name.includes('\0') || hasNul(part))
  )
}
