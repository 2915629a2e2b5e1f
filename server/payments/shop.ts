import type { Log } from '#server/lib/log.ts'
import { type BepaidGateway, createBepaid, createSignatureCheck } from './bepaid.ts'
import type { BepaidSettings } from './bepaid-settings.ts'
import { startFakeBepaid } from './fake-bepaid/fake-bepaid.ts'
import { type Gateway, GatewayError, type OwnRenewals, type VerifyWebhook } from './gateway.ts'

/** bePaid charges the subscriptions by itself. */
export interface BepaidShop {
  name: 'bepaid'
  gateway: BepaidGateway
  isGenuine: VerifyWebhook
  /** Whether payments with test cards are accepted. */
  test: boolean
}

/** ЮKassa has no subscriptions: we charge the saved methods. */
export interface YookassaShop {
  name: 'yookassa'
  gateway: Gateway & OwnRenewals
  /** The currencies of the shop; orders in others go to bePaid. */
  currencies: string[]
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
  /** Start the fake gateway and use it; never in production. */
  fakeBepaid: boolean
}

/** The fake gateway listens on the port after the server's own. */
export async function openPayments({ bepaid, fakeBepaid }: PaymentSettings, port: number, log: Log) {
  if (!fakeBepaid) {
    const shop = bepaid && openBepaid(bepaid, log)
    if (shop) void checkAccess(shop.gateway, log)
    return { shops: { ...noShops, bepaid: shop }, close: async () => {} }
  }
  const fake = await startFakeBepaid({ port: port && port + 1, shopId: 'fake', secretKey: 'fake' })
  log.info({ url: fake.url }, 'payments: fake gateway started')
  return { shops: { ...noShops, bepaid: openBepaid(fake.settings, log) }, close: fake.close }
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
