import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answersApi } from '#contract/answers.ts'
import type { Message } from '#contract/threads.ts'
import { chooseWeb, searchOff, webChoice } from '../composer/web-choice.ts'
import { returnToDraft } from '../sending/return-to-draft.ts'
import { outbox } from '../state/outbox.ts'
import { openThread } from '../testing/open-thread.tsx'

const config = { webSearch: { price: 1500 } }
const request = { search: true, pages: [], detailed: true as const }
const web = { query: 'обжарка', hasFound: true, price: 1500, unread: [], request }
const parts = {
  ...{ question: 10, history: 0, historyMessages: 0, cutMessages: 0, instructions: 0, files: 0, passages: 0 },
  ...{ personal: 0, web: 9000 },
}
const answer: Partial<Message> & { id: string } = {
  ...{ id: 'a1', parentId: 'q1', role: 'assistant', content: 'Ответ', modelId: 'm1' },
  ...{ web, parts, input: 9010, output: 5 },
}
const messages = [{ id: 'q1', content: 'Что нового?' }, answer]
const question = () => screen.findByRole('alertdialog')

test('another answer above half of the balance asks first (S10.634)', async () => {
  const { user, server } = await openThread({ messages, config, balance: { availableTokens: 20_000 } })
  server.on(answersApi.regenerate, () => new Response('', { status: 500 }))
  const again = await screen.findByRole('button', { name: /^Ответить заново · до 1\d\s\d{3}$/ })
  await user.click(again)
  expect((await question()).textContent).toMatch(/^Этот ответ может стоить до 1\d\s\d{3} из 20\s000/)
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(server.calls(answersApi.regenerate)).toEqual([])
  await user.click(again)
  await user.click(within(await question()).getByRole('button', { name: 'Ответить заново' }))
  await waitFor(() => expect(server.calls(answersApi.regenerate)[0]?.body).toEqual({ web: 'detailed' }))
})

test('an edited question shows its price and keeps its search (S10.630)', async () => {
  const { user, threadId, server } = await openThread({ messages, config, balance: { availableTokens: 20_000 } })
  server.on(answersApi.send, () => new Promise<Response>(() => {}))
  await user.click(await screen.findByRole('button', { name: 'Изменить' }))
  const editor = screen.getByRole('textbox', { name: 'Изменить сообщение' })
  await user.type(editor, ' Сегодня')
  await user.click(screen.getByRole('button', { name: /^Отправить · до 13\s5\d\d$/ }))
  await question()
  // The editor stays until it may be sent.
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Изменить сообщение' }).value).toContain('Сегодня')
  expect(outbox().all()).toEqual([])
  await user.click(within(await question()).getByRole('button', { name: 'Отправить' }))
  const own = outbox()
    .all()
    .filter((item) => item.threadId === threadId)
  expect(own).toMatchObject([{ content: 'Что нового? Сегодня', web: 'detailed' }])
  expect(screen.queryByRole('textbox', { name: 'Изменить сообщение' })).toBeNull()
})

test('a waiting message keeps its search and returns it (S10.632)', async () => {
  const { userId, threadId, put } = await openThread({ config })
  chooseWeb(userId, threadId, searchOff)
  const item = put('Что нового?', { web: 'detailed' })
  expect(outbox().get(item.id)).toMatchObject({ web: 'detailed' })
  returnToDraft(item)
  expect(webChoice(userId, threadId)).toEqual({ search: 'detailed', isPinned: false })
})
