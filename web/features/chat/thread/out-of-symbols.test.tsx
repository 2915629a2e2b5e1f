import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answersApi } from '#contract/answers.ts'
import type { SingleSubscription } from '#contract/billing.ts'
import type { ApiError } from '#contract/errors.ts'
import type { Message } from '#contract/threads.ts'
import { answerStream, later, rejection } from '#web/testing/fake-server.ts'
import { aBalance } from '#web/testing/samples.ts'
import { outbox } from '../outbox/outbox.ts'
import { aMessage } from '../testing/a-message.ts'
import { field } from '../testing/open-composer.tsx'
import { openThread } from '../testing/open-thread.tsx'

const REFUSED = 'Не хватает символов: нужно 6, есть 3'
const RAN_OUT = 'Закончились символы в подписке'
const card = (title: string) => screen.queryByRole('region', { name: title })
const textOf = (element: HTMLElement) => element.textContent?.replace(/\s/g, ' ')

/** Sends a message that the server rejects because of the balance. */
async function beRefused(balance: Partial<SingleSubscription> = { availableTokens: 3 }) {
  const thread = await openThread({ balance, isDelivering: true })
  thread.server.on(answersApi.send, rejection('out_of_symbols', REFUSED))
  await thread.user.type(field(), 'Дорогой вопрос{Enter}')
  const shown = await screen.findByRole('region', { name: REFUSED })
  return { ...thread, shown }
}

test('a message rejected because of the balance returns to the field, and the chat shows the message of the server', async () => {
  const { shown, server } = await beRefused()
  expect(field().value).toBe('Дорогой вопрос')
  expect(outbox().all()).toEqual([])
  expect(within(screen.getByRole('log')).queryByText('Дорогой вопрос')).toBeNull()
  expect(textOf(shown)).toContain('Всё, что написано, сохранено. Осталось 3 символа, этого не хватит.')
  expect(server.calls(answersApi.send)).toHaveLength(1)
})

test('a rejected text is put before the text typed meanwhile', async () => {
  const thread = await openThread({ isDelivering: true })
  const answer = later<ApiError>()
  thread.server.on(answersApi.send, () => answer.promise)
  await thread.user.type(field(), 'Первое{Enter}')
  await thread.user.type(field(), 'Начатое')
  answer.give(rejection('out_of_symbols', REFUSED))
  await waitFor(() => expect(field().value).toBe('Первое\n\nНачатое'))
})

test('messages rejected one after another return in the order they were written', async () => {
  const thread = await openThread({ isDelivering: true })
  const answer = later<ApiError>()
  thread.server.on(answersApi.send, () => answer.promise)
  await thread.user.type(field(), 'Первое{Enter}Второе{Enter}Третье{Enter}Начатое')
  answer.give(rejection('out_of_symbols', REFUSED))
  await waitFor(() => expect(field().value).toBe('Первое\n\nВторое\n\nТретье\n\nНачатое'))
  expect(outbox().all()).toEqual([])
})

test('without a subscription the card links to plans', async () => {
  const { shown, user, address } = await beRefused({ availableTokens: 0, active: false })
  expect(textOf(shown)).toContain('Пополните баланс, чтобы продолжить.')
  await user.click(within(shown).getByRole('link', { name: 'Оформить подписку' }))
  expect(address()).toBe('/profile#plan')
})

test('a subscriber is offered bundles', async () => {
  const { shown } = await beRefused({ availableTokens: 0, recurrent: true })
  const link = within(shown).getByRole('link')
  expect([link.textContent, link.getAttribute('href')]).toEqual(['Докупить символы', '/profile#bundles'])
})

test('with the daily limit reached the card links to the limit, not to a payment', async () => {
  const { shown } = await beRefused({ availableTokens: 5000, dailyCap: 100, spentToday: 100, recurrent: true })
  const link = within(shown).getByRole('link')
  expect([link.textContent, link.getAttribute('href')]).toEqual(['Изменить дневной предел', '/profile#balance'])
})

