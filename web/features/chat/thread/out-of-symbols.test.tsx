import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answersApi } from '#contract/answers.ts'
import type { SingleSubscription } from '#contract/billing.ts'
import type { ApiError } from '#contract/errors.ts'
import { bundlesApi, plansApi } from '#contract/plans.ts'
import type { Message } from '#contract/threads.ts'
import { answerStream, later, rejection } from '#web/testing/fake-server.ts'
import { aBalance, inputParts } from '#web/testing/samples.ts'
import { outbox } from '../state/outbox.ts'
import { aMessage } from '../testing/a-message.ts'
import { field } from '../testing/open-composer.tsx'
import { openThread } from '../testing/open-thread.tsx'

const REFUSED = 'Не хватает символов: нужно 6, есть 3'
const RAN_OUT = 'Закончились символы в подписке'
const plan = { id: 'p1', name: 'Старт' }
const card = (title: string) => screen.queryByRole('region', { name: title })
const textOf = (element: HTMLElement) => element.textContent?.replace(/\s/g, ' ')

/** Sends a message that the server rejects because of the balance. */
async function beRefused(balance: Partial<SingleSubscription> = { availableTokens: 3 }) {
  const thread = await openThread({ balance })
  thread.server.on(answersApi.send, rejection('out_of_symbols', REFUSED))
  await thread.user.type(field(), 'Дорогой вопрос{Enter}')
  const shown = await screen.findByRole('region', { name: REFUSED })
  return { ...thread, shown }
}

test('an unpaid message returns to the field, and the chat says why', async () => {
  const { shown, server } = await beRefused()
  expect(field().value).toBe('Дорогой вопрос')
  expect(outbox().all()).toEqual([])
  expect(within(screen.getByRole('log')).queryByText('Дорогой вопрос')).toBeNull()
  expect(textOf(shown)).toContain('Осталось 3, нужно 16 символов или больше. Всё, что написано, сохранено.')
  expect(server.calls(answersApi.send)).toHaveLength(1)
})

test('a rejected text is put before the text typed meanwhile', async () => {
  const thread = await openThread()
  const answer = later<ApiError>()
  thread.server.on(answersApi.send, () => answer.promise)
  await thread.user.type(field(), 'Первое{Enter}')
  await thread.user.type(field(), 'Начатое')
  answer.give(rejection('out_of_symbols', REFUSED))
  await waitFor(() => expect(field().value).toBe('Первое\n\nНачатое'))
})

test('rejected messages return in the order they were written', async () => {
  const thread = await openThread()
  const answer = later<ApiError>()
  thread.server.on(answersApi.send, () => answer.promise)
  await thread.user.type(field(), 'Первое{Enter}Второе{Enter}Третье{Enter}Начатое')
  answer.give(rejection('out_of_symbols', REFUSED))
  await waitFor(() => expect(field().value).toBe('Первое\n\nВторое\n\nТретье\n\nНачатое'))
  expect(outbox().all()).toEqual([])
})

test('the card links to plans when there is no subscription', async () => {
  const { shown, user, address } = await beRefused({ availableTokens: 0, active: false })
  await user.click(within(shown).getByRole('link', { name: 'Оформить подписку' }))
  expect(address()).toBe('/profile#plan')
})

test('the card offers the cheapest sufficient bundle and plan (S10.159)', async () => {
  const thread = await openThread({ balance: { availableTokens: 3 } })
  const sold = { currency: 'BYN', active: true, position: 0 }
  thread.server
    .on(bundlesApi.list, [
      { ...sold, id: 'b1', name: 'Горсть', symbols: 5, price: 10 },
      { ...sold, id: 'b2', name: 'Мешок', symbols: 100_000, price: 350 },
      { ...sold, id: 'b3', name: 'Воз', symbols: 900_000, price: 2000 },
    ])
    .on(plansApi.list, [
      { ...sold, id: 'p1', name: 'Старт', description: '', symbols: 500_000, price: 990, intervalDays: 30 },
    ])
    .on(answersApi.send, rejection('out_of_symbols', RAN_OUT))
  await thread.user.type(field(), 'Дорогой вопрос{Enter}')
  const shown = await screen.findByRole('region', { name: 'Не хватает символов' })
  await within(shown).findByRole('link', { name: /^Купить/ })
  const links = within(shown).getAllByRole('link')
  expect(links.map((link) => [textOf(link), link.getAttribute('href')])).toEqual([
    ['Купить 100 000 за 3,50 BYN', '/profile#bundles'],
    ['Тариф «Старт»: 500 000 за 9,90 BYN на 30 дней', '/profile#plan'],
  ])
  expect(textOf(shown)).not.toMatch(/подписк/i)
})

