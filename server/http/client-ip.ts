import { isIPv6 } from 'node:net'

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

/** The /48 of an IPv6 address; null for IPv4. */
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
