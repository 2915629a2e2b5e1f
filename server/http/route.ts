import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import type * as z from 'zod/mini'
import type { Answer, Endpoint, Input } from '#contract/endpoint.ts'
import { NEXT_CURSOR } from '#contract/paging.ts'
import type { Db } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Log } from '#server/lib/log.ts'
import type { AnyoneCtx, Ctx, CurrentSession, CurrentUser, Publish } from './context.ts'

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

/** Mounts one call of the contract: may this caller, does the input fit, what the verb says. */
export function route<E extends Endpoint>(app: App, endpoint: E, handler: Handler<E>): void {
  app.on(endpoint.method, endpoint.path, async (c) => {
    const ctx = await admit(c, endpoint)
    const input = await readInput(c, endpoint)
    const result = await handler(ctx as CtxOf<E>, input as Input<E>)
    if (result instanceof Page && result.nextCursor) c.header(NEXT_CURSOR, result.nextCursor)
    return c.json(endpoint.returns.parse(result instanceof Page ? result.items : result) as object)
  })
}

export const PROOF_REQUIRED = 'Подтвердите, что это вы, и повторите: для этого нужен недавний вход.'

/** May this caller? Throws 401 or 403 if not. */
export async function admit(c: Context<Env>, { who, borrowed, proof }: Entrance): Promise<AnyoneCtx | Ctx> {
  const world = { db: c.var.db, publish: c.var.publish }
  if (who === 'anyone') return world
  const session = await c.var.sessionOf(c.req.raw.headers)
  if (!session) throw new AppError('unauthorized', 'Войдите, чтобы продолжить.')
  if (who === 'admin' && (session.user.role !== 'admin' || session.impersonatedBy)) {
    throw new AppError('forbidden', 'Это доступно только администратору.')
  }
  mustBeOwn(session, borrowed ?? (reading.has(c.req.method) ? 'allowed' : 'refused'))
  const user = await withRightsOf(c, session, who)
  if (proof === 'fresh') await c.var.factors.mustBeFresh(session)
  const request = { id: c.var.requestId, userAgent: c.req.header('user-agent') ?? null }
  return { ...world, session: { ...session, user }, user, ip: c.var.ip, request }
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

/** For what is not a call of the contract: a file, a stream. */
export async function admitUser(
  c: Context<Env>,
  who: 'user' | 'admin' = 'user',
  borrowed?: Endpoint['borrowed'],
  proof?: Endpoint['proof'],
): Promise<Ctx> {
  return (await admit(c, { who, ...(borrowed && { borrowed }), ...(proof && { proof }) })) as Ctx
}

type Entrance = Pick<Endpoint, 'who' | 'borrowed' | 'proof'>
const reading = new Set(['GET', 'HEAD'])

/** An administrator who looks through somebody's eyes looks, and does nothing in that person's name. */
function mustBeOwn({ impersonatedBy }: CurrentSession, borrowed: 'allowed' | 'refused'): void {
  if (!impersonatedBy || borrowed === 'allowed') return
  throw new AppError(
    'impersonated',
    'Вы смотрите глазами пользователя: так можно только смотреть. Чтобы действовать, вернитесь к себе.',
  )
}

/** The same for what a library mounts beside the contract. */
export async function refuseBorrowed(c: Context<Env>): Promise<void> {
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

/** The database keeps no text with U+0000 in it. */
function withoutNul<T>(input: T): T {
  if (hasNul(input)) throw new AppError('bad_request', 'В запросе есть знак с кодом 0: такой текст не хранится.')
  return input
}

function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNul)
}

export async function readJson(c: Context<Env>): Promise<unknown> {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    throw new AppError('unsupported_media_type', 'Нужно тело в формате application/json.')
  try {
    return await c.req.json()
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('bad_request', 'Тело запроса не читается как JSON.')
  }
}
