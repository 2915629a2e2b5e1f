import type { Context, MiddlewareHandler } from 'hono'
import type { Env } from './route.ts'

const names = /^(?:localhost|[\w-]+(?:\.[\w-]+)*\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i

/** Whether the host name always resolves to this machine. */
export const isLoopback = (hostname: string): boolean => names.test(hostname)

/** Headers that proxies add. */
const forwarding = ['forwarded', 'via', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip']

/** Whether a proxy forwarded the request: by its headers, or by HTTP/1.0, which nginx uses by default. */
function isForwarded(c: Context<Env>): boolean {
  const added = [...c.req.raw.headers.keys()].some(
    (name) => name.startsWith('x-forwarded') || forwarding.includes(name),
  )
  return added || c.env?.incoming?.httpVersion === '1.0'
}

const PLAIN =
  'Пробный запуск отвечает только на своей машине, например по адресу http://localhost:3000. Чтобы открыть его другим, задайте SMTP_URL и APP_URL.'

const DIRECT = 'Этот адрес не отвечает через прокси: обратитесь к серверу напрямую.'

/**
 * While emails are in the open mailbox, only this machine may call: no proxy, and no page whose host name was rebound
 * to 127.0.0.1.
 */
export const loopbackOnly: MiddlewareHandler<Env> = async (c, next) => {
  return isLoopback(hostOf(c)) ? next() : c.text(PLAIN, 421)
}

/** For addresses that must be called directly, not through a proxy. */
export const refuseForwarded: MiddlewareHandler<Env> = async (c, next) => {
  return isForwarded(c) ? c.text(DIRECT, 404) : next()
}

export function hostOf(c: Context<Env>): string {
  const host = c.req.header('host') ?? new URL(c.req.url).host
  return host.replace(/:\d*$/, '')
}
