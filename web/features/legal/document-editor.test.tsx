import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type DocumentVersion, type EditedDocument, legalAdminApi } from '#contract/legal.ts'
import { FakeServer, rejection } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { DocumentCards } from './document-cards.tsx'
import { DocumentEditor } from './document-editor.tsx'

const version = (number: number): DocumentVersion => ({
  ...{ version: number, hash: 'ab'.repeat(32), publishedAt: '2026-11-15T09:30:00.000Z' },
  ...{ author: 'owner@example.test', asksConsent: true, agreed: 3 },
})
const offer = (change: Partial<EditedDocument> = {}): EditedDocument => ({
  ...{ kind: 'offer', text: 'Старый текст', isSample: false, versions: [version(1)] },
  ...change,
})
const field = () => screen.getByRole('textbox', { name: 'Текст в разметке Markdown' })
const publishButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Опубликовать новую версию' })
const dialog = () => within(screen.getByRole('dialog'))

test('publishing asks for new consents unless the owner declines (S10.204)', async () => {
  const server = new FakeServer().on(legalAdminApi.publish, offer({ versions: [version(2), version(1)] }))
  const { user } = render(<DocumentEditor document={offer()} />)
  expect(publishButton().disabled).toBe(true)
  await user.type(field(), ' и новый')
  await user.click(publishButton())
  const again = dialog().getByRole<HTMLInputElement>('checkbox', { name: 'Попросить согласие заново' })
  expect(again.checked).toBe(true)
  await user.click(again)
  await user.click(dialog().getByRole('button', { name: 'Опубликовать' }))
  await expect
    .poll(() => server.calls(legalAdminApi.publish))
    .toMatchObject([{ params: { kind: 'offer' }, body: { text: 'Старый текст и новый', asksConsent: false, base: 1 } }])
})

test('another administrator’s version is reported, and the text stays (S10.200)', async () => {
  new FakeServer().on(legalAdminApi.publish, rejection('conflict', 'Пока вы писали, опубликована другая версия.'))
  const { user } = render(<DocumentEditor document={offer()} />)
  await user.type(field(), '!')
  await user.click(publishButton())
  await user.click(dialog().getByRole('button', { name: 'Опубликовать' }))
  expect(await screen.findByText('409: Пока вы писали, опубликована другая версия.')).toBeTruthy()
  await user.click(dialog().getByRole('button', { name: 'Вернуться к тексту' }))
  expect(field()).toHaveProperty('value', 'Старый текст!')
})

test('a sample says so, and each version leads to its text', async () => {
  const { rerender } = render(<DocumentEditor document={offer({ isSample: true, versions: [] })} />)
  expect(screen.getByText('Это образец: юридической силы у него нет')).toBeTruthy()
  rerender(<DocumentEditor document={offer({ versions: [version(2), version(1)] })} />)
  expect(screen.getByRole('link', { name: 'Версия 1' }).getAttribute('href')).toBe('/legal/offer?version=1')
})

test('the checklist is ready when offer, consent and requisites are published (S10.201)', async () => {
  const current = { version: 1, publishedAt: '2026-11-15T09:30:00.000Z' }
  const list = (published: boolean) => [
    { kind: 'offer' as const, current: published ? current : null, agreed: 2 },
    { kind: 'personal-data' as const, current: published ? current : null, agreed: 2 },
    { kind: 'privacy' as const, current: null, agreed: null },
    { kind: 'requisites' as const, current: published ? current : null, agreed: null },
  ]
  const server = new FakeServer().on(legalAdminApi.list, list(false))
  const first = render(<DocumentCards />)
  expect(await screen.findByText('ещё не все')).toBeTruthy()
  expect(screen.getByText(/Он не является офертой/)).toBeTruthy()
  first.unmount()
  server.on(legalAdminApi.list, list(true))
  render(<DocumentCards />)
  expect(await screen.findByText('готовы')).toBeTruthy()
  expect(screen.queryByText(/не является офертой/)).toBeNull()
})
