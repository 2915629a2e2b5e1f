import { expect, test } from 'vitest'
import { paymentsApi } from '#contract/payments.ts'
import { type PaidApp, startPaidApp } from './testing/paid-app.ts'

const app = await startPaidApp()

type Person = Awaited<ReturnType<PaidApp['signIn']>>

const ways = {
  bundle: async (person: Person) =>
    person.call(paymentsApi.bundleUrl, { query: { bundleId: (await app.aBundle()).id } }),
  plan: async (person: Person) =>
    person.call(paymentsApi.subscriptionUrl, { query: { planId: (await app.aPlan()).id } }),
}

async function awaited(person: Person) {
  const [order] = await app.ordersOf(person)
  return person.call(paymentsApi.order, { params: { id: order?.id ?? '' } })
}

test.each(['bundle', 'plan'] as const)(
  'a cancelled payment for a %s is untouched and stays open (S10.189)',
  async (kind) => {
    const anna = await app.signIn()
    const { redirect_url } = await ways[kind](anna)
    const back = await app.press(redirect_url, 'cancel')
    if (kind === 'bundle') expect(new URL(back).searchParams.get('status')).toBe('canceled')
    expect(await awaited(anna)).toMatchObject({ status: 'pending', progress: 'untouched', payUrl: redirect_url })
  },
)

test('while the gateway is silent the payment has no state', async () => {
  const anna = await app.signIn()
  const { redirect_url } = await ways.bundle(anna)
  app.fakeBepaid.accounts.pages.delete(new URL(redirect_url).searchParams.get('token') ?? '')
  expect(await awaited(anna)).toMatchObject({ status: 'pending', progress: null })
})

test.each(['bundle', 'plan'] as const)('a declined payment for a %s says why (S10.189)', async (kind) => {
  const anna = await app.signIn()
  app.fakeBepaid.accounts.bank.code = '51'
  const { redirect_url } = await ways[kind](anna)
  await app.press(redirect_url, 'decline')
  app.fakeBepaid.accounts.bank.code = '05'
  expect(await awaited(anna)).toMatchObject({ status: 'failed', progress: null, declineReason: 'funds' })
})

test('a paid order hides declined attempts and its payment page', async () => {
  const anna = await app.signIn()
  const { redirect_url } = await ways.bundle(anna)
  await app.press(redirect_url, 'decline')
  await app.press(redirect_url, 'pay')
  expect(await awaited(anna)).toMatchObject({ status: 'paid', progress: null, declineReason: null, payUrl: null })
})
