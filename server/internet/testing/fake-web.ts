import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isPrivateHost, type NetworkAccess } from '#server/lib/public-address.ts'

export type FakePage = (response: ServerResponse, request: IncomingMessage) => void

export interface FakeWeb {
  at: (path: string, host?: string) => string
  requests: { host: string; path: string; headers: IncomingMessage['headers'] }[]
  put: (path: string, page: FakePage | string) => void
  /** Host names resolve to this server, except those of `inside`; the checks of private addresses stay. */
  reach: NetworkAccess
  close: () => Promise<void>
}

/** Names that tests use for what the guard must refuse. */
const privateHosts: Record<string, string> = { 'inside.example': '10.0.0.7', 'metadata.example': '169.254.169.254' }

/** A small web on loopback: every name but those above is a public site of it. */
export async function startFakeWeb(pages: Record<string, FakePage | string> = {}): Promise<FakeWeb> {
  const known = new Map(Object.entries(pages))
  const requests: FakeWeb['requests'] = []
  const server = createServer((request, response) => {
    const { url: path = '', headers } = request
    requests.push({ host: headers.host ?? '', path, headers })
    const page = known.get(path)
    if (page === undefined) return response.writeHead(404, { 'content-type': 'text/html' }).end('нет')
    if (typeof page === 'function') return page(response, request)
    return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    at: (path, host = 'site.example') => `http://${host}:${port}${path}`,
    requests,
    put: (path, page) => void known.set(path, page),
    reach: {
      lookup: async (name) => [{ address: privateHosts[name] ?? '127.0.0.1', family: 4 }],
      // The fake web itself listens on 127.0.0.1, so this one private address is allowed.
      isPrivate: (host) => host !== '127.0.0.1' && isPrivateHost(host),
      allowsPort: (value) => value === String(port),
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
