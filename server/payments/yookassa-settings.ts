import * as z from 'zod'
import { commaList, unlessEmpty } from '#server/lib/env-fields.ts'

const text = unlessEmpty(z.string().optional())

/** What can be offered on our own page; ЮKassa spells them so. */
export const yookassaMethods = ['bank_card', 'sbp', 'sberbank', 'tinkoff_bank', 'yoo_money'] as const
const subjects = ['service', 'job', 'commodity', 'intellectual_activity', 'payment', 'property_right', 'another']
const modes = ['full_payment', 'full_prepayment', 'advance']
const NO_MODE = `нужно одно из: ${modes.join(', ')}`

export const yookassaEnv = {
  YOOKASSA_SHOP_ID: text,
  YOOKASSA_SECRET_KEY: text,
  YOOKASSA_API_URL: unlessEmpty(
    z.url('нужен адрес, например https://api.yookassa.ru/v3').default('https://api.yookassa.ru/v3'),
  ),
  YOOKASSA_METHODS: commaList
    .refine(
      (names) => names.every((name) => (yookassaMethods as readonly string[]).includes(name)),
      `нужны способы оплаты через запятую: ${yookassaMethods.join(', ')}`,
    )
    .transform((names) => (names.length > 0 ? names : ['bank_card'])),
  YOOKASSA_CURRENCY: unlessEmpty(
    z
      .string()
      .regex(/^[A-Z]{3}$/, 'нужна валюта магазина тремя буквами, например RUB')
      .default('RUB'),
  ),
  YOOKASSA_RECEIPTS: unlessEmpty(z.enum(['off', 'yookassa', 'till'], 'нужно off, yookassa или till').default('off')),
  RECEIPT_VAT_CODE: unlessEmpty(z.coerce.number('нужен код НДС от 1 до 12').int().min(1).max(12).optional()),
  RECEIPT_TAX_SYSTEM: unlessEmpty(
    z.coerce.number('нужен код системы налогообложения от 1 до 6').int().min(1).max(6).optional(),
  ),
  RECEIPT_SUBJECT: unlessEmpty(z.enum(subjects, `нужно одно из: ${subjects.join(', ')}`).default('service')),
  RECEIPT_MODE: unlessEmpty(z.enum(modes, NO_MODE).default('full_payment')),
  YOOKASSA_STAND_IN: z
    .enum(['', '0', '1', 'false', 'true'], 'нужно 1 или 0')
    .default('')
    .transform((value) => value === '1' || value === 'true'),
}
const YookassaEnv = z.object(yookassaEnv)

/** What every receipt says; a receipt that is made stores them. */
export interface ReceiptSettings {
  by: 'yookassa' | 'till'
  vatCode: number
  taxSystem: number | null
  subject: string
  mode: string
}

export interface YookassaSettings {
  shopId: string
  secretKey: string
  apiUrl: string
  methods: string[]
  currency: string
  receipts: ReceiptSettings | null
  /** The shop is a test shop: its payments count as tests. */
  test: boolean
  /** The addresses and networks that notifications come from. */
  senders: string[]
}

/** Published by ЮKassa for the check of notifications. */
const SENDERS = [
  ...['185.71.76.0/27', '185.71.77.0/27', '77.75.153.0/25', '77.75.154.128/25'],
  ...['77.75.156.11/32', '77.75.156.35/32', '2a02:5180::/32'],
]

/** ЮKassa, the fake one or none; with the problems of the settings. */
export function readYookassa(env: z.infer<typeof YookassaEnv>, production: boolean) {
  const { YOOKASSA_SHOP_ID: shopId, YOOKASSA_SECRET_KEY: secretKey } = env
  const problems: string[] = []
  if (shopId && !secretKey) problems.push('YOOKASSA_SECRET_KEY: задан только YOOKASSA_SHOP_ID, нужны оба')
  if (secretKey && !shopId) problems.push('YOOKASSA_SHOP_ID: задан только YOOKASSA_SECRET_KEY, нужны оба')
  const test = secretKey?.startsWith('test_') ?? false
  if (test && production)
    problems.push('YOOKASSA_SECRET_KEY: это ключ тестового магазина, в production символы получали бы даром')
  if (env.YOOKASSA_STAND_IN && production)
    problems.push('YOOKASSA_STAND_IN: в production тестовой оплаты быть не может. Уберите её')
  if (env.YOOKASSA_STAND_IN && shopId)
    problems.push('YOOKASSA_STAND_IN: задан и YOOKASSA_SHOP_ID. Оставьте одно из двух')
  const { YOOKASSA_RECEIPTS: by, RECEIPT_VAT_CODE: vatCode, RECEIPT_TAX_SYSTEM: taxSystem } = env
  if (by !== 'off' && vatCode === undefined)
    problems.push('RECEIPT_VAT_CODE: чеки включены, нужен код НДС, например 1 — без НДС')
  if (by === 'off' && (vatCode !== undefined || taxSystem !== undefined))
    problems.push('YOOKASSA_RECEIPTS: задан код для чеков, а сами чеки выключены. Задайте yookassa или till')
  const receipts: ReceiptSettings | null =
    by === 'off' || vatCode === undefined
      ? null
      : { by, vatCode, taxSystem: taxSystem ?? null, subject: env.RECEIPT_SUBJECT, mode: env.RECEIPT_MODE }
  const common = { methods: env.YOOKASSA_METHODS, currency: env.YOOKASSA_CURRENCY, receipts }
  const yookassa: YookassaSettings | null =
    shopId && secretKey ? { shopId, secretKey, apiUrl: env.YOOKASSA_API_URL, test, senders: SENDERS, ...common } : null
  return { yookassa, fakeYookassa: env.YOOKASSA_STAND_IN, problems }
}
