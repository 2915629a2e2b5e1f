import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import type { BepaidSettings } from '../bepaid-settings.ts'
import { basicAuth } from '../gateway.ts'
import { createFakeAccounts } from './accounts.ts'
import { gatewayApi } from './api.ts'
import { controls } from './pages.ts'
import { createWebhookSender, type Send, webhookKeys } from './webhook-sender.ts'

interface FakeBepaidOptions {
  port: number
  shopId: string
  secretKey: string
  /** How webhooks are sent; by HTTP unless a test replaces it. */
  send?: Send
  retryPausesMs?: number[]
}

/** A fake payment gateway with the protocol of bePaid, on loopback; it moves no money. */
export async function startFakeBepaid({ port, shopId, secretKey, send = fetch, retryPausesMs }: FakeBepaidOptions) {
  const webhookSender = createWebhookSender({ shopId, secretKey, send, ...(retryPausesMs ? { retryPausesMs } : {}) })
  const silence = { count: 0 }
  let url = ''
  const accounts = createFakeAccounts(webhookSender, () => url)
  const app = new Hono()
  app.route('/__fake', controls(accounts, webhookSender, silence))
  app.route('/', gatewayApi(accounts, { url: () => url, credentials: basicAuth(shopId, secretKey), silence }))
  const server = await new Promise<Server>((done, fail) => {
    const opened = serve({ fetch: app.fetch, hostname: '127.0.0.1', port }, () => done(opened)) as Server
    opened.once('error', fail)
    // On a busy machine a pause of this process would close a connection that the shop is about to use.
    opened.keepAliveTimeout = 60_000
  })
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings: BepaidSettings = {
    shopId,
    secretKey,
    get publicKey() {
      return webhookKeys().publicKey
    },
    apiUrl: url,
    checkoutUrl: url,
    gatewayUrl: url,
    methods: ['credit_card', 'erip'],
    test: true,
  }
  return {
    url,
    /** The settings of a shop connected to it. */
    settings,
    accounts,
    webhookSender,
    silence,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
