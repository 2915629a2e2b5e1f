import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { basicAuth } from '../gateway.ts'
import type { ReceiptSettings, YookassaSettings } from '../yookassa-settings.ts'
import { createFakeShop, type Send } from './accounts.ts'
import { yookassaApi } from './api.ts'
import { yookassaControls, yookassaPages } from './pages.ts'

interface FakeYookassaOptions {
  port: number
  /** Where notifications go: in reality it is set in the back office. */
  notificationUrl: string
  /** How notifications are sent; by HTTP unless a test replaces it. */
  send?: Send
  receipts?: ReceiptSettings | null
  /** The addresses that notifications are accepted from. */
  senders?: string[]
}

const SHOP_ID = 'fake'
const SECRET_KEY = 'test_fake'
const METHODS = ['bank_card', 'sbp']

/** A fake payment gateway with the protocol of ЮKassa, on loopback; it moves no money. */
export async function startFakeYookassa(options: FakeYookassaOptions) {
  const { port, notificationUrl, send = fetch, receipts = null, senders = ['127.0.0.1', '::1'] } = options
  let url = ''
  const shop = createFakeShop({ url: () => url, notificationUrl: () => notificationUrl, send, shopId: SHOP_ID })
  const app = new Hono()
  app.route('/__fake', yookassaControls(shop))
  app.route('/v3', yookassaApi(shop, { credentials: basicAuth(SHOP_ID, SECRET_KEY), methods: METHODS }))
  app.route(
    '/',
    yookassaPages(shop, () => url),
  )
  const server = await new Promise<Server>((done, fail) => {
    const opened = serve({ fetch: app.fetch, hostname: '127.0.0.1', port }, () => done(opened)) as Server
    opened.once('error', fail)
    opened.keepAliveTimeout = 60_000
  })
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings: YookassaSettings = {
    shopId: SHOP_ID,
    secretKey: SECRET_KEY,
    apiUrl: `${url}/v3`,
    methods: METHODS,
    currency: 'RUB',
    receipts,
    test: true,
    senders,
  }
  return {
    url,
    /** The settings of a shop connected to it. */
    settings,
    shop,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
