import { BlockList, isIP, isIPv6 } from 'node:net'

/** Whether an IP is one of these addresses or in one of these networks, such as `203.0.113.0/24`. */
export function createNetworkCheck(networks: readonly string[]): (ip: string) => boolean {
  const known = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) known.addAddress(address, family)
    else known.addSubnet(address, Number(bits), family)
  }
  return (ip) => isIP(ip) !== 0 && known.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')
}
