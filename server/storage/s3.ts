import { createReadStream } from 'node:fs'
import { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { S3Settings } from './s3-settings.ts'
import { type LocalFile, OWNER_FILE, type Range, type Storage, StorageError, splitKey } from './storage.ts'

interface S3Request {
  method: 'GET' | 'PUT' | 'DELETE'
  url: string
  content?: Uint8Array | LocalFile
  mime?: string
  range?: Range | undefined
}

const TRIES = 3
const PAUSE_MS = 200
/** How long a transfer may make no progress. A large file may take longer in total. */
const SILENCE_MS = 60_000
const CHUNK_BYTES = 64 * 1024

/** Objects in an S3 bucket, addressed by path: `endpoint/bucket/key`. */
export function s3Storage(settings: S3Settings, pauseMs = PAUSE_MS, silenceMs = SILENCE_MS): Storage {
  const bucket = `${settings.endpoint.replace(/\/+$/, '')}/${settings.bucket}`
  const folder = settings.prefix ? `${settings.prefix}/` : ''
  const urlOf = (key: string) => `${bucket}/${folder}${splitKey(key).join('/')}`
  const ownerUrl = `${bucket}/${folder}${OWNER_FILE}`
  const ask = (request: S3Request) => requestWithRetry(settings, request, { pauseMs, silenceMs })
  const put = async (url: string, content: Uint8Array | LocalFile, mime: string) => {
    const response = await ask({ method: 'PUT', url, content, mime })
    if (!response.ok) throw await responseError('PUT', response)
    await response.body?.cancel()
  }
  const get = async (url: string, range?: Range) => {
    const response = await ask({ method: 'GET', url, range })
    if (response.ok && response.body) return response
    const error = await responseError('GET', response)
    if (error.code === 'NoSuchKey') return null
    throw error
  }

  return {
    put: (key, content, mime) => put(urlOf(key), content, mime),
    read: async (key, range) => {
      const response = await get(urlOf(key), range)
      if (!response) return null
      const bytes = Number(response.headers.get('content-length'))
      const [from, last] = [range?.from ?? 0, (range?.from ?? 0) + bytes - 1]
      const rest = (at: number) => get(urlOf(key), { from: from + at, to: last })
      return { stream: ReadableStream.from(readOn(response, bytes, rest, pauseMs)), bytes }
    },
    delete: async (key) => {
      const response = await ask({ method: 'DELETE', url: urlOf(key) })
      if (response.ok) return void (await response.body?.cancel())
      const error = await responseError('DELETE', response)
      if (error.code !== 'NoSuchKey') throw error
    },
    list: async function* (prefix) {
      let token: string | undefined
      do {
        const query = new URLSearchParams({ 'list-type': '2', prefix: `${folder}${prefix}/` })
        if (token) query.set('continuation-token', token)
        const response = await ask({ method: 'GET', url: `${bucket}?${query}` })
        if (!response.ok) throw await responseError('list', response)
        const page = await response.text()
        for (const { key, at } of keysOf(page)) yield { key: key.slice(folder.length), at }
        token = tag(page, 'NextContinuationToken')
      } while (token)
    },
    readOwner: async () => (await (await get(ownerUrl))?.text()) ?? null,
    writeOwner: (owner) => put(ownerUrl, Buffer.from(owner), 'application/json'),
  }
}

/**
 * The body of a response, read on from where it broke off: S3 closes a connection that is not read for some seconds,
 * and readers may be slow. What is stored under a key never changes.
 */
async function* readOn(
  first: Response,
  bytes: number,
  rest: (at: number) => Promise<Response | null>,
  pauseMs: number,
): AsyncGenerator<Uint8Array> {
  let at = 0
  let response: Response | null = first
  for (let attempt = 1; ; attempt += 1) {
    let cause: unknown
    try {
      for await (const chunk of response?.body ?? []) {
        at += chunk.length
        attempt = 1
        yield chunk
      }
    } catch (error) {
      cause = error
    }
    if (at >= bytes) return
    if (attempt === TRIES) throw new StorageError(`S3 broke off after ${at} of ${bytes} bytes`, { cause })
    await sleep(pauseMs * 2 ** attempt)
    response = await rest(at)
  }
}

interface Timeouts {
  pauseMs: number
  silenceMs: number
}

/** Retries on 5xx, 429 and network errors; every request here is idempotent. */
async function requestWithRetry(settings: S3Settings, request: S3Request, timeouts: Timeouts): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await requestOnce(settings, request, timeouts.silenceMs)
      if (attempt === TRIES || (response.status < 500 && response.status !== 429)) return response
      await response.body?.cancel()
    } catch (error) {
      if (attempt === TRIES) throw new StorageError(`S3 did not answer to ${request.method}`, { cause: error })
    }
    await sleep(timeouts.pauseMs * 2 ** attempt)
  }
}

async function requestOnce(
  { accessKeyId, secretAccessKey, region }: S3Settings,
  request: S3Request,
  silenceMs: number,
) {
  const { method, url, content, mime, range } = request
  const headers = {
    ...(mime ? { 'content-type': mime } : {}),
    ...(range ? { range: `bytes=${range.from}-${range.to}` } : {}),
    // Set explicitly for a stream: otherwise the body is sent chunked, which S3 rejects.
    ...(content ? { 'content-length': String('path' in content ? content.bytes : content.length) } : {}),
  }
  const signer = new AwsV4Signer({ method, url, headers, accessKeyId, secretAccessKey, region, service: 's3' })
  const signed = await signer.sign()
  // The timeout ends with the response headers: the body may go to a client on a slow connection.
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(new Error(`S3 was silent for ${silenceMs} ms`)), silenceMs)
  try {
    return await fetch(signed.url, {
      method,
      headers: signed.headers,
      redirect: 'error',
      signal: abort.signal,
      ...(content ? { body: bodyOf(content, () => timer.refresh()), duplex: 'half' } : {}),
    } as RequestInit)
  } finally {
    clearTimeout(timer)
  }
}

/** In chunks, so that progress is visible. */
function bodyOf(content: Uint8Array | LocalFile, onTaken: () => void) {
  const chunks = 'path' in content ? createReadStream(content.path) : slicesOf(content)
  return ReadableStream.from(reportingChunks(chunks, onTaken))
}

function* slicesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
}

async function* reportingChunks(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, onTaken: () => void) {
  for await (const chunk of chunks) {
    onTaken()
    yield chunk
  }
}

function* keysOf(page: string) {
  for (const [, entry = ''] of page.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
    const key = tag(entry, 'Key')
    if (key) yield { key, at: new Date(tag(entry, 'LastModified') ?? Date.now()) }
  }
}

/** The keys and tokens read here need no unescaping except of the ampersand. */
function tag(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.replaceAll('&amp;', '&')
}

async function responseError(what: string, response: Response): Promise<StorageError> {
  // A 404 without a code means a missing key; a missing bucket has a code.
  const code = tag(await response.text(), 'Code') ?? (response.status === 404 ? 'NoSuchKey' : null)
  return new StorageError(`S3 answered ${response.status} (${code ?? 'no code'}) to ${what}`, { code })
}
