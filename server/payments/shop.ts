import type { Log } from '#server/lib/log.ts'
import { createBepaid } from './bepaid.ts'
import type { BepaidSettings } from './bepaid-settings.ts'
import type { Gateway } from './gateway.ts'
import { createSignatureCheck, type IsGenuine } from './signature.ts'

/** Our side of the gateway: what we ask of it and how we know that it speaks. */
export interface Shop {
  gateway: Gateway
  isGenuine: IsGenuine
  /** Whether payments with test cards count. */
  test: boolean
}

export function openShop(settings: BepaidSettings, log?: Log): Shop {
  return {
    gateway: createBepaid(settings, log ? { log } : {}),
    isGenuine: createSignatureCheck(settings),
    test: settings.test,
  }
}
