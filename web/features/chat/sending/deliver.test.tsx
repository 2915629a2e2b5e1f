import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type AnswerEvent, writeAnswerEvent } from '#contract/answers.ts'
import type { Message } from '#contract/threads.ts'
import { setRequirementDialog } from '#web/lib/call-requirements.ts'
import { aBalance } from '#web/testing/samples.ts'
import { thinkingChoice } from '../composer/thinking-choice.ts'
import { OutgoingState } from '../messages/outbox-rows.tsx'
import { draftKey, drafts } from '../state/drafts.ts'
import { type OutboxItem, outbox } from '../state/outbox.ts'
import { getRun } from '../state/runs.ts'
import { threadKey } from '../state/thread-data.ts'
import { aBranch, aMessage, aThread } from '../testing/a-message.ts'
import { cancelMessage, editMessage, preloadDelivery, retryMessage, sendLeftovers, sendMessage } from './send.ts'

interface SentMessage {
  id: string
  content: string
  parentId?: string | null
  thinking?: string
}

/** A server that responds by the script of the test. */
const server = {
  sent: [] as SentMessage[],
  created: [] as string[],
  deleted: [] as string[],
  /** Responses to the next messages; later ones are answered. */
  script: [] as (() => Response | Promise<Response>)[],
  /** Responses to the next requests for a thread; later ones create it. */
  createScript: [] as (() => Promise<Response>)[],
}
let client: QueryClient

function answer({ id, content, parentId = null }: SentMessage): Response {
  const user = aMessage(id, { content, parentId })
  const assistant = aMessage(`a-${id}`, { parentId: id, role: 'assistant', status: 'streaming', content: '' })
  const message: Message = { ...assistant, status: 'complete', content: 'Ответ' }
  const events: AnswerEvent[] = [
    { type: 'start', user, assistant },
    { type: 'delta', offset: 5, text: 'Ответ' },
    { type: 'done', message, charged: 1, SingleSubscription: aBalance() },
  ]
  return new Response(events.map(writeAnswerEvent).join(''))
}

const rejection = (status: number, code: string, message: string) => () =>
  Response.json({ status, code, message }, { status })
const noNetwork = () => Promise.reject(new TypeError('Failed to fetch'))

async function serve(url: string, init: RequestInit = {}): Promise<Response> {
  const body = JSON.parse(String(init.body ?? 'null'))
  if (init.method === 'POST' && url === '/api/threads') {
    const failed = server.createScript.shift()
    if (failed) return failed()
    server.created.push(body.id)
    return Response.json({ ...aThread([]), id: body.id, Model: { id: body.Model?.connect.id, name: 'Модель' } })
  }
  if (init.method === 'DELETE') {
    server.deleted.push(url)
    return Response.json(aThread([]))
  }
  if (init.method === 'POST') {
    const met = server.script.shift()
    if (met) return met()
    server.sent.push(body)
    return answer(body)
  }
  return Response.json(client.getQueryData(threadKey('t1')) ?? aThread([]))
}

const send = (change: Partial<OutboxItem> = {}) =>
  sendMessage(client, { userId: 'anna', threadId: 't1', content: 'Вопрос', files: [], ...change })
/** Repeats the `online` event until the page has reacted. */
const online = (expected: () => void) =>
  vi.waitFor(() => {
    dispatchEvent(new Event('online'))
    expected()
  })
const waiting = () => outbox().all().length
function stateOf(message: OutboxItem | undefined): string | null {
  const container = document.createElement('div')
  const root = createRoot(container)
  const shown = message && createElement(OutgoingState, { item: message })
  flushSync(() => root.render(createElement(QueryClientProvider, { client }, shown)))
  const text = container.textContent
  root.unmount()
  return text
}

beforeAll(async () => {
  preloadDelivery()
  await vi.dynamicImportSettled()
})
beforeEach(() => {
  for (const { id } of outbox().all()) outbox().remove(id)
  localStorage.clear()
  Object.assign(server, { sent: [], created: [], deleted: [], script: [], createScript: [] })
  vi.stubGlobal('fetch', vi.fn(serve))
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  client.setQueryData(threadKey('t1'), aThread(aBranch('q1', 'a1')))
})
afterEach(() => vi.unstubAllGlobals())

test('a message is sent, answered and removed from the outbox', async () => {
  send()
  await vi.waitFor(() => expect(waiting()).toBe(0))
  await vi.waitFor(() => expect(client.getQueryData(threadKey('t1'))?.Messages.at(-1)?.content).toBe('Ответ'))
})

test('a new thread is created before its first message', async () => {
  send({ threadId: 't-new', newThread: { modelId: 'm1', assistantId: null } })
  await vi.waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.created).toEqual(['t-new'])
})

test('messages of a thread are sent in their order', async () => {
  for (const content of ['Раз', 'Два', 'Три']) send({ content })
  await vi.waitFor(() => expect(waiting()).toBe(0), 3000)
  expect(server.sent.map(({ content }) => content)).toEqual(['Раз', 'Два', 'Три'])
})

