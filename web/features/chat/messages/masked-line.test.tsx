import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answersApi } from '#contract/answers.ts'
import type { Message } from '#contract/threads.ts'
import { answerStream } from '#web/testing/fake-server.ts'
import { aBalance } from '#web/testing/samples.ts'
import { anExchange, openThread } from '../testing/open-thread.tsx'

const question = { id: 'q1', content: 'Звоните: +7 999 123-45-67' }
const answer = (change: Partial<Message> = {}) => ({
  ...{ id: 'a1', parentId: 'q1', role: 'assistant' as const, modelId: 'm1', content: 'Хорошо' },
  ...change,
})

test('the line opens the hidden values and mentions those from elsewhere (S10.338)', async () => {
  const { user } = await openThread({ messages: [question, answer({ masked: { phone: 1, email: 2 } })] })
  const line = screen.getByRole('button', { name: 'Скрыто от модели: телефон, почта (2)' })
  expect(line.getAttribute('aria-expanded')).toBe('false')
  await user.click(line)
  expect((await screen.findByText('[телефон 1]')).tagName).toBe('DT')
  expect(screen.getByText('+7 999 123-45-67').tagName).toBe('DD')
  expect(screen.getByText('Остальное — в прежних сообщениях, файлах или инструкциях.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Куда уходят данные' }).getAttribute('href')).toBe(
    '/help/account/where-data-goes',
  )
})

test('«Отправить как есть» answers again without hiding', async () => {
  const { user, server, threadId } = await openThread({ messages: [question, answer({ masked: { phone: 1 } })] })
  server.on(answersApi.regenerate, () => {
    const stream = answerStream()
    const { user, assistant } = anExchange(threadId, question)
    const message: Message = { ...assistant, status: 'complete', content: 'Звоню' }
    void stream.send({ type: 'start', user, assistant })
    void stream.send({ type: 'done', message, charged: 1, SingleSubscription: aBalance() })
    void stream.end()
    return stream.response
  })
  await user.click(screen.getByRole('button', { name: 'Скрыто от модели: телефон' }))
  await user.click(await screen.findByRole('button', { name: /^Отправить как есть/ }))
  await waitFor(() => expect(server.calls(answersApi.regenerate).at(-1)?.body).toEqual({ asIs: true }))
})

test('an answer from which nothing was hidden has no line', async () => {
  await openThread({ messages: [question, answer({ masked: null })] })
  expect(screen.queryByText(/Скрыто от модели/)).toBeNull()
})

test('a message sent unmasked tells the server so', async () => {
  const { server, send } = await openThread()
  send('Мой номер 89991234567', { asIs: true })
  await waitFor(() =>
    expect(server.calls(answersApi.send).at(-1)?.body).toMatchObject({ content: 'Мой номер 89991234567', asIs: true }),
  )
})
