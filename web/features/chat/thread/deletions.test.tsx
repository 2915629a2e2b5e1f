import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answersApi } from '#contract/answers.ts'
import { threadsApi } from '#contract/threads.ts'
import { later } from '#web/testing/fake-server.ts'
import { outbox } from '../state/outbox.ts'
import { aThread } from '../testing/a-message.ts'
import { field } from '../testing/open-composer.tsx'
import { openThread } from '../testing/open-thread.tsx'

const messages = [
  { id: 'q1', content: 'Первый' },
  { id: 'a1', parentId: 'q1', role: 'assistant', modelId: 'm1', content: 'Ответ' } as const,
  { id: 'q2', parentId: 'a1', content: 'Второй' },
]
const deleted = (threadId: string) => ({ deleted: ['q2'], Thread: { ...aThread([]), id: threadId } })
const log = () => within(screen.getByRole('log', { name: 'Сообщения чата' }))

async function deleteSecond() {
  const thread = await openThread({ messages })
  thread.server.on(threadsApi.deleteMessage, deleted(thread.threadId))
  const row = await log().findByText('Второй')
  const article = row.closest('article')
  await thread.user.click(within(article as HTMLElement).getByRole('button', { name: 'Удалить' }))
  await waitFor(() => expect(log().queryByText('Второй')).toBeNull())
  return thread
}

test('a deleted message is hidden at once, and undo brings it back', async () => {
  const { user, server } = await deleteSecond()
  await user.click(await screen.findByRole('button', { name: 'Отменить' }))
  expect(await log().findByText('Второй')).toBeTruthy()
  expect(server.calls(threadsApi.deleteMessage)).toEqual([])
})

test('the number of messages that go together is shown', async () => {
  const { user } = await openThread({ messages })
  const question = (await log().findByText('Первый')).closest('article') as HTMLElement
  await user.click(within(question).getByRole('button', { name: 'Удалить' }))
  expect(await screen.findByText('Удалено 3 сообщения')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Отменить' }))
})

test('a question asked during a deletion is sent after it (S10.497)', async () => {
  const { user, server, threadId } = await deleteSecond()
  const deletion = later<ReturnType<typeof deleted>>()
  server.on(threadsApi.deleteMessage, () => deletion.promise)
  await user.type(field(), 'Третий{Enter}')
  // It follows the message before the deleted one, whichever window sends it.
  expect(outbox().all()).toMatchObject([{ content: 'Третий', parentId: 'a1' }])
  await waitFor(() => expect(server.calls(threadsApi.deleteMessage)).toHaveLength(1))
  expect(server.calls(answersApi.send)).toEqual([])
  deletion.give(deleted(threadId))
  await waitFor(() => expect(server.calls(answersApi.send)).toMatchObject([{ body: { parentId: 'a1' } }]))
})

test('after an undo the next question follows the last message (S10.497)', async () => {
  const { user, server } = await deleteSecond()
  await user.click(await screen.findByRole('button', { name: 'Отменить' }))
  await user.type(field(), 'Третий{Enter}')
  await waitFor(() => expect(server.calls(answersApi.send)).toMatchObject([{ body: { content: 'Третий' } }]))
  expect(server.calls(answersApi.send)[0]?.body).not.toHaveProperty('parentId')
})
