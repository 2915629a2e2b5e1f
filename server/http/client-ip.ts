import { isIPv6 } from 'node:net'

/**
 * The caller's address. Each trusted proxy appends the address it saw to X-Forwarded-For, so with n proxies
 * the n-th from the right is the last one that nobody outside could have written.
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

/** One person usually holds a whole /64 of IPv6, so limits count by that. */
export function limitKey(ip: string): string {
  if (!isIPv6(ip)) return ip
  const [head = '', tail] = ip.split('::')
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? [] : Array<string>(8 - left.length - right.length).fill('0')
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}
