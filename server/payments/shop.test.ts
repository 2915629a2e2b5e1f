import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
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

test.each([
  ['BEPAID_STAND_IN', 1, { fakeBepaid: true, fakeYookassa: false }],
  ['YOOKASSA_STAND_IN', 2, { fakeBepaid: false, fakeYookassa: true }],
])('a taken port of %s is named with its setting (S10.1610)', async (setting, behind, fakes) => {
  const taken = createServer()
  await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done))
  onTestFinished(() => new Promise((done) => taken.close(() => done())))
  const address = taken.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const opened = openPayments({ ...settings, ...fakes }, { ...place, port: port - behind })
  await expect(opened).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(new RegExp(`^Порт ${port} занят.*${setting}.*PORT`)),
  })
})
