import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { legalApi, type NeededConsent } from '#contract/legal.ts'
import { pageApi } from '#contract/page.ts'
import { noteEarlyConsents } from '#web/lib/early-consents.ts'
import { FakeServer, rejection } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aPage } from '#web/testing/samples.ts'
import { ConsentDialog } from './consent-dialog.tsx'

const both: NeededConsent[] = [
  { kind: 'offer', version: 2, agreedBefore: false },
  { kind: 'personal-data', version: 1, agreedBefore: false },
]

function open(needed: NeededConsent[], next: 'send' | 'continue' | null = null) {
  const server = new FakeServer().on(legalApi.needed, needed).on(legalApi.give, []).on(pageApi.state, aPage('anna'))
  const onDone = vi.fn()
  return { server, onDone, ...render(<ConsentDialog next={next} onDone={onDone} />) }
}
const offer = () => screen.findByRole<HTMLInputElement>('checkbox', { name: /условия оферты/ })
const personal = () => screen.getByRole<HTMLInputElement>('checkbox', { name: /персональных данных/ })
const go = () => screen.getByRole('button', { name: /^Принять/ })

test('each document has an empty box and a link to its text (S10.202)', async () => {
  open(both)
  expect((await offer()).checked).toBe(false)
  expect(personal().checked).toBe(false)
  const link = screen.getByRole('link', { name: 'оферты' })
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['/legal/offer', '_blank'])
})

test('both boxes must be ticked, and a missing box says so (S10.202)', async () => {
  const { user, server, onDone } = open(both)
  await user.click(await offer())
  await user.click(go())
  expect(screen.getByText('Прочитайте и отметьте, чтобы продолжить.')).toBeTruthy()
  expect(server.calls(legalApi.give)).toEqual([])
  await user.click(personal())
  await user.click(go())
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledWith(true))
  expect(server.calls(legalApi.give)).toMatchObject([
    {
      body: {
        documents: [
          { kind: 'offer', version: 2 },
          { kind: 'personal-data', version: 1 },
        ],
      },
    },
  ])
})

test('a person who agreed before sees the changes and may wait', async () => {
  const { user, onDone } = open([{ kind: 'offer', version: 3, agreedBefore: true }])
  expect(await screen.findByText('Документы изменились')).toBeTruthy()
  expect(screen.getByText(/теперь это версия 3/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Не сейчас' }))
  expect(onDone).toHaveBeenCalledWith(false)
})

test('a text that changed during reading is asked about again', async () => {
  const { user, server, onDone } = open([{ kind: 'offer', version: 1, agreedBefore: false }])
  server.on(legalApi.give, rejection('conflict', 'Оферта: текст изменился.'))
  await user.click(await offer())
  server.on(legalApi.needed, [{ kind: 'offer', version: 2, agreedBefore: false }])
  await user.click(go())
  expect(await screen.findByText('409: Оферта: текст изменился.')).toBeTruthy()
  await vi.waitFor(async () => expect((await offer()).checked).toBe(false))
  expect(onDone).not.toHaveBeenCalled()
})

test('consents given in another tab close the dialog', async () => {
  const { onDone } = open([])
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledWith(true))
})

test('the first box has the focus, so that Enter does not decline (S10.1432)', async () => {
  const { user, onDone } = open(both, 'send')
  const box = await offer()
  expect(document.activeElement).toBe(box)
  await user.keyboard('{Enter}')
  expect(onDone).not.toHaveBeenCalled()
})

test.each([
  ['send', 'Принять и отправить'],
  ['continue', 'Принять и продолжить'],
  [null, 'Принять'],
] as const)('before %s the button says what follows (S10.1432)', async (next, label) => {
  open(both, next)
  await offer()
  expect(go().textContent).toBe(label)
})

test('what was ticked at sign-in is given without another question (S10.1437)', async () => {
  noteEarlyConsents('anna@example.com', [
    { kind: 'offer', version: 2 },
    { kind: 'personal-data', version: 1 },
  ])
  const { server, onDone } = open(both, 'send')
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledWith(true))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(server.calls(legalApi.give)).toMatchObject([
    {
      body: {
        documents: [
          { kind: 'offer', version: 2 },
          { kind: 'personal-data', version: 1 },
        ],
      },
    },
  ])
})

test('a box ticked for a text that has changed is asked about (S10.1437)', async () => {
  noteEarlyConsents('anna@example.com', [{ kind: 'offer', version: 1 }])
  const { server } = open([{ kind: 'offer', version: 2, agreedBefore: false }])
  server.on(legalApi.give, rejection('conflict', 'Оферта: текст изменился.'))
  expect((await offer()).checked).toBe(false)
})
