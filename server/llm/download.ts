import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { createPublicLookup, isPrivateHost, publicNetworkAccess } from '#server/lib/public-address.ts'
import { drawError } from './llm.ts'

interface DownloadParams {
  /** Host and port of the configured provider; may be inside our network. */
  trusted: string
  maxBytes: number
  signal: AbortSignal
}

/**
 * Downloads an image from a URL in a provider's answer. The URL is untrusted (SSRF): except for the provider's own host
 * it must be https and must not resolve to a private address. Redirects are not followed.
 */
export async function download(address: string, params: DownloadParams): Promise<Uint8Array> {
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url) throw drawError('down', { reason: 'not-a-url' })
  const isOwn = url.host === params.trusted && /^https?:$/.test(url.protocol)
  if (!isOwn && url.protocol !== 'https:') throw drawError('down', { reason: 'not-a-url' })
  if (!isOwn && isPrivateHost(url.hostname)) throw drawError('down', { reason: 'private-address' })
  const { signal } = params
  const foreign = { agent: false, lookup: createPublicLookup(publicNetworkAccess, { userId: PROVIDER, signal }) }
  const response = await open(url, isOwn ? {} : foreign, signal)
  try {
    if (response.statusCode !== 200) throw drawError('down', { failure: { status: response.statusCode ?? 0 } })
    if (Number(response.headers['content-length'] ?? 0) > params.maxBytes) throw tooLarge()
    return await readBody(response, params.maxBytes)
  } finally {
    response.destroy()
  }
}

/** The addresses of all providers' answers count as those of one person. */
const PROVIDER = 'provider'

/** Always opens a new connection to a foreign host: a reused one would skip the check of the resolved address. */
function open(url: URL, options: RequestOptions, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const request = send(url, { signal, headers: { accept: 'image/*' }, ...options })
    request.once('response', done)
    request.once('error', fail)
    request.end()
  })
}

/** Throws above the limit. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const tooLarge = () => drawError('down', { reason: 'too-large' })
