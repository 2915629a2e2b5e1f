import { createPublicKey, type KeyObject } from 'node:crypto'
import * as z from 'zod'
import { commaList, unlessEmpty } from '#server/lib/env-fields.ts'

const text = unlessEmpty(z.string().optional())
const url = (standard: string) => unlessEmpty(z.url('нужен адрес, например https://api.bepaid.by').default(standard))
const flag = z
  .enum(['', '0', '1', 'false', 'true'], 'нужно 1 или 0')
  .default('')
  .transform((value) => value === '1' || value === 'true')

const CARD = 'credit_card'

/** Names of payment methods as the gateway spells them; `all` leaves the choice to the shop. */
const methods = commaList
  .refine(
    (names) => names.every((name) => /^[a-z0-9_]{1,40}$/.test(name)),
    'нужны названия способов оплаты из bePaid через запятую, например credit_card,erip, или all',
  )
  .transform((names) => (names.includes('all') ? null : names.length > 0 ? names : [CARD]))

export const bepaidEnv = {
  BEPAID_SHOP_ID: text,
  BEPAID_SECRET_KEY: text,
  BEPAID_PUBLIC_KEY: text,
  BEPAID_API_URL: url('https://api.bepaid.by'),
  BEPAID_CHECKOUT_URL: url('https://checkout.bepaid.by'),
  BEPAID_GATEWAY_URL: url('https://gateway.bepaid.by'),
  BEPAID_METHODS: methods,
  BEPAID_TEST: flag,
  BEPAID_STAND_IN: flag,
}
const BepaidEnv = z.object(bepaidEnv)

export interface BepaidSettings {
  shopId: string
  secretKey: string
  /** Verifies the signature of webhooks; without it the shop's credentials are checked instead. */
  publicKey: string | null
  apiUrl: string
  checkoutUrl: string
  gatewayUrl: string
  /** How a bundle can be paid; null for everything that the shop has. Subscriptions are always paid by card. */
  methods: string[] | null
  /** Accepts payments with test cards; they are rejected otherwise. */
  test: boolean
}

/** bePaid, the fake gateway or no payments; with the problems of the settings. */
export function readBepaid(env: z.infer<typeof BepaidEnv>, production: boolean) {
  const problems: string[] = []
  const { BEPAID_SHOP_ID: shopId, BEPAID_SECRET_KEY: secretKey, BEPAID_PUBLIC_KEY: publicKey } = env
  if (shopId && !secretKey) problems.push('BEPAID_SECRET_KEY: задан только BEPAID_SHOP_ID, нужны оба')
  if (secretKey && !shopId) problems.push('BEPAID_SHOP_ID: задан только BEPAID_SECRET_KEY, нужны оба')
  if (publicKey && !isReadableKey(publicKey))
    problems.push('BEPAID_PUBLIC_KEY: ключ не читается. Скопируйте его целиком из личного кабинета bePaid')
  if (env.BEPAID_STAND_IN && production)
    problems.push('BEPAID_STAND_IN: в production тестовой оплаты быть не может. Уберите её')
  if (env.BEPAID_STAND_IN && shopId) problems.push('BEPAID_STAND_IN: задан и BEPAID_SHOP_ID. Оставьте одно из двух')
  if (env.BEPAID_TEST && production)
    problems.push('BEPAID_TEST: в production тестовой картой получали бы символы даром. Уберите её')
  const settings: BepaidSettings | null =
    shopId && secretKey
      ? {
          shopId,
          secretKey,
          publicKey: publicKey ?? null,
          apiUrl: env.BEPAID_API_URL,
          checkoutUrl: env.BEPAID_CHECKOUT_URL,
          gatewayUrl: env.BEPAID_GATEWAY_URL,
          methods: env.BEPAID_METHODS,
          test: env.BEPAID_TEST,
        }
      : null
  return { bepaid: settings, fakeBepaid: env.BEPAID_STAND_IN, problems }
}

/** The bePaid back office shows the key as base64 without PEM lines; a whole PEM works too. */
export function importPublicKey(key: string): KeyObject {
  const der = Buffer.from(key.replace(/-----[^-]+-----|\s|\\n/g, ''), 'base64')
  return createPublicKey({ key: der, format: 'der', type: 'spki' })
}

function isReadableKey(key: string): boolean {
  try {
    return importPublicKey(key).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}
