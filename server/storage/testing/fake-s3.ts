import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { S3Settings } from '#server/storage/s3-settings.ts'

interface StoredObject {
  bytes: Buffer
  mime: string
  at: Date
}

const PAGE = 2
const CLOCK_SKEW_MS = 15 * 60_000

/** The S3 calls that we use, on loopback. Every signature is verified. */
export async function startFakeS3(bucket = 'symbol') {
  const settings: S3Settings = {
    endpoint: '',
    region: 'ru-central1',
    bucket,
    prefix: '',
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'a secret/with+signs=',
  }
  const objects = new Map<string, StoredObject>()
  /** `cuts` bodies break off in the middle, as a connection does that S3 closes because no one reads. */
  const scripted = { stumbles: 0, cuts: 0, chunkMs: 0, isFrozen: false }
  const app = { settings, objects, requests: 0, ...scripted, close: async () => {} }
  const server = createServer((request, response) => {
    app.requests += 1
    // A client that disconnects during an upload is not an error.
    serve(request, response).catch(() => response.destroy())
  })

  async function serve(request: IncomingMessage, response: ServerResponse) {
    if (app.isFrozen) return
    if (app.stumbles > 0) {
      app.stumbles -= 1
      request.resume()
      return answer(response, 503, error('SlowDown'))
    }
    const rejection = refuse(request, settings)
    if (rejection) return answer(response, 403, error(rejection))
    const url = new URL(request.url ?? '/', settings.endpoint)
    const [name, ...rest] = url.pathname.slice(1).split('/')
    const key = rest.join('/')
    if (name !== bucket) return answer(response, 404, error('NoSuchBucket'))
    if (request.method === 'PUT') return put(request, response, key)
    if (request.method === 'DELETE') {
      objects.delete(key)
      return answer(response, 204, '')
    }
    if (key === '') return answer(response, 200, listing(url.searchParams))
    const stored = objects.get(key)
    if (!stored) return answer(response, 404, error('NoSuchKey'))
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    const bytes = from ? stored.bytes.subarray(Number(from), Number(to) + 1) : stored.bytes
    response.writeHead(from ? 206 : 200, { 'content-type': stored.mime, 'content-length': bytes.length })
    if (app.cuts === 0 || bytes.length < 2) return response.end(bytes)
    app.cuts -= 1
    return response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
  }

  async function put(request: IncomingMessage, response: ServerResponse, key: string) {
    const length = request.headers['content-length']
    if (length === undefined) return answer(response, 411, error('MissingContentLength'))
    const chunks: Buffer[] = []
    for await (const chunk of request) {
      chunks.push(chunk)
      if (app.chunkMs > 0) await sleep(app.chunkMs)
    }
    const bytes = Buffer.concat(chunks)
    if (bytes.length !== Number(length)) return answer(response, 400, error('IncompleteBody'))
    objects.set(key, { bytes, mime: String(request.headers['content-type']), at: new Date() })
    return answer(response, 200, '')
  }

  function listing(query: URLSearchParams): string {
    const from = query.get('continuation-token') ?? ''
    const keys = [...objects.keys()].sort().filter((key) => key.startsWith(query.get('prefix') ?? '') && key > from)
    const page = keys.slice(0, PAGE)
    const contents = page.map(
      (key) =>
        `<Contents><Key>${key}</Key><LastModified>${objects.get(key)?.at.toISOString()}</LastModified><Size>1</Size></Contents>`,
    )
    const next = keys.length > PAGE ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    return `<?xml version="1.0"?><ListBucketResult><Name>${bucket}</Name>${contents.join('')}${next}</ListBucketResult>`
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  settings.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  app.close = () =>
    new Promise((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
  return app
}

const error = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`

function answer(response: ServerResponse, status: number, body: string) {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(body)
}

/** Verifies Signature Version 4; returns the error code, or null when it is valid. */
function refuse(request: IncomingMessage, { accessKeyId, secretAccessKey, region }: S3Settings): string | null {
  const pattern = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/
  const [, credential, signedHeaders = '', signature] = pattern.exec(request.headers.authorization ?? '') ?? []
  const at = String(request.headers['x-amz-date'])
  const day = at.slice(0, 8)
  const scope = `${day}/${region}/s3/aws4_request`
  if (credential !== `${accessKeyId}/${scope}`) return 'InvalidAccessKeyId'
  const names = signedHeaders.split(';')
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => names.includes(name))) return 'AccessDenied'
  const moment = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(moment - Date.now()) < CLOCK_SKEW_MS)) return 'RequestTimeTooSkewed'
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const canonical = [
    request.method,
    path
      .split('/')
      .map((part) => strict(decodeURIComponent(part)))
      .join('/'),
    [...new URLSearchParams(query)]
      .map((pair) => pair.map(strict).join('='))
      .sort()
      .join('&'),
    ...names.map((name) => `${name}:${String(request.headers[name]).trim().replace(/\s+/g, ' ')}`),
    '',
    signedHeaders,
    request.headers['x-amz-content-sha256'],
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', at, scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
  return hmac(key, text).toString('hex') === signature ? null : 'SignatureDoesNotMatch'
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const strict = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
