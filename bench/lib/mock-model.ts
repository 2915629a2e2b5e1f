import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AnswerSpec, chunksOf, readSpec } from './answer-spec.ts'
import { now } from './clock.ts'

/**
 * A fake model over HTTP, in its own process. It answers what the spec in the question asks for, keeps the schedule
 * even when it is late, and records the times: `GET /times` returns and clears them.
 */
export interface AnswerTimes {
  nonce: string
  requestedAt: number
  firstAt: number
  /** When the last chunk was written; 0 until then. */
  lastAt: number
}

/** Asked without a spec (for a title, for a check) it answers this at once. */
const SHORT: AnswerSpec = { kind: 'stream', chunks: 1, gapMs: 0, nonce: 'short' }
let times: AnswerTimes[] = []

const server = createServer((request, response) => {
  request.socket.setNoDelay(true)
  if (request.url === '/times') {
    json(response, times)
    times = []
  } else if (request.url === '/v1/models') {
    json(response, { object: 'list', data: [{ id: 'bench', object: 'model', created: 0, owned_by: 'bench' }] })
  } else if (request.method === 'POST' && request.url === '/v1/chat/completions') {
    void readBody(request).then((body) => complete(JSON.parse(body), response))
  } else response.writeHead(404).end()
})
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))

function complete(
  body: { messages: { role: string; content: unknown }[]; stream?: boolean },
  response: ServerResponse,
) {
  const requestedAt = now()
  const question = body.messages.findLast(({ role }) => role === 'user')?.content
  const spec = readSpec(typeof question === 'string' ? question : JSON.stringify(question ?? '')) ?? SHORT
  const chunks = chunksOf(spec)
  const usage = { prompt_tokens: 10, completion_tokens: chunks.length, total_tokens: 10 + chunks.length }
  if (!body.stream) {
    const message = { role: 'assistant', content: chunks.join('') }
    json(response, { object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }], usage })
    return
  }
  const created = Math.floor(Date.now() / 1000)
  const chunk = (choices: unknown[], more = {}) =>
    `data: ${JSON.stringify({ id: `bench-${spec.nonce}`, object: 'chat.completion.chunk', created, model: 'bench', choices, ...more })}\n\n`
  const frames = chunks.map((content) => chunk([{ index: 0, delta: { content }, finish_reason: null }]))
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  response.write(chunk([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]))
  const time: AnswerTimes = { nonce: spec.nonce, requestedAt, firstAt: now(), lastAt: 0 }
  times.push(time)
  writeFrames(response, frames, spec.gapMs, () => {
    time.lastAt = now()
    response.write(chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]))
    response.end(`${chunk([], { usage })}data: [DONE]\n\n`)
  })
}

/** Writes each chunk at its scheduled time after the first; late chunks are written at once. */
function writeFrames(response: ServerResponse, frames: string[], gapMs: number, end: () => void) {
  const start = now()
  let written = 0
  let timer: NodeJS.Timeout | undefined
  const go = () => {
    const due = gapMs === 0 ? frames.length : Math.min(frames.length, Math.floor((now() - start) / gapMs) + 1)
    while (written < due) response.write(frames[written++])
    if (written === frames.length) end()
    else timer = setTimeout(go, Math.max(0, start + written * gapMs - now()))
  }
  response.once('close', () => clearTimeout(timer))
  go()
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function json(response: ServerResponse, body: unknown) {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
