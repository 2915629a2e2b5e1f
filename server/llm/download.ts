import { type LookupAddress, lookup } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { drawError } from './draw.ts'

interface DownloadOrder {
  /** Host and port of the provider itself: whatever the owner has set up there is his own choice. */
  trusted: string
  maxBytes: number
  signal: AbortSignal
}

/**
 * Fetches a picture from an address that a provider named. An address is only a text from outside: except for the
 * provider's own host it must be https and must not lead into our own network, neither by number nor by name. Nothing
 * is followed further.
 */
export async function download(address: string, order: DownloadOrder): Promise<Uint8Array> {
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url) throw drawError('down', 'the address of the picture is none')
  const isOwn = url.host === order.trusted && /^https?:$/.test(url.protocol)
  if (!isOwn && url.protocol !== 'https:') throw drawError('down', `a picture at ${url.protocol}`)
  if (!isOwn && isInside(bare(url.hostname))) throw drawError('down', `a picture inside: ${url.hostname}`)
  const response = await open(url, isOwn ? undefined : outsideOnly, order.signal)
  try {
    if (response.statusCode !== 200) throw drawError('down', `${response.statusCode} for the picture`)
    if (Number(response.headers['content-length'] ?? 0) > order.maxBytes) throw tooLarge(order.maxBytes)
    return await takeWhole(response, order.maxBytes)
  } finally {
    response.destroy()
  }
}

function open(url: URL, find: LookupFunction | undefined, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const request = send(url, { signal, headers: { accept: 'image/*' }, ...(find ? { lookup: find } : {}) })
    request.once('response', done)
    request.once('error', fail)
    request.end()
  })
}

/** Everything that comes, unless it is more than that. */
export async function takeWhole(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

const tooLarge = (maxBytes: number) => drawError('down', `more than ${maxBytes} bytes for a picture`)
const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '')

const inside = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  inside.addSubnet(net, prefix)
for (const [net, prefix] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  inside.addSubnet(net, prefix, 'ipv6')

/** Addresses of this machine and of networks around it. */
export function isInside(host: string): boolean {
  const family = isIP(host)
  if (family === 0) return /(^|\.)(localhost|local|internal)$/i.test(host)
  return inside.check(host, family === 6 ? 'ipv6' : 'ipv4')
}

/** A name is asked once, and the answer that was checked is the one that is connected to. */
const outsideOnly: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return done(error, '')
    const addresses = found as LookupAddress[]
    if (addresses.length === 0 || addresses.some(({ address }) => isInside(address)))
      return done(new Error(`${hostname} leads inside`), '')
    if (options.all) return done(null, addresses)
    return done(null, addresses[0]?.address ?? '', addresses[0]?.family)
  })
}
