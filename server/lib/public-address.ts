import { type LookupAddress, lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Guards against SSRF: whether an untrusted address leads to this machine or into a private network. */

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
for (const [net, prefix] of [
  // IPv4-compatible addresses, the unspecified one and loopback.
  ['::', 96],
  // Addresses with an IPv4 address inside, which a gateway would unpack: NAT64, Teredo, 6to4.
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['100::', 64],
  ['2001:db8::', 32],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  privateNetworks.addSubnet(net, prefix, 'ipv6')

/** Whether a host is this machine or in a private network. IPv4 addresses in the IPv6 form ::ffff: count too. */
export function isPrivateHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const family = isIP(bare)
  if (family === 0) return /(^|\.)(localhost|local|internal|lan|home\.arpa)$/i.test(bare)
  return privateNetworks.check(bare, family === 6 ? 'ipv6' : 'ipv4')
}

type LookupAll = (hostname: string) => Promise<LookupAddress[]>

const lookupAll: LookupAll = (hostname) =>
  new Promise((done, fail) => {
    lookup(hostname, { all: true }, (error, found) => (error ? fail(error) : done(found)))
  })

/** What requests to untrusted addresses may reach; tests replace it by a network of their own. */
export interface NetworkAccess {
  lookup: LookupAll
  isPrivate: (host: string) => boolean
  /** Whether a port may be asked; empty is the standard one. */
  allowsPort: (port: string) => boolean
}

export const publicNetworkAccess: NetworkAccess = {
  lookup: lookupAll,
  isPrivate: isPrivateHost,
  allowsPort: (port) => port === '',
}

/** Resolves a name once and connects to the checked address, so DNS rebinding is not possible. */
export function createPublicLookup({
  lookup: find,
  isPrivate,
}: Pick<NetworkAccess, 'lookup' | 'isPrivate'>): LookupFunction {
  return (hostname, options, done) => {
    find(hostname).then(
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
