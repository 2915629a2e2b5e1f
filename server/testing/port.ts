import type { AddressInfo } from 'node:net'
import { sessionOf } from '#server/auth/session.ts'
import { defaultTotals } from '#server/http/limit-settings.ts'
import { listen as listenOn } from '#server/http/listen.ts'
import { acceptSockets } from '#server/realtime/socket.ts'
import type { TestApp } from './app.ts'
import { TEST_ORIGIN } from './visitor.ts'

export async function listen(
  { app, auth, db, hub }: TestApp,
  more: Partial<Parameters<typeof acceptSockets>[1]> = {},
): Promise<{ port: number; close: () => Promise<void> }> {
  const server = await listenOn(app.fetch, { host: '127.0.0.1', port: 0 })
  acceptSockets(server, {
    hub,
    trustedOrigins: [TEST_ORIGIN],
    trustedProxies: 1,
    limits: async () => {},
    totals: defaultTotals(),
    onRefused: () => {},
    sessionOf: (headers) => sessionOf(auth, db, headers),
    onError: () => {},
    ...more,
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
