import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ProviderRequest {
  method: string
  /** Host and path of the library's request. */
  address: string
  authorization: string | undefined
  form: URLSearchParams
}
type Reply = unknown | ((request: ProviderRequest) => unknown)

/** All social providers on one loopback port: every outgoing request of the library is redirected here. */
export async function startFakeProviders() {
  const replies = new Map<string, Reply>()
  const requests: ProviderRequest[] = []
  const server = createServer(async (incoming, outgoing) => {
    const request = await read(incoming)
    requests.push(request)
    const reply = replies.get(request.address)
    const body = typeof reply === 'function' ? reply(request) : reply
    outgoing.writeHead(body === undefined ? 400 : 200, { 'content-type': 'application/json' })
    outgoing.end(JSON.stringify(body ?? { error: 'invalid_request' }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const realFetch = globalThis.fetch
  globalThis.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    return realFetch(`http://127.0.0.1:${port}/${url.host}${url.pathname}${url.search}`, init)
  }
  return {
    requests,
    /** Sets the response of an address; undefined makes it fail. */
    reply: (address: string, reply: Reply) => replies.set(address, reply),
    lastTo: (address: string) => requests.findLast((request) => request.address === address),
    close: async () => {
      globalThis.fetch = realFetch
      await new Promise((done) => server.close(done))
    },
  }
}
export type FakeProviders = Awaited<ReturnType<typeof startFakeProviders>>

async function read(incoming: IncomingMessage): Promise<ProviderRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const { pathname } = new URL(incoming.url ?? '/', 'http://localhost')
  return {
    method: incoming.method ?? '',
    address: pathname.slice(1),
    authorization: incoming.headers.authorization,
    form: new URLSearchParams(Buffer.concat(chunks).toString()),
  }
}

export function unsignedToken(claims: Record<string, unknown>): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}.${part('signature')}`
}