test('an offline message is sent with the same id after reconnecting', async () => {
  server.script = [noNetwork, noNetwork]
  send()
  const id = outbox().all()[0]?.id
  await vi.waitFor(() => expect(server.script).toHaveLength(1))
  expect(waiting()).toBe(1)
  await online(() => expect(server.script).toHaveLength(0))
  expect(waiting()).toBe(1)
  await online(() => expect(waiting()).toBe(0))
  expect(server.sent.map((sent) => sent.id)).toEqual([id])
})

test('a message leaves before the page renders or a lock is granted (S10.493)', () => {
  send()
  expect(server.sent.map(({ content }) => content)).toEqual(['Вопрос'])
})

describe('with windows that share locks', () => {
  /** Grants a lock when the test says so. */
  let grant: () => void
  beforeEach(() => {
    const granted = new Promise<void>((done) => {
      grant = done
    })
    const request = async (_name: string, work: () => Promise<void>) => granted.then(work)
    vi.stubGlobal('navigator', { ...navigator, onLine: true, locks: { request } })
  })

  test('a message that another window has written waits for the lock (S10.493)', async () => {
    outbox().put({ id: 'm-other', at: 1, userId: 'anna', threadId: 't1', content: 'Из другого окна', files: [] })
    sendLeftovers(client, 'anna')
    await new Promise((done) => setTimeout(done, 20))
    expect(server.sent).toEqual([])
    grant()
    await vi.waitFor(() => expect(waiting()).toBe(0))
    expect(server.sent.map(({ content }) => content)).toEqual(['Из другого окна'])
  })

  test('a message refused because of another window is sent again (S10.493)', async () => {
    server.script = [rejection(409, 'conflict', 'Дождитесь ответа')]
    send()
    expect(server.script).toEqual([])
    await new Promise((done) => setTimeout(done, 20))
    expect([server.sent, outbox().all()[0]?.failure]).toEqual([[], undefined])
    grant()
    await vi.waitFor(() => expect(waiting()).toBe(0))
    expect(server.sent).toHaveLength(1)
  })
})

test('a message waits for a server that is shutting down', async () => {
  const stopping = () =>
    Response.json(
      { status: 503, code: 'unavailable', message: 'Сервер перезапускается.' },
      { status: 503, headers: { 'retry-after': '0' } },
    )
  let shown: string | null = null
  server.script = [
    stopping,
    () => {
      shown = stateOf(outbox().all()[0])
      return stopping()
    },
  ]
  send()
  const id = outbox().all()[0]?.id
  await vi.waitFor(() => expect(waiting()).toBe(0), 5000)
  expect(shown).toContain('Отправляется…')
  expect(server.sent.map((sent) => sent.id)).toEqual([id])
})

test('the text returns to the field when symbols are missing', async () => {
  server.script = [rejection(402, 'out_of_symbols', 'Закончились символы в подписке')]
  send({ content: 'Дорогой вопрос' })
  await vi.waitFor(() => expect(drafts().read(draftKey('anna', 't1')).text).toBe('Дорогой вопрос'))
  expect(waiting()).toBe(0)
})

test('an unpaid first message leaves no chat and returns to the field (S10.158)', async () => {
  history.replaceState(null, '', '/threads/t-new')
  server.script = [rejection(402, 'out_of_symbols', 'Закончились символы в подписке')]
  send({ threadId: 't-new', content: 'Дорогой', newThread: { modelId: 'm1', assistantId: null } })
  await vi.waitFor(() => expect(drafts().read(draftKey('anna', null)).text).toBe('Дорогой'))
  expect(server.deleted).toEqual(['/api/threads/t-new?forever=1'])
  expect(location.pathname).toBe('/')
  expect(waiting()).toBe(0)
})

test('a rejected first message leaves no chat until it is repeated (S10.158)', async () => {
  const newThread = { modelId: 'm1', assistantId: null }
  server.script = [rejection(400, 'bad_request', 'Не помещается в модель')]
  send({ threadId: 't-new', newThread })
  await vi.waitFor(() => expect(outbox().all()[0]?.failure?.message).toBe('400: Не помещается в модель'))
  expect(outbox().all()[0]?.newThread).toEqual(newThread)
  expect(server.deleted).toEqual(['/api/threads/t-new?forever=1'])
  retryMessage(client, outbox().all()[0] as OutboxItem)
  await vi.waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.created).toEqual(['t-new', 't-new'])
})

test('a rejected message does not delete a chat with other messages (S10.158)', async () => {
  client.setQueryData(threadKey('t1'), aThread(aBranch('q1', 'a1')))
  server.script = [rejection(400, 'bad_request', 'Не помещается в модель')]
  send()
  await vi.waitFor(() => expect(outbox().all()[0]?.failure).toBeDefined())
  expect(server.deleted).toEqual([])
})

