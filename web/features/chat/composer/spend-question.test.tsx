import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { newUserId } from '#web/testing/render.tsx'
import { field, openComposer, sendButton } from '../testing/open-composer.tsx'
import { chooseWeb } from './web-choice.ts'

const question = () => screen.findByRole('alertdialog')
const noQuestion = () => screen.queryByRole('alertdialog')

/** A composer whose detailed search takes most of the balance. */
function openDear(balance: number) {
  const userId = newUserId()
  const opened = openComposer({ searchPrice: 1500, balance, userId })
  chooseWeb(userId, 't1', { search: 'detailed', isPinned: true })
  return opened
}

test('a question above half of the balance needs another press (S10.634)', async () => {
  const { user, sent } = openDear(20_000)
  await user.type(field(), 'Что нового?{Enter}')
  expect((await question()).textContent?.replace(/\s/g, ' ')).toContain(
    'Этот вопрос может стоить до 16 711 из 20 000 символов.',
  )
  expect(sent).toEqual([])
  const agree = screen.getByRole('alertdialog').querySelector<HTMLButtonElement>('button:last-of-type')
  await waitFor(() => expect(document.activeElement).toBe(agree))
  // The key that asked is still held down.
  await user.keyboard('{Enter>3/}')
  await waitFor(() => expect(sent).toEqual([{ text: 'Что нового?', files: [], web: 'detailed' }]))
  expect(noQuestion()).toBeNull()
  expect(field().value).toBe('')
})

test('«Изменить» and Escape send nothing and keep words and focus (S10.634)', async () => {
  const { user, sent } = openDear(20_000)
  await user.type(field(), 'Что нового?{Enter}')
  await user.click(await screen.findByRole('button', { name: 'Изменить' }))
  expect(noQuestion()).toBeNull()
  await waitFor(() => expect(document.activeElement).toBe(field()))
  await user.keyboard('{Enter}')
  await question()
  await user.keyboard('{Escape}')
  expect(noQuestion()).toBeNull()
  await user.click(sendButton())
  await question()
  // Another text has another price.
  await user.type(field(), '!')
  await waitFor(() => expect(noQuestion()).toBeNull())
  expect(field().value).toBe('Что нового?!')
  expect(sent).toEqual([])
})

test('a cheaper or refused question is sent at once (S10.634)', async () => {
  const rich = openDear(200_000)
  await rich.user.type(field(), 'Что нового?{Enter}')
  expect(rich.sent).toHaveLength(1)
  rich.unmount()
  const poor = openDear(1000)
  await poor.user.type(field(), 'Что нового?{Enter}')
  expect(poor.sent).toHaveLength(1)
  expect(noQuestion()).toBeNull()
})
