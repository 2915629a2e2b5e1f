import { BlockList, isIP, type LookupFunction } from 'node:net'
import { createNameResolver, type LookupRequest, type ResolveName } from './resolve-name.ts'

/** Guards against SSRF: whether an untrusted address leads to this machine or into a private network. */

/** The registry of special-purpose addresses of IPv4, with multicast and what is reserved. */
const privateNetworks = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  privateNetworks.addSubnet(net, prefix)

/** Only here are addresses of the internet; everything else has a special purpose or none yet. */
const internet = new BlockList()
internet.addSubnet('2000::', 3, 'ipv6')

/** The parts of it that the IANA registry reserves; some of them contain an IPv4 address that a gateway would unpack. */
const reserved = new BlockList()
for (const [net, prefix] of [
  // Teredo, ORCHID, benchmarks and others; the few global ones of this block are anycast services, not sites.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3ffe::', 16],
  ['3fff::', 20],
] as const)
  reserved.addSubnet(net, prefix, 'ipv6')

/** Whether a host is this machine, in a private network or otherwise not on the internet. */
export function isPrivateHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const family = isIP(bare)
  if (family === 0) return /(^|\.)(localhost|local|internal|lan|home\.arpa)$/i.test(bare)
  if (family === 4) return privateNetworks.check(bare)
  return bare.includes('%') || !internet.check(bare, 'ipv6') || reserved.check(bare, 'ipv6')
}

/** What requests to untrusted addresses may reach; tests replace it by a network of their own. */
export interface NetworkAccess {
  lookup: ResolveName
  isPrivate: (host: string) => boolean
  /** Whether a port may be asked; empty is the standard one. */
  allowsPort: (port: string) => boolean
}

export const publicNetworkAccess: NetworkAccess = {
  lookup: createNameResolver(),
  isPrivate: isPrivateHost,
  allowsPort: (port) => port === '',
}

/** Resolves a name once and connects to the checked address, so DNS rebinding is not possible. */
export function createPublicLookup(
  { lookup: find, isPrivate }: Pick<NetworkAccess, 'lookup' | 'isPrivate'>,
  asked: LookupRequest,
): LookupFunction {
  return (hostname, options, done) => {
    find(hostname, asked).then(
      (found) => {
        const fitting = options.family ? found.filter(({ family }) => family === options.family) : found
        const [first] = fitting
        if (!first || found.some(({ address }) => isPrivate(address)))
          return done(new Error(`${hostname} leads inside`), '')
        if (options.all) return done(null, fitting)
        return done(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => done(error, ''),
    )
  }
}
