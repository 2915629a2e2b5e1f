import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answersApi } from '#contract/answers.ts'
import { threadsApi } from '#contract/threads.ts'
import { answerStream, rejection } from '#web/testing/fake-server.ts'
import { aBalance } from '#web/testing/samples.ts'
import { field } from '../testing/open-composer.tsx'
import { anExchange, openThread } from '../testing/open-thread.tsx'

/** Sends a message whose answer is started by the test. */
async function openAnswering() {
  const thread = await openThread()
  const stream = answerStream()
  thread.server.on(answersApi.send, () => stream.response)
  await thread.user.type(field(), 'Вопрос{Enter}')
  await screen.findByRole('button', { name: 'Остановить' })
  await waitFor(() => expect(thread.server.calls(answersApi.send)).toHaveLength(1))
  const [sent] = thread.server.calls(answersApi.send)
  const exchange = anExchange(thread.threadId, { content: 'Вопрос', ...sent?.body })
  return {
    ...thread,
    assistant: exchange.assistant,
    send: stream.send,
    begin: () => stream.send({ type: 'start', user: exchange.user, assistant: exchange.assistant }),
    /** Ends the answer; later messages are answered at once. */
    async finish() {
      thread.server.on(answersApi.send, thread.answerAtOnce)
      const message = { ...exchange.assistant, status: 'stopped', content: 'Начал' } as const
      for (const stored of [exchange.user, message]) thread.store(stored)
      await stream.send({ type: 'done', message, charged: 1, SingleSubscription: aBalance() })
      await stream.end()
    },
    stops: () => thread.server.calls(answersApi.stop).map(({ params }) => params.messageId),
  }
}

const stopButton = () => screen.getByRole('button', { name: 'Остановить' })

test('several clicks send a single stop, and the button disappears', async () => {
  const { user, server, assistant, begin, finish, stops, threadId } = await openAnswering()
  server.on(answersApi.stop, assistant)
  await act(begin)
  await waitFor(() => expect(screen.getByText('Ответ пишется')).toBeTruthy())
  await user.click(stopButton())
  await user.click(stopButton())
  await waitFor(() => expect(stops()).toEqual([assistant.id]))
  expect(server.calls(answersApi.stop)[0]?.params.id).toBe(threadId)
  await act(finish)
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Остановить' })).toBeNull())
  expect(screen.getByRole('button', { name: 'Отправить' })).toBeTruthy()
})

test('a stop before the start is sent again at the start', async () => {
  const { user, server, assistant, begin, finish, stops } = await openAnswering()
  server.on(answersApi.stop, rejection('not_found', 'Нет такого ответа.'))
  await user.click(stopButton())
  await waitFor(() => expect(stops()).toHaveLength(1))
  expect(stops()[0]).not.toBe(assistant.id)
  server.on(answersApi.stop, assistant)
  await act(begin)
  await waitFor(() => expect(stops().at(-1)).toBe(assistant.id))
  await act(finish)
})

test('a stop that failed can be sent again', async () => {
  const { user, server, assistant, begin, finish, stops } = await openAnswering()
  server.on(answersApi.stop, rejection('internal', 'Не получилось.'))
  await act(begin)
  await waitFor(() => expect(screen.getByText('Ответ пишется')).toBeTruthy())
  await user.click(stopButton())
  await waitFor(() => expect(stops()).toHaveLength(1))
  server.on(answersApi.stop, assistant)
  await waitFor(async () => {
    await user.click(stopButton())
    expect(stops()).toHaveLength(2)
  })
  await act(finish)
})

test('a message sent during an answer waits for its end (S10.124)', async () => {
  const { user, server, begin, finish } = await openAnswering()
  await act(begin)
  await waitFor(() => expect(screen.getByText('Ответ пишется')).toBeTruthy())
  await user.type(field(), 'Следом')
  await user.click(screen.getByRole('button', { name: 'Отправить после ответа' }))
  expect(field().value).toBe('')
  const queue = await screen.findByRole('list', { name: 'Отправится после ответа' })
  expect(within(queue).getByText('Следом')).toBeTruthy()
  expect(server.calls(answersApi.send)).toHaveLength(1)
  await act(finish)
  await waitFor(() => expect(server.calls(answersApi.send)).toHaveLength(2))
  expect(server.calls(answersApi.send)[1]?.body.content).toBe('Следом')
  expect(await within(screen.getByRole('log')).findByText('Следом')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Отправится после ответа' })).toBeNull())
  const answers = within(screen.getByRole('log')).getAllByRole('article', { name: 'Умная' })
  expect(answers.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Начал'),
    expect.stringContaining('Ответ'),
  ])
})

