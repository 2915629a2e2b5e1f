import type { Endpoint } from '#contract/endpoint.ts'
import type { Limits } from '#server/http/limits.ts'
import { type App, admit, rejectImpersonated } from '#server/http/route.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Auth } from './auth.ts'
import { checkBody } from './bodies.ts'
import type { WatchAdminCall } from './deps.ts'
import { ensureDevice } from './devices.ts'
import { limitPasswordChecks, limitSignIn } from './limits.ts'
import { confirmLink } from './link-gate.ts'
import { knownCall } from './proof-table.ts'

/**
 * Mounts the authentication library. The library checks origins; our limits run before it, the contract decides who may
 * call, and the client's IP comes only from us.
 */
export function authRoutes(app: App, auth: Auth, limits: Limits, watchAdmin: WatchAdminCall) {
  const { baseURL } = auth.options
  app.use('/api/auth/*', async (c, next) => {
    await next()
    const cookie = c.get('deviceCookie')
    if (cookie) c.res.headers.append('set-cookie', cookie)
  })
  app.on(['GET', 'POST'], '/api/auth/*', async (c) => {
    assertOpenedAsPage(c.req.raw)
    await limits('auth', c.var.ip)
    const known = knownCall(c.req.method, c.req.path)
    if (!known) throw new AppError('not_found', 'Такого адреса нет.')
    const { call } = known
    const { request: checked, fields } = await checkBody(c)
    const giveBackSignIn = await limitSignIn(limits, checked, fields, c.var.ip)
    const ctx = call && (await admit(c, call.who === 'anyone' ? { ...call, limit: null } : call))
    if (!call || call.impersonation === 'refused') await rejectImpersonated(c)
    const giveBackCheck =
      !call || call.who === 'user'
        ? await limitPasswordChecks(limits, fields, () => c.var.sessionOf(c.req.raw.headers))
        : undefined
    const sent = new Request(checked)
    sent.headers.set('x-client-ip', c.var.ip)
    if (sent.method === 'POST' || pageOnlyPaths.test(c.req.path)) c.set('deviceCookie', ensureDevice(sent, baseURL))
    const request = await confirmLink(auth, c.var.db, sent)
    if (request instanceof Response) return request
    if (!call || !ctx || !('user' in ctx) || !isAdminWrite(call)) {
      const answer = await auth.handler(request)
      if (answer.ok) await Promise.all([giveBackSignIn(), giveBackCheck?.()])
      return answer
    }
    const done = await watchAdmin(ctx, call.path, await jsonOf(request.clone()))
    const answer = await auth.handler(request)
    if (answer.ok) await done(await jsonOf(answer.clone()))
    return answer
  })
}

/** Links of emails and the return from a provider: opening one signs in or changes an account. */
const pageOnlyPaths =
  /^\/api\/auth\/(?:magic-link\/(?:verify|open)|verify-email|delete-user\/(?:callback|open)|join-account|callback\/|reset-password\/)/

/** These addresses must be opened as a page, not loaded by an image, a frame or a script. */
function assertOpenedAsPage({ method, url, headers }: Request): void {
  const destination = headers.get('sec-fetch-dest')
  if (method !== 'GET' || destination === null || destination === 'document') return
  if (pageOnlyPaths.test(new URL(url).pathname))
    throw new AppError('forbidden', 'Откройте эту ссылку в браузере как страницу.')
}

const isAdminWrite = ({ method, path }: Endpoint) => method === 'POST' && path.startsWith('/api/auth/admin/')

async function jsonOf(message: Request | Response): Promise<unknown> {
  try {
    return await message.json()
  } catch {
    return null
  }
}
