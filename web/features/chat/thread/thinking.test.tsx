import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { answersApi } from '#contract/answers.ts'
import type { Message } from '#contract/threads.ts'
import { answerStream } from '#web/testing/fake-server.ts'
import { aBalance } from '#web/testing/samples.ts'
import { field } from '../testing/open-composer.tsx'
import { anExchange, openThread } from '../testing/open-thread.tsx'

const thinker = { thinks: true, thoughtRate: 0.5 }
const shown = () => screen.getByRole('log').textContent?.replace(/\s/g, ' ') ?? ''
const thoughtOf = (text: string, symbols = 0) => ({ text, symbols, ms: null })

/** Collects the header that says how much of the thought the page already has. */
function watchThoughtIds(): (string | null)[] {
  const ids: (string | null)[] = []
  const send = fetch
  vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => {
    const id = new Headers(init.headers).get('last-thought-id')
    if (id !== null) ids.push(id)
    return send(url, init)
  })
  return ids
}

test('a thinking model says so before the server responds (S10.370)', async () => {
  const { user, server, threadId, store } = await openThread({ model: thinker })
  const stream = answerStream()
  server.on(answersApi.send, () => stream.response)
  await user.type(field(), 'Вопрос{Enter}')
  await waitFor(() => expect(shown()).toContain('Думает…'))
  await waitFor(() => expect(server.calls(answersApi.send)).toHaveLength(1))
  const [sent] = server.calls(answersApi.send)
  const { user: question, assistant } = anExchange(threadId, { content: 'Вопрос', ...sent?.body })
  await act(() => stream.send({ type: 'start', user: question, assistant }))
  expect(await screen.findByText('Модель думает')).toBeTruthy()
  await act(() => stream.send({ type: 'thought', offset: 10, text: 'Первый шаг' }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Думает…' }).textContent).toContain('Первый шаг'))
  await act(() => stream.send({ type: 'delta', offset: 5, text: 'Ответ' }))
  expect(await screen.findByText('Ответ пишется')).toBeTruthy()
  await waitFor(() => expect(screen.getByRole('button', { name: /^Размышления/ })).toBeTruthy())
  const message: Message = { ...assistant, status: 'complete', content: 'Ответ', thought: thoughtOf('Первый шаг', 10) }
  for (const stored of [question, message]) store(stored)
  await act(() => stream.send({ type: 'done', message, charged: 1, SingleSubscription: aBalance() }))
  await act(stream.end)
  expect(await screen.findByText('Ответ готов')).toBeTruthy()
})

test('a reload during a thought continues the stored thought (S10.371)', async () => {
  const stream = answerStream()
  const question = { id: 'q1', content: 'Вопрос' }
  const running = {
    id: 'a1',
    parentId: 'q1',
    role: 'assistant',
    modelId: 'm1',
    status: 'streaming',
    content: '',
  } as const
  const messages = [question, { ...running, thought: thoughtOf('Первый') }]
  const opening = openThread({ model: thinker, messages, running: stream.response })
  const ids = watchThoughtIds()
  const { store, threadId } = await opening
  await waitFor(() => expect(ids).toEqual(['6']))
  await act(() => stream.send({ type: 'thought', offset: 15, text: ' и второй' }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Думает…' }).textContent).toContain('Первый и второй'))
  const { assistant } = anExchange(threadId, question)
  const message = { ...assistant, id: 'a1', status: 'stopped', thought: thoughtOf('Первый и второй', 15) } as const
  store(message)
  await act(() => stream.send({ type: 'done', message, charged: 1, SingleSubscription: aBalance() }))
  await act(stream.end)
  await waitFor(() => expect(shown()).toContain('Ответ остановлен в размышлениях.'))
})

const limited = {
  id: 'a1',
  parentId: 'q1',
  role: 'assistant',
  modelId: 'm1',
  status: 'failed',
  content: '',
  charged: 3100,
  input: 100,
  thought: thoughtOf('Так и не закончил', 6000),
  error: { code: 'thought_limit', message: 'Размышления заняли весь предел, и ответ не начался.' },
} as const

test.each([
  ['Ответить без размышлений', 'none'],
  ['Дать больше', 'most'],
] as const)('«%s» asks again after a thought that took the limit (S10.378)', async (name, thinking) => {
  const { user, server } = await openThread({
    model: thinker,
    balance: { availableTokens: 1_000_000 },
    messages: [{ id: 'q1' }, limited],
  })
  server.on(answersApi.regenerate, () => answerStream().response)
  expect(shown()).toContain('Размышления заняли весь предел')
  await user.click(await screen.findByRole('button', { name: new RegExp(`^${name} · ≈ `) }))
  await waitFor(() => expect(server.calls(answersApi.regenerate)[0]?.body).toEqual({ thinking }))
})

test('a model without depths offers only another try', async () => {
  await openThread({ model: { thoughtRate: 0.5 }, messages: [{ id: 'q1' }, limited] })
  expect(await screen.findByRole('button', { name: /^Повторить/ })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Дать больше/ })).toBeNull()
})

test('an answer stopped in thought keeps it and can skip thinking (S10.378)', async () => {
  const stopped = { ...limited, status: 'stopped', error: null } as const
  const { user, server } = await openThread({ model: thinker, messages: [{ id: 'q1' }, stopped] })
  server.on(answersApi.regenerate, () => answerStream().response)
  expect(shown()).toContain('Ответ остановлен в размышлениях.')
  expect(screen.getByRole('button', { name: 'Размышления' })).toBeTruthy()
  await user.click(await screen.findByRole('button', { name: /^Ответить без размышлений/ }))
  await waitFor(() => expect(server.calls(answersApi.regenerate)[0]?.body).toEqual({ thinking: 'none' }))
})

test('another answer takes the depth of the chat or the menu (S10.375)', async () => {
  const answer = { id: 'a1', parentId: 'q1', role: 'assistant', modelId: 'm1' } as const
  const { user, server } = await openThread({ model: thinker, messages: [{ id: 'q1' }, answer] })
  const bodies = () => server.calls(answersApi.regenerate).map(({ body }) => body)
  server.on(answersApi.regenerate, () => new Response('', { status: 500 }))
  await user.click(await screen.findByRole('button', { name: /^Сколько думать: Обычно/ }))
  await user.click(await screen.findByRole('menuitemradio', { name: /^Подуматьобычно/ }))
  const last = within(screen.getAllByRole('article').at(-1) as HTMLElement)
  await user.click(last.getByRole('button', { name: /^Ответить заново($| ·)/ }))
  await waitFor(() => expect(bodies()).toEqual([{ thinking: 'more' }]))
  const again = await screen.findAllByRole('button', { name: 'Ответить заново другой моделью' })
  await user.click(again.at(-1) as HTMLElement)
  await user.click(await screen.findByRole('menuitem', { name: /^Без размышлений/ }))
  await waitFor(() => expect(bodies().at(-1)).toEqual({ thinking: 'none' }))
})
