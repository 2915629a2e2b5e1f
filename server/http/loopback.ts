import type { Context, MiddlewareHandler } from 'hono'
import type { Env } from './route.ts'

const names = /^(?:localhost|[\w-]+(?:\.[\w-]+)*\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i

/** A name that leads to this machine only. */
export const isLoopback = (hostname: string): boolean => names.test(hostname)

/** What proxies add to the requests they pass on. */
const forwarding = ['forwarded', 'via', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip']

/** Whether a proxy passed this request on: it says so, or speaks HTTP/1.0 as nginx does unless told otherwise. */
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
 * While emails are kept in an open mailbox, nobody from outside may ask anything: neither through a proxy nor from
 * a page whose name was pointed at this machine.
 */
export const loopbackOnly: MiddlewareHandler<Env> = async (c, next) => {
  return isLoopback(hostOf(c)) ? next() : c.text(PLAIN, 421)
}

/** Where nothing but a direct request from this machine or the inside network has business. */
export const refuseForwarded: MiddlewareHandler<Env> = async (c, next) => {
  return isForwarded(c) ? c.text(DIRECT, 404) : next()
}

export function hostOf(c: Context<Env>): string {
  const host = c.req.header('host') ?? new URL(c.req.url).host
  return host.replace(/:\d*$/, '')
}