test('a subscriber is offered bundles', async () => {
  const { shown } = await beRefused({ availableTokens: 0, recurrent: true })
  const link = within(shown).getByRole('link')
  expect([link.textContent, link.getAttribute('href')]).toEqual(['Докупить символы', '/profile#bundles'])
})

test('a daily limit that is reached is named as the cause (S10.1453)', async () => {
  await openCutOff({ availableTokens: 22_900, dailyCap: 2100, spentToday: 2100 })
  const shown = await screen.findByRole('region', { name: /^Дневной предел 2\s100 исчерпан$/ })
  expect(shown.textContent).toContain('Продолжить можно завтра или с новым пределом.')
  expect(shown.textContent).not.toMatch(/Не хватает|закончились/i)
  const link = within(shown).getByRole('link')
  expect([link.textContent, link.getAttribute('href')]).toEqual(['Изменить дневной предел', '/profile#balance'])
})

test('the card disappears when the balance is higher than at the rejection', async () => {
  const { setBalance } = await beRefused()
  setBalance({ availableTokens: 2 })
  await screen.findByText(/Осталось 2, нужно/)
  setBalance({ availableTokens: 5000 })
  await waitFor(() => expect(card(REFUSED)).toBeNull())
  expect(field().value).toBe('Дорогой вопрос')
})

test('the card disappears during another try and returns after a rejection', async () => {
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
  const parts = inputParts({ question: 100 })
  const answer = { id: 'a1', parentId: 'q1', role: 'assistant', modelId: 'm1', content: 'Начал', parts } as const
  const messages = [{ id: 'q1' }, { ...answer, status: 'out_of_symbols' } as const, ...after]
  return openThread({ balance, messages })
}

test('an answer that ran out of symbols keeps its text and card', async () => {
  await openCutOff({ availableTokens: 0, plan })
  const shown = await screen.findByRole('region', { name: RAN_OUT })
  expect(screen.getByText('Начал')).toBeTruthy()
  expect(within(shown).getByRole('link', { name: 'Оформить подписку' })).toBeTruthy()
  expect(within(shown).queryByRole('button')).toBeNull()
})

test('continuing is not offered with too few symbols', async () => {
  await openCutOff({ availableTokens: 106, plan })
  const shown = await screen.findByRole('region', { name: RAN_OUT })
  await waitFor(() => expect(textOf(shown)).toContain('Осталось 106, нужно 107 символов или больше.'))
  expect(within(shown).queryByRole('button')).toBeNull()
})

test('an answer continues from its end with enough symbols', async () => {
  const { user, server, threadId, setBalance, store } = await openCutOff({ availableTokens: 0, plan })
  await screen.findByRole('region', { name: RAN_OUT })
  setBalance({ availableTokens: 10_000, plan })
  const stream = answerStream()
  server.on(answersApi.continue, stream.response)
  await user.click(await screen.findByRole('button', { name: /^Продолжить ответ · ≈ / }))
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
  await openCutOff({ availableTokens: 5000, plan }, [{ id: 'q2', parentId: 'a1' }])
  const shown = await screen.findByRole('region', { name: RAN_OUT })
  expect(within(shown).queryByRole('button', { name: /Продолжить ответ/ })).toBeNull()
})

test('a refused regenerate shows the balance and the need (S10.216)', async () => {
  const parts = inputParts({ question: 100 })
  const answer = {
    id: 'a1',
    parentId: 'q1',
    role: 'assistant',
    modelId: 'm1',
    content: 'Да',
    parts,
    output: 40,
  } as const
  const { user, server } = await openThread({
    balance: { availableTokens: 50 },
    messages: [{ id: 'q1' }, { ...answer, status: 'complete' }],
  })
  server.on(answersApi.regenerate, rejection('out_of_symbols', REFUSED))
  await user.click(await screen.findByRole('button', { name: 'Ответить заново · ≈ 180' }))
  const shown = await screen.findByRole('region', { name: REFUSED })
  expect(textOf(shown)).toContain('Осталось 50, нужно 102 символа или больше.')
})
