import type { Log } from '#server/lib/log.ts'
import { checkAccess } from './access.ts'
import type { BepaidSettings } from './bepaid-settings.ts'
import { startFakeBepaid } from './fake-bepaid/fake-bepaid.ts'
import { openShop, type Shop } from './shop.ts'

export interface PaymentSettings {
  settings: BepaidSettings | null
  /** Run the stand-in and use it; never in production. */
  fakeBepaid: boolean
}

/** The shop that the settings ask for; the stand-in listens on the port after the server's own. */
export async function openPayments({ settings, fakeBepaid }: PaymentSettings, port: number, log: Log) {
  if (!fakeBepaid) {
    const shop = settings && openShop(settings, log)
    if (shop) void checkAccess(shop.gateway, log)
    return { shop, close: async () => {} }
  }
  const pretend = await startFakeBepaid({ port: port && port + 1, shopId: 'stand-in', secretKey: 'stand-in' })
  log.info({ url: pretend.url }, 'payments are pretended')
  const shop: Shop = openShop(pretend.settings, log)
  return { shop, close: pretend.close }
}
