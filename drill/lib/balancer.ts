import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

export interface Upstream {
  name: string
  port: number
}

/** One address in front of several instances, like nginx or a cloud load balancer. */
export interface Balancer {
  url: string
  use: (upstreams: Upstream[]) => void
}

/** The header with the instance that answered, so that a scenario can kill it. */
export const ANSWERED_BY = 'x-answered-by'

const POLL_MS = 250
const HEALTH_CHECK_MS = 2000

/**
 * Round robin over the instances that report ready. Only a refused connection is retried, on the next instance. Any
 * later failure of an instance reaches the client.
 */
export async function startBalancer(): Promise<Balancer> {
  let upstreams: Upstream[] = []
  const ready = new Set<Upstream>()
  let turn = 0

  /** All ready instances, beginning with the next one in turn. */
  function candidates(): Upstream[] {
    const open = upstreams.filter((upstream) => ready.has(upstream))
    turn += 1
    const first = open.length > 0 ? turn % open.length : 0
    return [...open.slice(first), ...open.slice(0, first)]
  }

  async function checkHealth(upstream: Upstream) {
    const limit = AbortSignal.timeout(HEALTH_CHECK_MS)
    const answer = await fetch(`http://127.0.0.1:${upstream.port}/api/health/ready`, { signal: limit }).catch(
      () => null,
    )
    await answer?.body?.cancel().catch(() => undefined)
    if (answer?.ok && upstreams.includes(upstream)) ready.add(upstream)
    else ready.delete(upstream)
  }

  const checking = new Set<Upstream>()
  setInterval(() => {
    for (const upstream of upstreams.filter((each) => !checking.has(each))) {
      checking.add(upstream)
      void checkHealth(upstream).finally(() => checking.delete(upstream))
    }
  }, POLL_MS)

  const server = createServer(async (incoming, outgoing) => {
    const found = await reach(candidates())
    if (found) forwardRequest(found, incoming, outgoing)
    else outgoing.writeHead(503, { 'retry-after': '1', 'content-type': 'application/json' }).end('{}')
  })
  server.on('upgrade', async (incoming: IncomingMessage, client: Socket, head: Buffer) => {
    const found = await reach(candidates())
    if (found) forwardUpgrade(found.socket, incoming, client, head)
    else client.destroy()
  })
  // A client that disconnects is not an error.
  server.on('clientError', (_, socket) => socket.destroy())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    use: (next) => {
      upstreams = next
      ready.clear()
      for (const upstream of next) ready.add(upstream)
    },
  }
}

interface Reached {
  upstream: Upstream
  socket: Socket
}

async function reach(upstreams: Upstream[]): Promise<Reached | null> {
  for (const upstream of upstreams) {
    const socket = await new Promise<Socket | null>((done) => {
      const attempt = connect(upstream.port, '127.0.0.1', () => done(attempt))
      attempt.once('error', () => done(null))
    })
    if (socket) return { upstream, socket }
  }
  return null
}

function forwardRequest({ upstream, socket }: Reached, incoming: IncomingMessage, outgoing: ServerResponse) {
  const { method, url: path, headers } = incoming
  const passed = request({ createConnection: () => socket, method, path, headers: { ...headers, connection: 'close' } })
  const breakOff = () => {
    passed.destroy()
    outgoing.destroy()
  }
  passed.once('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, [ANSWERED_BY]: upstream.name })
    outgoing.flushHeaders()
    answer.pipe(outgoing)
    answer.once('error', breakOff)
    answer.once('aborted', breakOff)
  })
  passed.once('error', breakOff)
  outgoing.once('close', () => passed.destroy())
  incoming.once('error', breakOff)
  incoming.pipe(passed)
}

function forwardUpgrade(upstream: Socket, { method, url, rawHeaders }: IncomingMessage, client: Socket, head: Buffer) {
  const lines = [`${method} ${url} HTTP/1.1`]
  for (let i = 0; i < rawHeaders.length; i += 2) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`)
  upstream.write(`${lines.join('\r\n')}\r\n\r\n`)
  upstream.write(head)
  upstream.pipe(client)
  client.pipe(upstream)
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    one.once('error', () => other.destroy())
    one.once('close', () => other.destroy())
  }
}
