import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { clientIp, networkOf } from '#server/http/client-ip.ts'
import type { CurrentSession } from '#server/http/context.ts'
import { outageBehind } from '#server/http/errors.ts'
import type { Totals } from '#server/http/limit-table.ts'
import { createSlots, type Limits } from '#server/http/limits.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Hub } from './hub.ts'

interface SocketDeps {
  hub: Hub
  trustedOrigins: readonly string[]
  trustedProxies: number
  limits: Limits
  totals: Totals
  sessionOf: (headers: Headers) => Promise<CurrentSession | null>
  /** Called for every rejection by a limit. */
  onRefused: (facts: { userId?: string; network: string; reason: string }) => void
  onError: (error: unknown) => void
}

const MAX_FRAME_BYTES = 4096
const TOO_MANY = 'Открыто слишком много вкладок.'

/** Serves /api/websocket: checks origin, session and limits. */
export function acceptSockets(server: Server, deps: SocketDeps): void {
  const { hub, trustedOrigins, trustedProxies, limits, totals, sessionOf, onRefused, onError } = deps
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false })
  const slots = [
    { take: createSlots('open-sockets-all', totals['open-sockets-all'], TOO_MANY), keyOf: () => 'all' },
    {
      take: createSlots('open-sockets-ip', totals['open-sockets-ip'], TOO_MANY),
      keyOf: (at: SocketOwner) => at.network,
    },
    { take: createSlots('open-sockets', totals['open-sockets'], TOO_MANY), keyOf: (at: SocketOwner) => at.userId },
  ]

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A client that disconnects is not an error.
    socket.on('error', () => socket.destroy())
    const ip = clientIp(request.socket.remoteAddress, forwardedFor(request), trustedProxies)
    accept(request, socket, head, ip).catch((error: unknown) => {
      const known = error instanceof AppError ? error : outageBehind(error)
      if (!known) onError(error)
      refuse(socket, known)
    })
  })

  async function accept(request: IncomingMessage, socket: Duplex, head: Buffer, ip: string): Promise<void> {
    const network = networkOf(ip)
    const refused = (userId?: string) => (error: unknown) => {
      if (error instanceof AppError && error.code === 'too_many_requests')
        onRefused({ ...(userId && { userId }), network, reason: error.message })
      throw error
    }
    await limits('api', ip).catch(refused())
    const session = await admit(request)
    const leave = takeAll({ userId: session.user.id, network }, refused(session.user.id))
    socket.once('close', leave)
    sockets.handleUpgrade(request, socket, head, (opened) => hub.join(opened, session))
  }

  /**
   * Nothing is awaited between taking the slots and the upgrade, so that parallel requests cannot take the same slot.
   */
  function takeAll(at: SocketOwner, onRejection: (error: unknown) => never): () => void {
    const taken: (() => void)[] = []
    const leave = () => {
      for (const giveBack of taken) giveBack()
    }
    try {
      for (const { take, keyOf } of slots) taken.push(take(keyOf(at)))
      return leave
    } catch (error) {
      leave()
      return onRejection(error)
    }
  }

  async function admit(request: IncomingMessage): Promise<CurrentSession> {
    if (request.url?.split('?')[0] !== '/api/websocket') throw new AppError('not_found', 'Такого адреса нет.')
    const { origin, cookie } = request.headers
    if (origin !== undefined && !trustedOrigins.includes(origin)) throw new AppError('forbidden', 'Чужая страница.')
    const session = await sessionOf(new Headers({ cookie: cookie ?? '' }))
    if (!session) throw new AppError('unauthorized', 'Войдите, чтобы продолжить.')
    return session
  }
}

interface SocketOwner {
  userId: string
  network: string
}

const forwardedFor = ({ headers }: IncomingMessage) => {
  const header = headers['x-forwarded-for']
  return Array.isArray(header) ? header.join(',') : header
}

/** The browser sees only that the connection failed, and retries with growing pauses. */
function refuse(socket: Duplex, error: AppError | null): void {
  const { status, retryAfterSeconds } = error ?? { status: 500, retryAfterSeconds: undefined }
  const wait = retryAfterSeconds === undefined ? '' : `Retry-After: ${Math.ceil(retryAfterSeconds)}\r\n`
  const body = error ? JSON.stringify(error.toBody()) : ''
  const about = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${wait}${about}Connection: close\r\n\r\n${body}`)
}
