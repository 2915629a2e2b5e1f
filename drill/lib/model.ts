import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { type AnswerSpec, chunksOf, readSpec } from './text.ts'

export interface Run {
  model: string
  /** The answer so far, which it was asked to continue. */
  begun: string
  spoken: string
  isWhole: boolean
}

/** A received request, successful or not. */
interface Attempt {
  model: string
  at: number
}

/** A provider that behaves as the question demands, except that models in `misbehave` always fail. */
export interface FakeProvider {
  baseUrl: string
  runsOf: (nonce: string) => Run[]
  attemptsOf: (nonce: string) => Attempt[]
}

interface ChatRequest {
  model: string
  messages: { role: string; content: unknown }[]
}

const GO_ON_WORDS = 60

const misbehave: Record<string, string> = { dear: 'refuse', broken: 'refuse', mute: 'hang' }

export async function startFakeProvider(): Promise<FakeProvider> {
  const runs = new Map<string, Run[]>()
  const attempts = new Map<string, Attempt[]>()
  const noted = <T>(map: Map<string, T[]>, nonce: string): T[] => {
    const list = map.get(nonce) ?? []
    map.set(nonce, list)
    return list
  }

  async function answer({ model, messages }: ChatRequest, response: ServerResponse) {
    const at = messages.findLastIndex(({ role, content }) => role === 'user' && readSpec(textOf(content)) !== null)
    const spec = readSpec(textOf(messages[at]?.content))
    // Any other request is for the title of a thread.
    if (!spec || messages[0]?.role === 'system') return speak(response, null, ['Название'], 0)
    const tries = noted(attempts, spec.nonce)
    tries.push({ model, at: performance.now() })
    const begun = textOf(messages.slice(at + 1).find(({ role }) => role === 'assistant')?.content ?? '')
    const beginRun = () => {
      const list = noted(runs, spec.nonce)
      const run: Run = { model, begun, spoken: '', isWhole: false }
      list.push(run)
      // A continuation is short, because only its end matters.
      const words = begun === '' ? spec.words : Math.min(spec.words, GO_ON_WORDS)
      return { run, chunks: chunksOf({ ...spec, words }, list.length) }
    }
    await behave(misbehave[model] ?? spec.mode, spec, response, { beginRun, tries: tries.length })
  }

  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return json(response, 200, { object: 'list', data: [] })
    const body = JSON.parse(await bodyOf(request))
    await (request.url?.endsWith('/images/generations') ? draw(response) : answer(body, response))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    runsOf: (nonce) => runs.get(nonce) ?? [],
    attemptsOf: (nonce) => attempts.get(nonce) ?? [],
  }
}

interface Turn {
  beginRun: () => { run: Run; chunks: string[] }
  /** How often this question was received, including this time. */
  tries: number
}

async function behave(mode: string, { gapMs }: AnswerSpec, response: ServerResponse, { beginRun, tries }: Turn) {
  if (mode === 'refuse') return json(response, 500, { error: { message: 'no' } })
  if (mode === 'busy-once' && tries === 1) {
    response.setHeader('retry-after', '2')
    return json(response, 429, { error: { message: 'slow down' } })
  }
  if (mode === 'hang') return
  if (mode === 'comments') return comment(response, 3600, false)
  const thinking = /^think-(\d+)$/.exec(mode)
  if (thinking) await comment(response, Number(thinking[1]), true)
  const { run, chunks } = beginRun()
  if (mode !== 'cut' && mode !== 'stall') return speak(response, run, chunks, gapMs)
  await say(response, run, chunks.slice(0, chunks.length / 2), gapMs)
  if (mode === 'cut') response.destroy()
}

/** Keeps the connection alive without text: sends comments, as gateways do, and thoughts. */
async function comment(response: ServerResponse, seconds: number, thinks: boolean) {
  const until = performance.now() + seconds * 1000
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  while (performance.now() < until && !response.destroyed) {
    response.write(': PROCESSING\n\n')
    if (thinks) response.write(chunk({ reasoning_content: 'хм' }, null))
    await pause(500)
  }
}

async function speak(response: ServerResponse, run: Run | null, chunks: string[], gapMs: number) {
  await say(response, run, chunks, gapMs)
  if (response.destroyed) return
  if (run) run.isWhole = true
  response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
}

/** Sends each chunk at a fixed time after the start, so that a busy machine does not slow the model down. */
async function say(response: ServerResponse, run: Run | null, chunks: string[], gapMs: number) {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
  const start = performance.now()
  for (const [i, content] of chunks.entries()) {
    const wait = start + i * gapMs - performance.now()
    if (wait > 0) await pause(wait)
    if (response.destroyed) return
    response.write(chunk({ content }, null))
    if (run) run.spoken += content
  }
}

async function draw(response: ServerResponse) {
  const bytes = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  json(response, 200, { created: 1, data: [{ b64_json: bytes.toString('base64') }] })
}

const chunk = (delta: object, finish: string | null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

const textOf = (content: unknown) => (typeof content === 'string' ? content : JSON.stringify(content ?? ''))

function json(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
