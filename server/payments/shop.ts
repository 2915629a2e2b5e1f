import { StartError } from '#server/lib/errors.ts'
import type { Log } from '#server/lib/log.ts'
import { createNetworkCheck } from '#server/lib/networks.ts'
import { type BepaidGateway, createBepaid, createSignatureCheck } from './bepaid.ts'
import type { BepaidSettings } from './bepaid-settings.ts'
import { startFakeBepaid } from './fake-bepaid/fake-bepaid.ts'
import { startFakeYookassa } from './fake-yookassa/fake-yookassa.ts'
import { GatewayError, type VerifyWebhook } from './gateway.ts'
import { createYookassa, type YookassaGateway } from './yookassa.ts'
import type { ReceiptSettings, YookassaSettings } from './yookassa-settings.ts'

/** bePaid charges the subscriptions by itself. */
export interface BepaidShop {
  name: 'bepaid'
  gateway: BepaidGateway
  isGenuine: VerifyWebhook
  /** Nothing is charged. */
  isFake?: boolean
  /** Whether payments with test cards are accepted. */
  test: boolean
}

/** ЮKassa has no subscriptions: we charge the saved methods. */
export interface YookassaShop {
  name: 'yookassa'
  gateway: YookassaGateway
  /** Whether a notification may come from this address. */
  isSender: (ip: string) => boolean
  /** Nothing is charged. */
  isFake?: boolean
  /** The currencies of the shop; orders in others go to bePaid. */
  currencies: string[]
  /** What our page offers. */
  methods: string[]
  /** Null when no receipts are made. */
  receipts: ReceiptSettings | null
  test: boolean
}

export type Shop = BepaidShop | YookassaShop

/** Null for a gateway that is not set up. */
export interface Shops {
  bepaid: BepaidShop | null
  yookassa: YookassaShop | null
}

export const noShops: Shops = { bepaid: null, yookassa: null }

export interface PaymentSettings {
  bepaid: BepaidSettings | null
  yookassa: YookassaSettings | null
  /** Start a fake gateway and use it; never in production. */
  fakeBepaid: boolean
  fakeYookassa: boolean
}

interface Place {
  port: number
  appUrl: string
  log: Log
}

/** The fake gateways listen on the ports after the server's own. */
export async function openPayments(settings: PaymentSettings, { port, appUrl, log }: Place) {
  const { bepaid, yookassa } = settings
  const shops: Shops = {
    bepaid: bepaid && openBepaid(bepaid, log),
    yookassa: yookassa && openYookassa(yookassa, log),
  }
  if (shops.bepaid) void checkAccess(shops.bepaid.gateway, log)
  const closing: (() => Promise<void>)[] = []
  if (settings.fakeBepaid) {
    const fake = await startBeside('BEPAID_STAND_IN', port && port + 1, (own) =>
      startFakeBepaid({ port: own, shopId: 'fake', secretKey: 'fake' }),
    )
    shops.bepaid = { ...openBepaid(fake.settings, log), isFake: true }
    closing.push(fake.close)
    log.info({ url: fake.url }, 'payments: fake gateway started')
  }
  if (settings.fakeYookassa) {
    const receipts: ReceiptSettings = {
      ...{ by: 'yookassa', vatCode: 1, taxSystem: null, subject: 'service', mode: 'full_payment' },
    }
    const notificationUrl = `${appUrl}/api/yookassa/webhook`
    const fake = await startBeside('YOOKASSA_STAND_IN', port && port + 2, (own) =>
      startFakeYookassa({ port: own, notificationUrl, receipts }),
    )
    // Alone it also takes the prices that a first start without settings has made.
    const currencies = shops.bepaid ? ['RUB'] : ['RUB', 'BYN']
    shops.yookassa = { ...openYookassa(fake.settings, log), isFake: true, currencies }
    closing.push(fake.close)
    log.info({ url: fake.url }, 'payments: fake ЮKassa started')
  }
  return { shops, close: async () => void (await Promise.all(closing.map((close) => close()))) }
}

function startBeside<Fake>(setting: string, port: number, start: (port: number) => Promise<Fake>): Promise<Fake> {
  return start(port).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE'
      ? new StartError(
          `Порт ${port} занят: он нужен платёжной системе понарошку (${setting}). Освободите его, задайте другой PORT или уберите ${setting}.`,
        )
      : error
  })
}

export function openYookassa(settings: YookassaSettings, log?: Log): YookassaShop {
  const { methods, receipts, test, currency, senders } = settings
  return {
    name: 'yookassa',
    gateway: createYookassa(settings, log ? { log } : {}),
    isSender: createNetworkCheck(senders),
    currencies: [currency],
    ...{ methods, receipts, test },
  }
}

export function openBepaid(settings: BepaidSettings, log?: Log): BepaidShop {
  return {
    name: 'bepaid',
    gateway: createBepaid(settings, log ? { log } : {}),
    isGenuine: createSignatureCheck(settings),
    test: settings.test,
  }
}

/** Sends one read request at the start, so that wrong settings are noticed before the first payment. */
export async function checkAccess(gateway: BepaidGateway, log: Log): Promise<void> {
  try {
    await gateway.subscriptionsPage(1)
  } catch (error) {
    log.warn({ err: error }, accessWarning(error))
  }
}

function accessWarning(error: unknown): string {
  const status = error instanceof GatewayError ? (error.failure.status ?? null) : null
  if (status === 401 || status === 403) {
    return 'payments: bePaid does not accept BEPAID_SHOP_ID and BEPAID_SECRET_KEY, payments fail until they are corrected'
  }
  return status !== null && status < 500
    ? 'payments: bePaid rejects the request, check BEPAID_API_URL and BEPAID_SHOP_ID'
    : 'payments: bePaid did not answer at the start; payments will still be tried'
}
