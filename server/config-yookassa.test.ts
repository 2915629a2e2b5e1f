import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const production = {
  ...{ NODE_ENV: 'production', APP_URL: 'https://chat.example.test', SMTP_URL: 'smtps://mail.example.test' },
  ...{ AUTH_SECRET: 'x'.repeat(32), ADMIN_EMAILS: 'owner@example.test' },
}
const yookassa = { YOOKASSA_SHOP_ID: '100500', YOOKASSA_SECRET_KEY: 'live_key' }

test('ЮKassa is read with its methods, currency and receipts (S10.959)', () => {
  expect(readConfig(yookassa).payments.yookassa).toMatchObject({
    ...{ shopId: '100500', secretKey: 'live_key', apiUrl: 'https://api.yookassa.ru/v3', test: false },
    ...{ methods: ['bank_card'], currency: 'RUB', receipts: null },
  })
  const receipts = {
    YOOKASSA_RECEIPTS: 'till',
    RECEIPT_VAT_CODE: '11',
    RECEIPT_TAX_SYSTEM: '2',
    RECEIPT_MODE: 'advance',
  }
  expect(readConfig({ ...yookassa, ...receipts }).payments.yookassa?.receipts).toEqual({
    ...{ by: 'till', vatCode: 11, taxSystem: 2, subject: 'service', mode: 'advance' },
  })
  expect(readConfig({ YOOKASSA_STAND_IN: '1' }).payments.fakeYookassa).toBe(true)
})

test.each([
  [{ YOOKASSA_SHOP_ID: '100500' }, 'YOOKASSA_SECRET_KEY: задан только'],
  [{ YOOKASSA_SECRET_KEY: 'key' }, 'YOOKASSA_SHOP_ID: задан только'],
  [{ ...yookassa, YOOKASSA_METHODS: 'sbp, карта' }, 'YOOKASSA_METHODS'],
  [{ ...yookassa, YOOKASSA_CURRENCY: 'рубли' }, 'YOOKASSA_CURRENCY'],
  [{ ...yookassa, YOOKASSA_API_URL: 'api' }, 'YOOKASSA_API_URL'],
  [{ ...yookassa, YOOKASSA_RECEIPTS: 'on' }, 'YOOKASSA_RECEIPTS'],
  [{ ...yookassa, YOOKASSA_RECEIPTS: 'yookassa' }, 'RECEIPT_VAT_CODE: чеки включены'],
  [{ ...yookassa, RECEIPT_VAT_CODE: '1' }, 'YOOKASSA_RECEIPTS: задан код'],
  [{ ...yookassa, YOOKASSA_RECEIPTS: 'till', RECEIPT_VAT_CODE: '13' }, 'RECEIPT_VAT_CODE'],
  [{ ...yookassa, YOOKASSA_RECEIPTS: 'till', RECEIPT_VAT_CODE: '1', RECEIPT_TAX_SYSTEM: '7' }, 'RECEIPT_TAX_SYSTEM'],
  [{ ...yookassa, YOOKASSA_RECEIPTS: 'till', RECEIPT_VAT_CODE: '1', RECEIPT_MODE: 'later' }, 'RECEIPT_MODE'],
  [{ ...yookassa, YOOKASSA_RECEIPTS: 'till', RECEIPT_VAT_CODE: '1', RECEIPT_SUBJECT: 'gift' }, 'RECEIPT_SUBJECT'],
  [{ ...yookassa, YOOKASSA_STAND_IN: '1' }, 'YOOKASSA_STAND_IN: задан и YOOKASSA_SHOP_ID'],
  [{ ...production, YOOKASSA_STAND_IN: '1' }, 'YOOKASSA_STAND_IN: в production'],
  [{ ...production, ...yookassa, YOOKASSA_SECRET_KEY: 'test_key' }, 'YOOKASSA_SECRET_KEY: это ключ тестового'],
])('a wrong setting of ЮKassa is named: %j (S10.959)', (env, sentence) => {
  expect(() => readConfig(env)).toThrow(sentence)
})
