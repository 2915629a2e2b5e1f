import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono, MiddlewareHandler } from 'hono'
import type * as z from 'zod/mini'
import type { Answer, Endpoint, Input } from '#contract/endpoint.ts'
import { NEXT_CURSOR } from '#contract/paging.ts'
import type { Db } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Log } from '#server/lib/log.ts'
import { networkOf } from './client-ip.ts'
import type { AnyoneCtx, Ctx, CurrentSession, CurrentUser, Publish } from './context.ts'
import { type LimitName, limitTable } from './limit-table.ts'
import type { Limits } from './limits.ts'

/** What a request carries through the app. */
export interface Env {
  Bindings: HttpBindings
  Variables: {
    requestId: string
    /** The caller's address, as far as the trusted proxies vouch for it. */
    ip: string
    log: Log
    db: Db
    publish: Publish
    /** What the answer of a sign-in call must make the browser keep. */
    deviceCookie?: string | null
    limits: Limits
    sessionOf: (headers: Headers) => Promise<CurrentSession | null>
    factors: {
      mustBeFresh: (session: CurrentSession) => Promise<void>
      lacksFactor: (session: CurrentSession) => Promise<'factor' | 'proof' | null>
    }
  }
}
export type App = Hono<Env>

type CtxOf<E extends Endpoint> = E['who'] extends 'anyone' ? AnyoneCtx : Ctx
type Result<E extends Endpoint> = Answer<E> | Page<Answer<E>>
type Handler<E extends Endpoint> = (ctx: CtxOf<E>, input: Input<E>) => Promise<Result<E>> | Result<E>

/** A page of a list and where the next one begins; the cursor travels in a header. */
export class Page<Items> {
  readonly items: Items
  readonly nextCursor: string | null

  constructor(items: Items, nextCursor: string | null) {
    this.items = items
    this.nextCursor = nextCursor
  }
}

/** Mounts one call of the contract: may this caller, not too often, does the input fit, what the verb says. */
export function route<E extends Endpoint>(app: App, endpoint: E, handler: Handler<E>, limited: Limited = {}): void {
  app.on(endpoint.method, endpoint.path, async (c) => {
    if (endpoint.effects) mustBeOwnPage(c, 'empty')
    const ctx = await admit(c, { ...endpoint, ...limited })
    const input = await readInput(c, endpoint)
    const result = await handler(ctx as CtxOf<E>, input as Input<E>)
    if (result instanceof Page && result.nextCursor) c.header(NEXT_CURSOR, result.nextCursor)
    return c.json(endpoint.returns.parse(result instanceof Page ? result.items : result) as object)
  })
}

export const PROOF_REQUIRED = 'Подтвердите, что это вы, и повторите: для этого нужен недавний вход.'

/** May this caller, and not too often? Throws 401, 403 or 429 if not. */
export async function admit(c: Context<Env>, { who, impersonation, limit, proof }: Entrance): Promise<AnyoneCtx | Ctx> {
  const deps = { db: c.var.db, publish: c.var.publish }
  const isReading = reading.has(c.req.method)
  const counted = limit === undefined && !isReading ? 'writes' : limit
  if (who === 'anyone') {
    if (counted) await c.var.limits(counted, keyOf(counted, networkOf(c.var.ip), c.var.ip))
    return deps
  }
  const session = await c.var.sessionOf(c.req.raw.headers)
  if (!session) throw new AppError('unauthorized', 'Войдите, чтобы продолжить.')
  if (who === 'admin' && (session.user.role !== 'admin' || session.impersonatedBy)) {
    throw new AppError('forbidden', 'Это доступно только администратору.')
  }
  mustBeOwn(session, impersonation ?? (isReading ? 'allowed' : 'refused'))
  const user = await withRightsOf(c, session, who)
  if (proof === 'fresh') await c.var.factors.mustBeFresh(session)
  if (counted) await c.var.limits(counted, keyOf(counted, session.user.id, c.var.ip))
  const request = { id: c.var.requestId, userAgent: c.req.header('user-agent') ?? null }
  return { ...deps, session: { ...session, user }, user, ip: c.var.ip, request }
}

