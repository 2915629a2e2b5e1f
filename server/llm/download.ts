import { type LookupAddress, lookup } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { drawError } from './llm.ts'

interface DownloadOrder {
  /** Host and port of the configured provider; may be inside our network. */
  trusted: string
  maxBytes: number
  signal: AbortSignal
}

/**
 * Downloads a picture from a URL in a provider's answer. The URL is untrusted (SSRF): except for the provider's own host
 * it must be https and must not resolve to a private address. Redirects are not followed.
 */
export async function download(address: string, order: DownloadOrder): Promise<Uint8Array> {
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url) throw drawError('down', 'the address of the picture is none')
  const isOwn = url.host === order.trusted && /^https?:$/.test(url.protocol)
  if (!isOwn && url.protocol !== 'https:') throw drawError('down', `a picture at ${url.protocol}`)
  if (!isOwn && isPrivateHost(bare(url.hostname))) throw drawError('down', `a picture inside: ${url.hostname}`)
  const response = await open(url, isOwn ? undefined : lookupPublic, order.signal)
  try {
    if (response.statusCode !== 200) throw drawError('down', `${response.statusCode} for the picture`)
    if (Number(response.headers['content-length'] ?? 0) > order.maxBytes) throw tooLarge(order.maxBytes)
    return await readBody(response, order.maxBytes)
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

/** Reads the whole body; throws above the limit. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const tooLarge = (maxBytes: number) => drawError('down', `more than ${maxBytes} bytes for a picture`)
const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '')

const privateNetworks = new BlockList()
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
  privateNetworks.addSubnet(net, prefix)
for (const [net, prefix] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  privateNetworks.addSubnet(net, prefix, 'ipv6')

/** Whether a host is this machine or in a private network. */
export function isPrivateHost(host: string): boolean {
  const family = isIP(host)
  if (family === 0) return /(^|\.)(localhost|local|internal)$/i.test(host)
  return privateNetworks.check(host, family === 6 ? 'ipv6' : 'ipv4')
}

/** Resolves a name once and connects to the checked address, so DNS rebinding is not possible. */
const lookupPublic: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return done(error, '')
    const addresses = found as LookupAddress[]
    if (addresses.length === 0 || addresses.some(({ address }) => isPrivateHost(address)))
      return done(new Error(`${hostname} leads inside`), '')
    if (options.all) return done(null, addresses)
    return done(null, addresses[0]?.address ?? '', addresses[0]?.family)
  })
}