test('a rejected message stays with its reason, and later messages wait', async () => {
  server.script = [rejection(400, 'bad_request', 'Не помещается в модель')]
  send({ content: 'Первое' })
  send({ content: 'Второе' })
  await vi.waitFor(() => expect(outbox().all()[0]?.failure?.message).toBe('400: Не помещается в модель'))
  expect(server.sent).toEqual([])
  expect(waiting()).toBe(2)
})

test('a message that is picked up twice is sent once', async () => {
  send()
  sendLeftovers(client, 'anna')
  await vi.waitFor(() => expect(waiting()).toBe(0))
  sendLeftovers(client, 'anna')
  expect(server.sent).toHaveLength(1)
})

test('a message written when the previous answer has just ended is sent', async () => {
  send({ content: 'Первое' })
  await vi.waitFor(() => expect(getRun('t1')).toBeUndefined())
  send({ content: 'Второе' })
  await vi.waitFor(() => expect(server.sent).toHaveLength(2))
})

test('a first message cancelled before its thread exists is not sent', async () => {
  server.createScript = [noNetwork]
  send({ threadId: 't-cancelled', newThread: { modelId: 'm1', assistantId: null } })
  await vi.waitFor(() => expect(server.createScript).toEqual([]))
  cancelMessage(client, outbox().all()[0] as OutboxItem)
  dispatchEvent(new Event('online'))
  await new Promise((done) => setTimeout(done, 20))
  expect([server.created, server.sent]).toEqual([[], []])
})

test.each([502, 503, 504])('a first message says why its chat is not created: %s (S10.1403)', async (status) => {
  const newThread = { modelId: 'm1', assistantId: null }
  const proxy = () => Promise.resolve(new Response('', { status }))
  server.createScript = [proxy]
  send({ threadId: 't-first', newThread })
  const shown = () => stateOf(outbox().all()[0])
  await vi.waitFor(() =>
    expect(shown()).toBe(`Пробуем отправить ещё раз. ${status}: Unknown errorИзменитьНе отправлять`),
  )
  expect(server.sent).toEqual([])
  await online(() => expect(waiting()).toBe(0))
  expect([server.created, server.sent.length]).toEqual([['t-first'], 1])
})

test('words of a chat that was not created return to the field (S10.1403)', async () => {
  history.replaceState(null, '', '/threads/t-words')
  server.createScript = [() => Promise.resolve(new Response('', { status: 502 }))]
  send({ userId: 'vera', threadId: 't-words', content: 'Мои слова', newThread: { modelId: 'm1', assistantId: null } })
  await vi.waitFor(() => expect(getRun('t-words')?.problem).toBe('502: Unknown error'))
  editMessage(client, outbox().all()[0] as OutboxItem)
  await vi.waitFor(() => expect(getRun('t-words')).toBeUndefined())
  expect(drafts().read(draftKey('vera', null)).text).toBe('Мои слова')
  expect([location.pathname, waiting(), server.created, server.sent]).toEqual(['/', 0, [], []])
})

test('a first message cancelled during creation leaves no chat', async () => {
  const created = Response.json({ ...aThread([]), id: 't-late' })
  let create = () => {}
  server.createScript = [() => new Promise((done) => (create = () => done(created)))]
  send({ threadId: 't-late', newThread: { modelId: 'm1', assistantId: null } })
  await vi.waitFor(() => expect(server.createScript).toEqual([]))
  cancelMessage(client, outbox().all()[0] as OutboxItem)
  create()
  await vi.waitFor(() => expect(server.deleted).toEqual(['/api/threads/t-late?forever=1']))
  expect(server.sent).toEqual([])
})

test('a message without consents waits until they are given (S10.208)', async () => {
  const unagreed = rejection(403, 'consent_required', 'Отметьте согласие с документами продавца')
  server.script = [unagreed]
  let agree: (agreed: boolean) => void = () => undefined
  setRequirementDialog('consent_required', () => new Promise((done) => (agree = done)))
  send({ content: 'Важное' })
  await vi.waitFor(() => expect(server.script).toHaveLength(0))
  expect(outbox().all()[0]?.content).toBe('Важное')
  await vi.waitFor(() => {
    agree(true)
    expect(server.sent.map(({ content }) => content)).toEqual(['Важное'])
  })
  server.script = [unagreed]
  setRequirementDialog('consent_required', async () => false)
  send({ content: 'Второе' })
  await vi.waitFor(() => expect(outbox().all()[0]?.failure?.message).toContain('Отметьте согласие'))
  expect(outbox().all()[0]?.content).toBe('Второе')
  setRequirementDialog('consent_required', null)
})

test('the depth of thinking stays with its message (S10.375)', async () => {
  server.script = [noNetwork]
  send({ thinking: 'most' })
  await online(() => expect(server.sent).toMatchObject([{ thinking: 'most' }]))
  await vi.waitFor(() => expect(waiting()).toBe(0))
  server.script = [rejection(402, 'out_of_symbols', 'Закончились символы в подписке')]
  send({ thinking: 'more' })
  await vi.waitFor(() => expect(thinkingChoice('anna', 't1')).toBe('more'))
  expect(waiting()).toBe(0)
})
