import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface ReceivedBody {
  model: string
  messages: unknown[]
  prompt?: string
  size?: string
  n?: number
  /** Of a change: a file each. */
  images?: ReceivedFile[]
  mask?: ReceivedFile | null
  [field: string]: unknown
}

interface ReceivedFile {
  name: string
  mime: string
  bytes: Buffer
}

/** What the fake provider does with the next request. */
export type Script = (response: ServerResponse, body: ReceivedBody) => void | Promise<void>

export interface FakeOpenAi {
  baseUrl: string
  /** Requests so far, newest last. */
  received: (ReceivedBody & Record<'path' | 'authorization', string | undefined>)[]
  /** The next requests are answered by these, in order; the last one stays. */
  play: (...scripts: Script[]) => void
  close: () => Promise<void>
}

export async function startFakeOpenAi(): Promise<FakeOpenAi> {
  const received: FakeOpenAi['received'] = []
  let scripts: Script[] = [says('Привет')]
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      const data = [{ id: 'vendor/old', shutdown_date: '2027-01-14' }, { id: 'vendor/fast' }]
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ object: 'list', data }))
      return
    }
    const body = await bodyOf(request).catch(() => null)
    // A caller that aborts while sending has made no request.
    if (body === null) return
    const wrong = changeComplaint(body)
    if (wrong) return refuses(400, { error: { message: wrong, type: 'invalid_request_error' } })(response, body)
    const { authorization } = request.headers
    received.push({ ...body, path: request.url, authorization })
    const script = scripts.length > 1 ? scripts.shift() : scripts[0]
    await script?.(response, body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    play: (...next) => {
      scripts = next
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

export const chunk = (content: string | null, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: finish }] })}\n\n`
export const usageChunk = (prompt: number, completion: number) =>
  `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: prompt, completion_tokens: completion } })}\n\n`
/** A part of a thought, under any of its names. */
export const thoughtChunk = (thought: unknown, name = 'reasoning_content') =>
  `data: ${JSON.stringify({ choices: [{ delta: { content: null, [name]: thought } }] })}\n\n`
export const usageOf = (usage: Record<string, unknown>) => `data: ${JSON.stringify({ choices: [], usage })}\n\n`
export const DONE = 'data: [DONE]\n\n'

export function says(...texts: string[]): Script {
  return streams(...texts.map((text) => chunk(text)), chunk(null, 'stop'), usageChunk(7, texts.length), DONE)
}

export function saysSlowly(ms: number, ...texts: string[]): Script {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const text of texts) {
      if (response.destroyed) return
      response.write(chunk(text))
      await new Promise((resolve) => setTimeout(resolve, ms))
    }
    response.end(chunk(null, 'stop') + DONE)
  }
}

/** Sends exactly these bytes and ends. */
export function streams(...chunks: (string | Uint8Array)[]): Script {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const chunk of chunks) {
      response.write(chunk)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    response.end()
  }
}

export function refuses(
  status: number,
  body: unknown = { error: { message: 'no' } },
  headers: Record<string, string> = {},
): Script {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
}

export function draws(bytes: Uint8Array): Script {
  const data = [{ b64_json: Buffer.from(bytes).toString('base64') }]
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ created: 1, data }))
  }
}

/** Sends an unfinished image before the finished one, where the request asks for it. */
export function drawsInParts(unfinished: Uint8Array, bytes: Uint8Array): Script {
  return (response, body) => {
    if (!body.stream) return draws(bytes)(response, body)
    const name = body.images ? 'image_edit' : 'image_generation'
    const event = (kind: string, image: Uint8Array) => {
      const type = `${name}.${kind}`
      return `event: ${type}\ndata: ${JSON.stringify({ type, b64_json: Buffer.from(image).toString('base64') })}\n\n`
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(event('partial_image', unfinished) + event('completed', bytes))
  }
}

/** Sends the same chunk again and again until the client disconnects. */
export function repeats(chunk: string, everyMs: number, ...first: string[]): Script {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const start of first) response.write(start)
    const timer = setInterval(() => response.write(chunk), everyMs)
    response.once('close', () => clearInterval(timer))
  }
}

export function breaksOff(...chunks: string[]): Script {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const chunk of chunks) response.write(chunk)
    await new Promise((resolve) => setTimeout(resolve, 20))
    response.destroy()
  }
}

export function hangs(...chunks: string[]): Script {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const chunk of chunks) response.write(chunk)
  }
}

async function bodyOf(request: IncomingMessage): Promise<ReceivedBody> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith('multipart/')) return JSON.parse(bytes.toString())
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  const fields = Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'))
  const files = async (name: string) =>
    Promise.all(
      form.getAll(name).flatMap((value) => {
        if (typeof value === 'string') return []
        const read = async () => ({
          name: value.name,
          mime: value.type,
          bytes: Buffer.from(await value.arrayBuffer()),
        })
        return [read()]
      }),
    )
  const images = [...(await files('image')), ...(await files('image[]'))]
  return { model: '', messages: [], ...fields, images, mask: (await files('mask'))[0] ?? null }
}

const pngSize = (bytes: Buffer) => `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`

/** The real service refuses changes without an image, and masks of another size. */
function changeComplaint({ images, mask }: ReceivedBody): string | null {
  if (!images) return null
  const [first] = images
  if (!first) return 'You must provide an image.'
  const isOther = mask && first.mime === 'image/png' && pngSize(mask.bytes) !== pngSize(first.bytes)
  return isOther ? 'Invalid mask image format - mask size does not match image size' : null
}
