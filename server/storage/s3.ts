import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { S3Settings } from './s3-settings.ts'
import { type LocalFile, partsOf, type Range, type Storage } from './storage.ts'

interface Ask {
  method: 'GET' | 'PUT' | 'DELETE'
  url: string
  content?: Uint8Array | LocalFile
  mime?: string
  range?: Range | undefined
}

const TRIES = 3
const PAUSE_MS = 200
const TIMEOUT_MS = 60_000

/** Bytes in a bucket of anything that speaks S3, addressed by path: `endpoint/bucket/key`. */
export function s3Storage(settings: S3Settings, pauseMs = PAUSE_MS): Storage {
  const bucket = `${settings.endpoint.replace(/\/+$/, '')}/${settings.bucket}`
  const urlOf = (key: string) => `${bucket}/${partsOf(key).join('/')}`
  const ask = (request: Ask) => askPatiently(settings, request, pauseMs)

  return {
    put: async (key, content, mime) => {
      const response = await ask({ method: 'PUT', url: urlOf(key), content, mime })
      if (!response.ok) throw await failure('PUT', response)
      await response.body?.cancel()
    },
    read: async (key, range) => {
      const response = await ask({ method: 'GET', url: urlOf(key), range })
      if (response.status === 404) {
        await response.body?.cancel()
        return null
      }
      if (!response.ok || !response.body) throw await failure('GET', response)
      return {
        stream: response.body as ReadableStream<Uint8Array>,
        bytes: Number(response.headers.get('content-length')),
      }
    },
    delete: async (key) => {
      const response = await ask({ method: 'DELETE', url: urlOf(key) })
      if (!response.ok && response.status !== 404) throw await failure('DELETE', response)
      await response.body?.cancel()
    },
    list: async function* (prefix) {
      let token: string | undefined
      do {
        const query = new URLSearchParams({ 'list-type': '2', prefix: `${prefix}/` })
        if (token) query.set('continuation-token', token)
        const response = await ask({ method: 'GET', url: `${bucket}?${query}` })
        if (!response.ok) throw await failure('list', response)
        const page = await response.text()
        yield* keysOf(page)
        token = tag(page, 'NextContinuationToken')
      } while (token)
    },
  }
}

/** A busy or stumbling storage is asked again; every request here may be repeated without harm. */
async function askPatiently(settings: S3Settings, request: Ask, pauseMs: number): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await askOnce(settings, request)
      if (attempt === TRIES || (response.status < 500 && response.status !== 429)) return response
      await response.body?.cancel()
    } catch (error) {
      if (attempt === TRIES) throw error
    }
    await sleep(pauseMs * 2 ** attempt)
  }
}

async function askOnce({ accessKeyId, secretAccessKey, region }: S3Settings, request: Ask) {
  const { method, url, content, mime, range } = request
  const headers = {
    ...(mime ? { 'content-type': mime } : {}),
    ...(range ? { range: `bytes=${range.from}-${range.to}` } : {}),
    // Said by ourselves for a stream: without it the body would go in chunks, which S3 refuses.
    ...(content ? { 'content-length': String('path' in content ? content.bytes : content.length) } : {}),
  }
  const signer = new AwsV4Signer({ method, url, headers, accessKeyId, secretAccessKey, region, service: 's3' })
  const signed = await signer.sign()
  // Only until it answers: what it then sends may go to somebody on a slow line.
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(new Error(`S3 did not answer in ${TIMEOUT_MS} ms`)), TIMEOUT_MS)
  try {
    return await fetch(signed.url, {
      method,
      headers: signed.headers,
      redirect: 'error',
      signal: patience.signal,
      ...(content ? { body: bodyOf(content), duplex: 'half' } : {}),
    } as RequestInit)
  } finally {
    clearTimeout(timer)
  }
}

function bodyOf(content: Uint8Array | LocalFile) {
  return 'path' in content ? Readable.toWeb(createReadStream(content.path)) : content
}

function* keysOf(page: string) {
  for (const [, entry = ''] of page.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
    const key = tag(entry, 'Key')
    if (key) yield { key, at: new Date(tag(entry, 'LastModified') ?? Date.now()) }
  }
}

/** Keys and tokens that we read this way are plain letters: nothing in them needs unescaping but the ampersand. */
function tag(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.replaceAll('&amp;', '&')
}

async function failure(what: string, response: Response): Promise<Error> {
  const code = tag(await response.text(), 'Code') ?? 'no code'
  return new Error(`S3 answered ${response.status} (${code}) to ${what}`)
}
