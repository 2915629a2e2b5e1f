import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Script } from './fake-openai.ts'

export interface ReceivedRequest {
  method: string
  /** With the query. */
  path: string
  headers: IncomingHttpHeaders
  text: string
  /** The JSON of a POST; null for anything else. */
  body: ReturnType<JSON['parse']>
}

export type Complaint = [status: number, body: unknown]

interface Dialect {
  /** The error response of the real service to a wrong request; null for a correct one. */
  complaint: (received: ReceivedRequest) => Complaint | null
  /** Answers calls that are not scripted, such as the list of models. */
  answer: (received: ReceivedRequest) => unknown
  script: Script
  tls?: { cert: string; key: string }
}

export interface FakeProvider {
  origin: string
  /** Accepted requests to models, newest last. */
  received: ReceivedRequest[]
  /** The next requests are answered by these, in order; the last one stays. */
  play: (...scripts: Script[]) => void
  close: () => Promise<void>
}

/** A scripted provider over real HTTP that checks its requests as the real service does. */
export async function startFakeProvider({ complaint, answer, script, tls }: Dialect): Promise<FakeProvider> {
  const received: ReceivedRequest[] = []
  let scripts: Script[] = [script]
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const call = await receive(request).catch(() => null)
    // A caller that aborts while sending has made no request.
    if (!call) return
    const wrong = complaint(call)
    if (wrong) return sendJson(response, ...wrong)
    const known = answer(call)
    if (known !== undefined) return sendJson(response, 200, known)
    received.push(call)
    const next = scripts.length > 1 ? scripts.shift() : scripts[0]
    await next?.(response, call.body)
  }
  const server = tls ? createSecureServer(tls, serve) : createServer(serve)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    origin: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    received,
    play: (...next) => {
      scripts = next
      received.length = 0
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

async function receive(request: IncomingMessage): Promise<ReceivedRequest> {
  let text = ''
  for await (const chunk of request) text += chunk
  const { method = '', url: path = '', headers } = request
  const isJson = headers['content-type'] === 'application/json'
  return { method, path, headers, text, body: isJson ? JSON.parse(text) : null }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
