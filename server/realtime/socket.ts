import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { CurrentSession } from '#server/http/context.ts'
import type { Hub } from './hub.ts'

interface SocketWorld {
  hub: Hub
  trustedOrigins: readonly string[]
  sessionOf: (headers: Headers) => Promise<CurrentSession | null>
  onError: (error: unknown) => void
}

const MAX_FRAME_BYTES = 4096

/** Opens /api/websocket on the server: our origin, a live session, nothing else. */
export function acceptSockets(server: Server, { hub, trustedOrigins, sessionOf, onError }: SocketWorld): void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false })

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', onError)
    admit(request).then(
      (admitted) => {
        if (typeof admitted === 'string') return socket.end(`HTTP/1.1 ${admitted}\r\nConnection: close\r\n\r\n`)
        return sockets.handleUpgrade(request, socket, head, (opened) => hub.join(opened, admitted))
      },
      (error: unknown) => {
        onError(error)
        socket.end('HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\n\r\n')
      },
    )
  })

  async function admit(request: IncomingMessage): Promise<CurrentSession | string> {
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== '/api/websocket') return '404 Not Found'
    const { origin, cookie } = request.headers
    if (origin !== undefined && !trustedOrigins.includes(origin)) return '403 Forbidden'
    const session = await sessionOf(new Headers({ cookie: cookie ?? '' }))
    return session ?? '401 Unauthorized'
  }
}