const answerTexts = () =>
  within(screen.getByRole('log'))
    .getAllByRole('article', { name: 'Умная' })
    .map(({ textContent }) => textContent)

/** An answer that has begun, and how often the chat around it was changed. */
async function openGrowing() {
  const thread = await openAnswering()
  let changes = 0
  const queryHash = JSON.stringify(['thread', thread.threadId])
  thread.client.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.queryHash === queryHash) changes += 1
  })
  let text = ''
  await act(thread.begin)
  return {
    ...thread,
    changes: () => changes,
    /** Sends more of the answer and waits until it is shown. */
    async grow(more: string) {
      text += more
      await act(() => thread.send({ type: 'delta', offset: text.length, text: more }))
      await waitFor(() => expect(answerTexts()).toEqual([expect.stringContaining(text)]))
    },
  }
}

test('an answer that grows changes nothing around it (S10.420)', async () => {
  const { grow, changes, finish } = await openGrowing()
  await grow('Начало')
  const before = changes()
  for (const more of [' и', ' дальше', ' ещё', ' немного']) await grow(more)
  expect(changes()).toBe(before)
  await act(finish)
  await waitFor(() => expect(answerTexts()).toEqual([expect.stringContaining('Начал')]))
})

test('an answer that fails keeps all of its text (S10.420)', async () => {
  const { grow, send, store, assistant, client, threadId } = await openGrowing()
  await grow('Начало')
  await grow(' и середина')
  const error = { type: 'error', status: 502, code: 'model_failed', message: 'Модель не отвечает.' } as const
  store({ ...assistant, status: 'failed', content: 'Начало и середина', error })
  await act(() => send(error))
  await waitFor(() =>
    expect(client.getQueryData<{ Messages: unknown[] }>(['thread', threadId])?.Messages.at(-1)).toMatchObject({
      status: 'failed',
      content: 'Начало и середина',
    }),
  )
  await screen.findByText('Модель не отвечает.')
  expect(answerTexts()).toEqual([expect.stringContaining('Начало и середина')])
})

/** An answer that has begun, and how often the chat was fetched. */
async function openWatched() {
  const thread = await openAnswering()
  await act(thread.begin)
  await waitFor(() => expect(screen.getByText('Ответ пишется')).toBeTruthy())
  const topic = `thread:${thread.threadId}`
  return {
    ...thread,
    reads: () => thread.server.calls(threadsApi.get).length,
    publish: (type: string, data: object) => act(() => thread.publish({ topic, type, data })),
    /** Ends the answer and waits until its end is shown. */
    async finish() {
      await act(thread.finish)
      await waitFor(() => expect(screen.getByText('Ответ остановлен')).toBeTruthy())
    },
  }
}

test('a complete answer does not reload its chat (S10.490)', async () => {
  const { assistant, publish, finish, reads } = await openWatched()
  publish('answering', { messageId: assistant.id })
  await finish()
  publish('finished', { messageId: assistant.id })
  await act(async () => {})
  expect(reads()).toBe(1)
  publish('finished', { messageId: 'of-another-window' })
  await waitFor(() => expect(reads()).toBe(2))
})

test('a chat changed elsewhere during an answer is reloaded after it (S10.490)', async () => {
  const { publish, finish, reads } = await openWatched()
  publish('changed', { version: 99 })
  await act(async () => {})
  expect(reads()).toBe(1)
  await finish()
  await waitFor(() => expect(reads()).toBe(2))
})

test('a chat is reloaded after an answer with an error (S10.490)', async () => {
  const { send, reads } = await openWatched()
  await act(() => send({ type: 'error', status: 502, code: 'model_failed', message: 'Модель не отвечает.' }))
  await waitFor(() => expect(reads()).toBe(2))
})

test('a chat that was loading when its answer ended is reloaded (S10.490)', async () => {
  const { client, threadId, server, finish, reads } = await openWatched()
  // This response never arrives: the refetch after the answer replaces it.
  server.on(threadsApi.get, () => new Promise<never>(() => {}))
  void client.invalidateQueries({ queryKey: ['thread', threadId], exact: true })
  await waitFor(() => expect(reads()).toBe(2))
  await finish()
  await waitFor(() => expect(reads()).toBe(3))
})
