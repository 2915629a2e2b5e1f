import { Agent, type IncomingMessage, request } from 'node:http'
import { type AnswerSpec, textOf } from './answer-spec.ts'
import { now } from './clock.ts'
import { readStream, type StreamFormat } from './read-stream.ts'

/** Many readers of streams at once, in a process of their own, so that reading does not slow down what is measured. */
export interface LoadRequest {
  port: number
  format: StreamFormat
  /** The streams begin evenly over this time. */
  rampMs: number
  streams: StreamRequest[]
}

export interface StreamRequest {
  path: string
  headers: Record<string, string>
  spec: AnswerSpec
  body: string
}

export interface StreamResult {
  nonce: string
  sentAt: number
  /** When the first text came; 0 if none did. */
  firstAt: number
  endedAt: number
  reads: number
  /** Characters that differ from the expected answer or are missing. */
  wrongCharacters: number
  messageId: string | null
  failure: string | null
}

const TIMEOUT_MS = 60_000

process.on('message', (request: LoadRequest) => {
  void runLoad(request).then((result) => process.send?.(result))
})
process.send?.({ port: 0 })

async function runLoad({ streams, rampMs, ...where }: LoadRequest): Promise<StreamResult[]> {
  // One agent per load: an idle connection of an earlier load may be closed just when it is reused.
  const agent = new Agent({ keepAlive: true, noDelay: true })
  const results = await Promise.all(
    streams.map(async (stream, i) => {
      await new Promise((done) => setTimeout(done, (rampMs * i) / streams.length))
      return readOne(stream, { ...where, agent })
    }),
  )
  agent.destroy()
  return results
}

interface Target extends Pick<LoadRequest, 'port' | 'format'> {
  agent: Agent
}

async function readOne(stream: StreamRequest, target: Target): Promise<StreamResult> {
  const { spec } = stream
  const result: StreamResult = {
    nonce: spec.nonce,
    sentAt: now(),
    firstAt: 0,
    endedAt: 0,
    reads: 0,
    wrongCharacters: 0,
    messageId: null,
    failure: null,
  }
  const reader = readStream(target.format)
  try {
    const response = await send(stream, target)
    response.setEncoding('utf8')
    for await (const text of response) {
      reader.take(text as string)
      result.reads += 1
      if (!result.firstAt && reader.text) result.firstAt = now()
    }
    if (response.statusCode !== 200) result.failure = `${response.statusCode} ${reader.rest.slice(0, 200)}`
    else result.failure = reader.failure()
  } catch (error) {
    result.failure = String(error)
  }
  result.endedAt = now()
  result.wrongCharacters = differences(reader.text, textOf(spec))
  result.messageId = reader.messageId
  return result
}

function send({ path, headers, body }: StreamRequest, { agent, port }: Target): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    const length = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const options = { agent, host: '127.0.0.1', port, path, method: 'POST', headers: { ...headers, ...length } }
    const sent = request(options, done)
    sent.setTimeout(TIMEOUT_MS, () => sent.destroy(new Error('silence')))
    sent.once('error', fail)
    sent.end(body)
  })
}

function differences(got: string, expected: string): number {
  if (got === expected) return 0
  let wrong = Math.abs(got.length - expected.length)
  for (let i = 0; i < Math.min(got.length, expected.length); i++) if (got[i] !== expected[i]) wrong += 1
  return wrong
}
