import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { documents } from '#server/files/types.ts'
import { connectionFailure, type Failure } from '#server/lib/failure.ts'
import { createPublicLookup, type NetworkAccess, publicNetworkAccess } from '#server/lib/public-address.ts'

/** Why a page was not read. `address`: requests to this address are not allowed. */
export type PageFailure = 'address' | 'redirects' | 'status' | 'type' | 'large' | 'timeout' | 'down' | 'unreadable'

export class PageError extends Error {
  override name = 'PageError'
  readonly kind: PageFailure
  readonly failure: Failure

  constructor(kind: PageFailure, failure: Failure = {}) {
    super(`The page was not read: ${kind}`)
    this.kind = kind
    this.failure = failure
  }
}

export interface FetchedPage {
  /** The address after redirects. */
  url: string
  mime: string
  /** The encoding that the server names. */
  charset: string | null
  bytes: Uint8Array<ArrayBuffer>
}

/** What the address must lead to. */
type WantedPage = 'text' | 'image'

export interface PageRequest {
  /** Who gave the address: the names of one person do not hold up those of others. */
  userId: string
  wanted?: WantedPage
}

export interface FetchLimits {
  textBytes: number
  pdfBytes: number
  imageBytes: number
  ms: number
}

const MB = 1024 * 1024
export const usualFetchLimits: FetchLimits = { textBytes: 2 * MB, pdfBytes: 8 * MB, imageBytes: 8 * MB, ms: 6000 }

const MAX_REDIRECTS = 3
const types: Record<WantedPage, string[]> = {
  text: [documents.html.mime, documents.txt.mime, documents.pdf.mime],
  image: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
}
const headers = {
  'user-agent': 'Mozilla/5.0 (compatible; SymbolReader/1.0)',
  'accept-language': 'ru,en;q=0.7',
  'accept-encoding': 'gzip, deflate, br',
}

/**
 * Reads a page of the web. Its address is untrusted: only http and https on standard ports, no private addresses, and
 * each redirect is checked again. No cookies, and nothing of the person or of this server is sent.
 */
export async function fetchPage(
  address: string,
  signal: AbortSignal,
  { userId, wanted = 'text' }: PageRequest,
  { reach = publicNetworkAccess, limits = usualFetchLimits }: { reach?: NetworkAccess; limits?: FetchLimits } = {},
): Promise<FetchedPage> {
  const timeout = AbortSignal.timeout(limits.ms)
  try {
    return await follow(address, { reach, limits, wanted, userId }, AbortSignal.any([signal, timeout]))
  } catch (error) {
    if (error instanceof PageError) throw error
    if (timeout.aborted) throw new PageError('timeout')
    signal.throwIfAborted()
    throw new PageError('down', connectionFailure(error))
  }
}

interface Terms {
  reach: NetworkAccess
  limits: FetchLimits
  wanted: WantedPage
  userId: string
}

async function follow(address: string, terms: Terms, signal: AbortSignal): Promise<FetchedPage> {
  const { reach } = terms
  let url = checkedUrl(address, undefined, reach)
  for (let redirects = 0; ; redirects += 1) {
    const response = await open(url, terms, signal)
    try {
      const { statusCode = 0, headers } = response
      if (statusCode < 300 || statusCode >= 400 || !headers.location) return await readPage(url, response, terms)
      if (redirects === MAX_REDIRECTS) throw new PageError('redirects')
      url = checkedUrl(headers.location, url, reach)
    } finally {
      response.destroy()
    }
  }
}

function checkedUrl(address: string, base: URL | undefined, reach: NetworkAccess): URL {
  const url = URL.canParse(address, base?.href) ? new URL(address, base) : null
  if (!url || !/^https?:$/.test(url.protocol)) throw new PageError('address')
  if (url.username || url.password) throw new PageError('address')
  if (!reach.allowsPort(url.port)) throw new PageError('address')
  if (reach.isPrivate(url.hostname)) throw new PageError('address')
  url.hash = ''
  return url
}

/** Always opens a new connection: a reused one would skip the check of the resolved address. */
function open(url: URL, { reach, wanted, userId }: Terms, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const request = send(url, {
      agent: false,
      signal,
      headers: { ...headers, accept: `${types[wanted].join(',')};q=0.9` },
      lookup: createPublicLookup(reach, { userId, signal }),
      maxHeaderSize: 16_384,
    })
    request.once('response', done)
    request.once('error', fail)
    request.end()
  })
}

async function readPage(url: URL, response: IncomingMessage, { limits, wanted }: Terms): Promise<FetchedPage> {
  if (response.statusCode !== 200) throw new PageError('status', { status: response.statusCode ?? 0 })
  const [mime = '', ...params] = (response.headers['content-type'] ?? '').split(';').map((part) => part.trim())
  const type = mime.toLowerCase() === 'application/xhtml+xml' ? documents.html.mime : mime.toLowerCase()
  if (!types[wanted].includes(type)) throw new PageError('type')
  const ofText = type === documents.pdf.mime ? limits.pdfBytes : limits.textBytes
  const most = wanted === 'image' ? limits.imageBytes : ofText
  if (Number(response.headers['content-length'] ?? 0) > most) throw tooLarge()
  const charset = params.find((param) => /^charset=/i.test(param))?.replace(/^charset=\s*"?([^"]*)"?$/i, '$1')
  return { url: url.href, mime: type, charset: charset || null, bytes: await readBytes(response, most) }
}

const tooLarge = () => new PageError('large')

/** Counts the unpacked bytes, because a small packed body may unpack to any size. */
async function readBytes(response: IncomingMessage, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const body = unpacked(response)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > most) throw tooLarge()
      chunks.push(chunk)
    }
  } finally {
    body.destroy()
  }
  const whole = new Uint8Array(bytes)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

function unpacked(response: IncomingMessage): Readable {
  const coding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (coding === 'identity' || coding === '') return response
  const unpack =
    coding === 'br'
      ? createBrotliDecompress()
      : coding === 'gzip' || coding === 'x-gzip'
        ? createGunzip()
        : coding === 'deflate'
          ? createInflate()
          : null
  if (!unpack) throw new PageError('type')
  response.once('error', (error) => unpack.destroy(error))
  return response.pipe(unpack)
}