test('the card disappears when the balance is higher than at the rejection, and stays when it is lower', async () => {
  const { setBalance } = await beRefused()
  setBalance({ availableTokens: 2 })
  await screen.findByText(/Осталось 2\sсимвола/)
  setBalance({ availableTokens: 5000 })
  await waitFor(() => expect(card(REFUSED)).toBeNull())
  expect(field().value).toBe('Дорогой вопрос')
})

test('the card disappears when the message is sent again, and returns when it is rejected again', async () => {
  const { user, server } = await beRefused()
  const answer = later<ApiError>()
  server.on(answersApi.send, () => answer.promise)
  await user.type(field(), '{Enter}')
  await waitFor(() => expect(card(REFUSED)).toBeNull())
  expect(field().value).toBe('')
  answer.give(rejection('out_of_symbols', REFUSED))
  expect(await screen.findByRole('region', { name: REFUSED })).toBeTruthy()
  expect(field().value).toBe('Дорогой вопрос')
})

/** A chat whose last answer ran out of symbols; continuing costs at least 100 + 5 + 2. */
function openCutOff(balance: Partial<SingleSubscription>, after: (Partial<Message> & { id: string })[] = []) {
  const parts = {
    question: 100,
    history: 0,
    historyMessages: 0,
    cutMessages: 0,
    instructions: 0,
    files: 0,
    passages: 0,
  }
  const answer = { id: 'a1', parentId: 'q1', role: 'assistant', modelId: 'm1', content: 'Начал', parts } as const
  const messages = [{ id: 'q1' }, { ...answer, status: 'out_of_symbols' } as const, ...after]
  return openThread({ balance, messages })
}

test('an answer that ran out of symbols stays, with the card below it', async () => {
  await openCutOff({ availableTokens: 0 })
  const shown = await screen.findByRole('region', { name: RAN_OUT })
  expect(screen.getByText('Начал')).toBeTruthy()
  expect(within(shown).getByRole('link', { name: 'Оформить подписку' })).toBeTruthy()
  expect(within(shown).queryByRole('button')).toBeNull()
})

test('with too few symbols to continue the balance is shown, and continuing is not offered', async () => {
  await openCutOff({ availableTokens: 106 })
  const shown = await screen.findByRole('region', { name: RAN_OUT })
  await waitFor(() => expect(textOf(shown)).toContain('Осталось 106 символов, этого не хватит.'))
  expect(within(shown).queryByRole('button')).toBeNull()
})

test('with enough symbols the answer continues from its end, and the card disappears', async () => {
  const { user, server, threadId, setBalance, store } = await openCutOff({ availableTokens: 0 })
  await screen.findByRole('region', { name: RAN_OUT })
  setBalance({ availableTokens: 107 })
  const stream = answerStream()
  server.on(answersApi.continue, stream.response)
  await user.click(await screen.findByRole('button', { name: 'Продолжить ответ' }))
  await waitFor(() => expect(server.calls(answersApi.continue)).toHaveLength(1))
  expect(server.calls(answersApi.continue)[0]?.params).toEqual({ id: threadId, messageId: 'a1' })
  const question = aMessage('q1', { threadId })
  const answer = aMessage('a1', { threadId, parentId: 'q1', role: 'assistant', modelId: 'm1', content: 'Начал' })
  void stream.send({ type: 'start', user: question, assistant: { ...answer, status: 'streaming' } })
  const message = { ...answer, content: 'Начал и кончил' }
  store(message)
  void stream.send({ type: 'done', message, charged: 7, SingleSubscription: aBalance({ availableTokens: 100 }) })
  await waitFor(() => expect(card(RAN_OUT)).toBeNull())
})

test('an answer followed by other messages is not continued', async () => {
  await openCutOff({ availableTokens: 5000 }, [{ id: 'q2', parentId: 'a1' }])
  const shown = await screen.findByRole('region', { name: RAN_OUT })
  expect(within(shown).queryByRole('button', { name: 'Продолжить ответ' })).toBeNull()
})
