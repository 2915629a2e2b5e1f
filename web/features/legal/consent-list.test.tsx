import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { legalApi, type OwnConsent } from '#contract/legal.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { ConsentList } from './consent-list.tsx'

const at = '2026-11-15T09:30:00.000Z'
const consent = (change: Partial<OwnConsent>): OwnConsent => ({
  ...{ id: 'c1', kind: 'offer', version: 1, hash: 'ab', at, withdrawnAt: null },
  ...change,
})
const documents = [
  consent({ id: 'c3', version: 2 }),
  consent({ id: 'c2', kind: 'personal-data' }),
  consent({ id: 'c1', version: 1 }),
]
const renewals = [
  { id: 'r3', plan: 'Личный', textVersion: '2026-12', at, state: 'active' as const },
  { id: 'r2', plan: 'Про', textVersion: '2026-12', at, state: 'ended' as const },
  { id: 'r1', plan: 'Семья', textVersion: '2026-12', at, state: 'unused' as const },
]

test('each consent has its date and leads to the accepted text (S10.206)', async () => {
  new FakeServer().on(legalApi.mine, { documents, renewals })
  render(<ConsentList />)
  const link = await screen.findByRole('link', { name: 'Оферта, версия 1' })
  expect(link.getAttribute('href')).toBe('/legal/offer?version=1')
  expect(screen.getByText('Автоматическое продление тарифа «Личный»')).toBeTruthy()
  // One withdrawal covers all versions.
  expect(screen.getAllByRole('button', { name: /^Отозвать/ })).toHaveLength(2)
})

test('only what renews can be cancelled (S10.1605)', async () => {
  new FakeServer().on(legalApi.mine, { documents: [], renewals })
  render(<ConsentList />)
  const rows = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent)
  expect(rows).toEqual([
    expect.stringMatching(/«Личный».*Отменить продление/),
    expect.stringMatching(/«Про».*Больше не действует/),
    expect.stringMatching(/«Семья».*Не использовано/),
  ])
  expect(screen.getAllByRole('link', { name: 'Отменить продление' })).toHaveLength(1)
})

test('a withdrawal explains its effect and is listed (S10.205)', async () => {
  const server = new FakeServer().on(legalApi.mine, { documents, renewals: [] })
  server.on(legalApi.withdraw, { documents: [consent({ withdrawnAt: at })], renewals: [] })
  const { user } = render(<ConsentList />)
  await user.click(await screen.findByRole('button', { name: 'Отозвать: Оферта' }))
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByText(/новые сообщения.*не принимаются/)).toBeTruthy()
  expect(dialog.getByText(/скачать данные и удалить аккаунт/)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Отозвать согласие' }))
  expect(await screen.findByText(/отозвано/)).toBeTruthy()
  expect(server.calls(legalApi.withdraw)).toMatchObject([{ body: { kind: 'offer' } }])
  expect(screen.queryByRole('button', { name: /^Отозвать/ })).toBeNull()
})

test('an empty list of consents says so', async () => {
  new FakeServer().on(legalApi.mine, { documents: [], renewals: [] })
  render(<ConsentList />)
  expect(await screen.findByText(/Согласий пока нет/)).toBeTruthy()
})
