import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { StartError } from '#server/lib/errors.ts'

/** How long open connections may take to end after the last response. */
const LAST_WORDS_MS = 500

interface Place {
  host: string
  port: number
}

export function listen(fetch: Parameters<typeof serve>[0]['fetch'], { host, port }: Place): Promise<Server> {
  return new Promise((done, fail) => {
    const server = serve({ fetch, hostname: host, port }, () => done(server)) as Server
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE'
      fail(taken ? new StartError(`Порт ${port} занят. Освободите его или задайте другой PORT.`) : error)
    })
  })
}

/** Stops accepting, lets running requests finish, then closes all connections. */
export function drain(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done())
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), LAST_WORDS_MS).unref()
  })
}

export function addressOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
