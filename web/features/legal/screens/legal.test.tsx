import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type LegalDocument, legalApi } from '#contract/legal.ts'
import { EnterStep } from '#web/features/auth/screens/enter-step.tsx'
import { CheckoutForm } from '#web/features/billing/checkout-form.tsx'
import { PublishedDocuments } from '#web/features/legal/published-documents.tsx'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import LegalScreen from './legal.tsx'

const first: LegalDocument = {
  ...{ kind: 'offer', version: 1, currentVersion: 2, text: 'Текст **первой** версии', hash: 'ab'.repeat(32) },
  ...{ publishedAt: '2026-11-15T09:30:00.000Z', others: ['requisites'] },
}
const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href')

test('an earlier text says so and leads to the current text (S10.199)', async () => {
  const server = new FakeServer().on(legalApi.read, first)
  render(<LegalScreen params={{ kind: 'offer' }} />, { path: '/legal/offer?version=1' })
  expect(await screen.findByRole('heading', { name: 'Оферта' })).toBeTruthy()
  expect(server.calls(legalApi.read)).toMatchObject([{ params: { kind: 'offer' }, query: { version: '1' } }])
  expect(hrefOf('Сейчас действует версия 2')).toBe('/legal/offer')
  expect(hrefOf('Реквизиты продавца')).toBe('/legal/requisites')
})

const ids = (
  <>
    <EnterStep mode="link" email="" onEmail={() => undefined} />
    <PublishedDocuments />
  </>
)
const checkout = (
  <CheckoutForm
    {...{
      consent: null,
      isNotSetUp: false,
      errorText: undefined,
      isRedirecting: false,
      label: 'Оплатить',
      currency: 'BYN',
      isPaidNow: true,
    }}
    onSubmit={() => undefined}
  >
    {() => 'Тариф'}
  </CheckoutForm>
)

test('links to terms lead to the published documents of the seller (S10.209)', () => {
  const before = render(ids)
  expect([hrefOf('условиями'), hrefOf('Персональные данные')]).toEqual(['/help/account/terms', '/help/account/privacy'])
  expect(screen.queryByRole('link', { name: 'Реквизиты продавца' })).toBeNull()
  before.unmount()
  const after = render(ids, { documents: ['offer', 'personal-data', 'requisites'] })
  expect([hrefOf('условиями'), hrefOf('Персональные данные')]).toEqual(['/legal/offer', '/legal/personal-data'])
  expect(hrefOf('Реквизиты продавца')).toBe('/legal/requisites')
  after.unmount()
  render(checkout, { documents: ['offer', 'requisites'] })
  expect([hrefOf('Условия'), hrefOf('реквизиты продавца')]).toEqual(['/legal/offer', '/legal/requisites'])
})
