import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { type Rating, ratingsApi } from '#contract/ratings.ts'
import { openThread } from '../testing/open-thread.tsx'
import { rowId } from './selected-in.ts'

const content = '## Итог\n\nСумма **выросла** на треть.\n\n```js\nlet a = 1\n```'
const messages = [
  { id: 'q1', content: 'Сколько?' },
  { id: 'a1', parentId: 'q1', role: 'assistant' as const, modelId: 'm1', content },
]
const draft = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Сообщение' }).value

test('a quotation of a whole answer has no Markdown and says so (S10.1496)', async () => {
  const { user } = await openThread({ messages })
  await user.click(screen.getByRole('button', { name: 'Процитировать' }))
  await waitFor(() => expect(draft()).toBe('> Итог\n>\n> Сумма выросла на треть.\n>\n> let a = 1\n\n'))
  expect(await screen.findByText(/Процитирован весь ответ/)).toBeTruthy()
})

test('on a phone the menu quotes the selection and rates (S10.1496)', async () => {
  vi.stubGlobal('matchMedia', (media: string) => ({
    media,
    matches: media === '(width < 40rem)',
    addEventListener() {},
    removeEventListener() {},
  }))
  const { server, user } = await openThread({ messages })
  server.on(ratingsApi.rate, ({ body }) => body as { rating: Rating })
  const row = document.getElementById(rowId('a1')) as HTMLElement
  const word = await within(row).findByText('выросла')
  getSelection()?.selectAllChildren(word)
  await user.click(within(row).getByRole('button', { name: 'Ещё' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Процитировать' }))
  await waitFor(() => expect(draft()).toBe('> выросла\n\n'))
  expect(screen.queryByText(/Процитирован весь ответ/)).toBeNull()
  await user.click(within(row).getByRole('button', { name: 'Ещё' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Плохой ответ' }))
  const dialog = await screen.findByRole('dialog', { name: 'Оценка ответа' })
  await user.click(within(dialog).getByRole('radio', { name: 'Неверно' }))
  await user.click(within(dialog).getByRole('button', { name: 'Отправить' }))
  await waitFor(() =>
    expect(server.calls(ratingsApi.rate).map(({ body }) => body)).toEqual([
      { rating: { verdict: 'bad', reason: 'wrong', comment: '' } },
    ]),
  )
})
