import { expect, test } from 'vitest'
import type { Log } from '#server/lib/log.ts'
import { openPayments } from './shop.ts'

const place = { port: 0, appUrl: 'http://localhost:3000', log: { info: () => {}, warn: () => {} } as unknown as Log }
const settings = { bepaid: null, yookassa: null, fakeBepaid: false, fakeYookassa: true }

test.each([
  ['alone takes the prices of a first start too', false, ['RUB', 'BYN']],
  ['leaves them to the fake bePaid', true, ['RUB']],
])('the fake ЮKassa %s (S10.946)', async (_, fakeBepaid, currencies) => {
  const { shops, close } = await openPayments({ ...settings, fakeBepaid }, place)
  expect(shops.yookassa).toMatchObject({ isFake: true, currencies })
  await close()
})
