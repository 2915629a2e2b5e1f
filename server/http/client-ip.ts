import { isIPv6 } from 'node:net'
import type { Context, MiddlewareHandler } from 'hono'

/**
 * The client's IP. Each trusted proxy appends the address it saw to X-Forwarded-For, so with n proxies the n-th from
 * the right is the last one that a client cannot forge.
 */
export function clientIp(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  const chain = (forwardedFor ?? '').split(',').map((part) => part.trim())
  const vouched = trustedProxies > 0 ? chain.at(-trustedProxies) : undefined
  return (vouched || socketAddress || '127.0.0.1').replace(/^::ffff:/, '')
}

/** Limits count IPv6 by /64, which usually belongs to one customer. */
export function networkOf(ip: string): string {
  return isIPv6(ip) ? `${groupsOf(ip).slice(0, 4).join(':')}::/64` : ip
}

export function wideNetworkOf(ip: string): string | null {
  return isIPv6(ip) ? `${groupsOf(ip).slice(0, 3).join(':')}::/48` : null
}

/** The eight groups without leading zeros, so that one network has one spelling. */
function groupsOf(ip: string): string[] {
  const [head = '', tail] = (ip.split('%')[0] ?? '').split('::')
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  return [...left, ...zeros, ...right].map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
}

const loopbackNames = /^(?:localhost|[\w-]+(?:\.[\w-]+)*\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i

/** Whether the host name always resolves to this machine. */
export const isLoopback = (hostname: string): boolean => loopbackNames.test(hostname)

/** Headers that proxies add. */
const forwarding = ['forwarded', 'via', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip']

/** Whether a proxy forwarded the request: by its headers, or by HTTP/1.0, which nginx uses by default. */
function isForwarded(c: Context): boolean {
  const added = [...c.req.raw.headers.keys()].some(
    (name) => name.startsWith('x-forwarded') || forwarding.includes(name),
  )
  return added || c.env?.incoming?.httpVersion === '1.0'
}

const LOOPBACK_ONLY =
  'Пробный запуск отвечает только на своей машине, например по адресу http://localhost:3000. Чтобы открыть его другим, задайте SMTP_URL и APP_URL.'

const NO_PROXY = 'Этот адрес не отвечает через прокси: обратитесь к серверу напрямую.'

/**
 * While emails are in the open mailbox, only this machine may call: no proxy, and no page whose host name was rebound
 * to 127.0.0.1.
 */
export const loopbackOnly: MiddlewareHandler = async (c, next) => {
  return isLoopback(hostOf(c)) ? next() : c.text(LOOPBACK_ONLY, 421)
}

/** For addresses that must be called directly, not through a proxy. */
export const refuseForwarded: MiddlewareHandler = async (c, next) => {
  return isForwarded(c) ? c.text(NO_PROXY, 404) : next()
}

export function hostOf(c: Context): string {
  const host = c.req.header('host') ?? new URL(c.req.url).host
  return host.replace(/:\d*$/, '')
}
