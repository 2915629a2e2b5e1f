import { skipToken, useQuery } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ApiError } from '#contract/errors.ts'
import { type Rating, ratingsApi } from '#contract/ratings.ts'
import { createQueryClient } from '#web/app/query-client.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { type ThreadData, threadKey } from '../state/thread-data.ts'
import { aMessage, aThread } from '../testing/a-message.ts'
import { RateAnswer } from './rate-answer.tsx'

function open(rating: Rating | null = null, change = {}) {
  const client = createQueryClient()
  const answer = aMessage('a1', { role: 'assistant', modelId: 'm1', rating, ...change })
  client.setQueryData(threadKey('t1'), aThread([answer]))
  const server = new FakeServer()
    .on(ratingsApi.rate, ({ body }) => body as { rating: Rating })
    .on(ratingsApi.takeBack, { rating: null })
  return { server, ...render(<Shown />, { client }) }
}

function Shown() {
  const { data } = useQuery<ThreadData>({ queryKey: threadKey('t1'), queryFn: skipToken })
  const answer = data?.Messages[0]
  return answer ? <RateAnswer message={answer} /> : null
}

const pressed = (name: RegExp) => screen.getByRole('button', { name }).getAttribute('aria-pressed')

test('a press rates an answer as good, another removes the rating (S10.225)', async () => {
  const { server, user } = open()
  await user.click(screen.getByRole('button', { name: 'Хороший ответ' }))
  await waitFor(() => expect(pressed(/^Хороший ответ/)).toBe('true'))
  expect(server.calls(ratingsApi.rate).map(({ body }) => body)).toEqual([{ rating: { verdict: 'good' } }])
  await user.click(screen.getByRole('button', { name: 'Хороший ответ: убрать оценку' }))
  await waitFor(() => expect(pressed(/^Хороший ответ/)).toBe('false'))
  await waitFor(() => expect(server.calls(ratingsApi.takeBack)).toHaveLength(1))
})

test('a bad rating asks for the reason and names its readers (S10.225)', async () => {
  const { server, user } = open()
  await user.click(screen.getByRole('button', { name: 'Плохой ответ' }))
  const dialog = await screen.findByRole('dialog', { name: 'Что не так с ответом' })
  expect(within(dialog).getByText(/^Комментарий увидит владелец сервиса/)).toBeTruthy()
  const names = within(dialog)
    .getAllByRole('radio')
    .map((radio) => radio.closest('label')?.textContent)
  expect(names).toEqual(['Неверно', 'Не по теме', 'Слишком длинно', 'Отказ без причины', 'Другое'])
  expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Отправить' }).disabled).toBe(true)
  await user.click(within(dialog).getByRole('radio', { name: 'Неверно' }))
  await user.type(within(dialog).getByRole('textbox'), 'Не тот год ')
  await user.click(within(dialog).getByRole('button', { name: 'Отправить' }))
  await waitFor(() => expect(pressed(/^Плохой ответ/)).toBe('true'))
  expect(server.calls(ratingsApi.rate).at(-1)?.body).toEqual({
    rating: { verdict: 'bad', reason: 'wrong', comment: 'Не тот год' },
  })
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a bad rating can be changed or removed in place (S10.225)', async () => {
  const { server, user } = open({ verdict: 'bad', reason: 'too_long', comment: 'Вода' })
  await user.click(screen.getByRole('button', { name: /^Плохой ответ/ }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByRole<HTMLInputElement>('radio', { name: 'Слишком длинно' }).checked).toBe(true)
  await user.click(within(dialog).getByRole('button', { name: 'Убрать оценку' }))
  await waitFor(() => expect(server.calls(ratingsApi.takeBack)).toHaveLength(1))
  expect(pressed(/^Плохой ответ/)).toBe('false')
})

test('a rejected rating disappears and shows the reason', async () => {
  const { server, user } = open()
  server.on(
    ratingsApi.rate,
    new ApiError({ status: 404, code: 'not_found', message: 'В этой беседе нет такого сообщения' }),
  )
  await user.click(screen.getByRole('button', { name: 'Хороший ответ' }))
  expect(await screen.findByText(/нет такого сообщения/)).toBeTruthy()
  expect(pressed(/^Хороший ответ/)).toBe('false')
})

test('a failed answer cannot be rated', () => {
  open(null, { status: 'failed', content: '' })
  expect(screen.queryByRole('button')).toBeNull()
})