/** An administrator whose time without a second factor is over has the rights of a user, and reads why. */
async function withRightsOf(c: Context<Env>, session: CurrentSession, who: Endpoint['who']): Promise<CurrentUser> {
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

/** A row of networks finds the network of an address by itself. */
const keyOf = (limit: LimitName, caller: string, ip: string) => (limitTable[limit].per === 'network' ? ip : caller)

/** For what is not a call of the contract: a file, a stream. */
export async function admitUser(
  c: Context<Env>,
  who: 'user' | 'admin' = 'user',
  more: Omit<Entrance, 'who'> = {},
): Promise<Ctx> {
  return (await admit(c, { who, ...more })) as Ctx
}

interface Limited {
  /** The row that counts its calls. Unless said, what changes something is counted as `writes`; null counts nothing. */
  limit?: LimitName | null
}
type Entrance = Pick<Endpoint, 'who' | 'impersonation' | 'proof'> & Limited
const reading = new Set(['GET', 'HEAD'])

/** An administrator who looks through somebody's eyes looks, and does nothing in that person's name. */
function mustBeOwn({ impersonatedBy }: CurrentSession, impersonation: 'allowed' | 'refused'): void {
  if (!impersonatedBy || impersonation === 'allowed') return
  throw new AppError(
    'impersonated',
    'Вы смотрите глазами пользователя: так можно только смотреть. Чтобы действовать, вернитесь к себе.',
  )
}

/**
 * A GET with effects is made by our own page: another site may send a person here by a link, and a picture or a frame
 * may stand in a shared chat. Browsers say where a request comes from and for what; who says neither is no browser.
 */
export function mustBeOwnPage(c: Context<Env>, ...wanted: ('empty' | 'document')[]): void {
  const site = c.req.header('sec-fetch-site')
  const purpose = c.req.header('sec-fetch-dest')
  const isOwn = site === undefined || site === 'same-origin'
  const isWanted = purpose === undefined || wanted.some((name) => name === purpose)
  if (!isOwn || !isWanted) throw new AppError('forbidden', 'Откройте это со страниц самого приложения.')
}

/** The same for what a library mounts beside the contract. */
export async function rejectImpersonated(c: Context<Env>): Promise<void> {
  if (reading.has(c.req.method)) return
  const session = await c.var.sessionOf(c.req.raw.headers)
  if (session) mustBeOwn(session, 'refused')
}

async function readInput(c: Context<Env>, endpoint: Endpoint) {
  return {
    params: withoutNul(c.req.param()),
    query: endpoint.query && check(endpoint.query, c.req.query()),
    body: endpoint.body && check(endpoint.body, await readJson(c)),
  }
}

export function check<S extends NonNullable<Endpoint['body']>>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return withoutNul(result.data)
  const issue = result.error.issues[0]
  const unknownField = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  const field = [...(issue?.path ?? []), ...(unknownField ? [unknownField] : [])].join('.')
  throw new AppError(
    'bad_request',
    field ? `Поле ${field}: ${issue?.message}` : `Запрос не подходит: ${issue?.message}`,
    {
      ...(field ? { field } : {}),
    },
  )
}

/** Refuses an address that no row can match and no query can carry. */
export const refuseNulInAddress: MiddlewareHandler<Env> = async (c, next) => {
  if (/%00|\0/.test(c.req.url)) withoutNul('\0')
  await next()
}

/** The database keeps no text with U+0000 in it. */
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

/** No call needs more; whoever nests deeper wants to exhaust the stack of whatever walks through the value. */
const MAX_DEPTH = 50

/** Half of a pair of UTF-16, which only an escape can bring, is no text: the database refuses it inside of JSON. */
const wellFormed = (_name: string, value: unknown) =>
  typeof value === 'string' ? Buffer.from(value).toString() : value

/** JSON of a body, however it was sent. */
export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = /\\u[dD]/.test(text) ? JSON.parse(text, wellFormed) : JSON.parse(text)
  } catch {
    throw new AppError('bad_request', 'Тело запроса не читается как JSON.')
  }
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new AppError('bad_request', 'Тело запроса вложено слишком глубоко.')
    level = level.flatMap((part) => (typeof part === 'object' && part !== null ? Object.values(part) : []))
  }
  return value
}

export async function readJson(c: Context<Env>): Promise<unknown> {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    throw new AppError('unsupported_media_type', 'Нужно тело в формате application/json.')
  return parseJson(await c.req.text())
}
