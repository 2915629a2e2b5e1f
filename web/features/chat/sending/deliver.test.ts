// @vitest-environment jsdom
import { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AnswerEvent } from '#contract/answers.ts'
import { writeAnswerEvent } from '#contract/events.ts'
import type { Message } from '#contract/threads.ts'
import { setRequirementDialog } from '#web/lib/call-requirements.ts'
import { aBalance } from '#web/testing/samples.ts'
import { thinkingChoice } from '../composer/thinking-choice.ts'
import { OutgoingState } from '../messages/outbox-rows.tsx'
import { draftKey, drafts } from '../state/drafts.ts'
import { type OutboxItem, outbox } from '../state/outbox.ts'
import { threadKey } from '../state/thread-data.ts'
import { aBranch, aMessage, aThread } from '../testing/a-message.ts'
import { startDelivery } from './deliver.ts'
import { retryMessage, sendMessage } from './outgoing.ts'

interface Sent {
  id: string
  content: string
  parentId?: string | null
  thinking?: string
}

/** A server that responds by the script of the test. */
const server = {
  /** Bodies of received messages, in order. */
  sent: [] as Sent[],
  created: [] as string[],
  /** Addresses of deleted threads. */
  deleted: [] as string[],
  /** Responses to the next messages; later ones are answered. */
  script: [] as (() => Response | Promise<Response>)[],
}
let client: QueryClient
let stop: () => void = () => undefined

function answer({ id, content, parentId = null }: Sent): Response {
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

const item = (change: Partial<OutboxItem> = {}) => ({
  userId: 'anna',
  threadId: 't1',
  content: 'Вопрос',
  files: [],
  ...change,
})
/** Repeats the `online` event until the page has reacted. */
const online = (expected: () => void) =>
  vi.waitFor(() => {
    dispatchEvent(new Event('online'))
    expected()
  })
const waiting = () => outbox().all().length
/** The state shown under the message. */
function stateOf(message: OutboxItem | undefined): string | null {
  const place = document.createElement('div')
  const root = createRoot(place)
  if (message) flushSync(() => root.render(createElement(OutgoingState, { item: message })))
  const text = place.textContent
  root.unmount()
  return text
}

beforeEach(() => {
  for (const { id } of outbox().all()) outbox().remove(id)
  localStorage.clear()
  Object.assign(server, { sent: [], created: [], deleted: [], script: [] })
  vi.stubGlobal('fetch', vi.fn(serve))
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  client.setQueryData(threadKey('t1'), aThread(aBranch('q1', 'a1')))
  stop = startDelivery(client, 'anna')
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
})

test('a message is sent, answered in the thread and removed from the outbox', async () => {
  sendMessage(item())
  await vi.waitFor(() => expect(waiting()).toBe(0))
  await vi.waitFor(() => expect(client.getQueryData(threadKey('t1'))?.Messages.at(-1)?.content).toBe('Ответ'))
})

test('a new thread is created before its first message', async () => {
  sendMessage(item({ threadId: 't-new', newThread: { modelId: 'm1', assistantId: null } }))
  await vi.waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.created).toEqual(['t-new'])
})

test('messages of a thread are sent one after another, in their order', async () => {
  for (const content of ['Раз', 'Два', 'Три']) sendMessage(item({ content }))
  await vi.waitFor(() => expect(waiting()).toBe(0), 3000)
  expect(server.sent.map(({ content }) => content)).toEqual(['Раз', 'Два', 'Три'])
})

test('without a network a message stays, and is sent with the same id when the network is back', async () => {
  server.script = [noNetwork, noNetwork]
  sendMessage(item())
  const id = outbox().all()[0]?.id
  await vi.waitFor(() => expect(server.script).toHaveLength(1))
  expect(waiting()).toBe(1)
  await online(() => expect(server.script).toHaveLength(0))
  expect(waiting()).toBe(1)
  await online(() => expect(waiting()).toBe(0))
  expect(server.sent.map((sent) => sent.id)).toEqual([id])
})

test('a message leaves with the key that sends it, before the page is rendered or a lock is granted (S10.493)', () => {
  sendMessage(item())
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
    const other: OutboxItem = { ...item({ content: 'Из другого окна' }), id: 'm-other', at: 1 }
    localStorage.setItem('outbox:m-other', JSON.stringify(other))
    outbox().receive({ key: 'outbox:m-other' })
    await new Promise((done) => setTimeout(done, 20))
    expect(server.sent).toEqual([])
    grant()
    await vi.waitFor(() => expect(waiting()).toBe(0))
    expect(server.sent.map(({ content }) => content)).toEqual(['Из другого окна'])
  })

  test('refused because another window was quicker, a message is sent once more under the lock (S10.493)', async () => {
    server.script = [rejection(409, 'conflict', 'Дождитесь ответа')]
    sendMessage(item())
    expect(server.script).toEqual([])
    await new Promise((done) => setTimeout(done, 20))
    expect([server.sent, outbox().all()[0]?.failure]).toEqual([[], undefined])
    grant()
    await vi.waitFor(() => expect(waiting()).toBe(0))
    expect(server.sent).toHaveLength(1)
  })
})

test('a server that is shutting down is asked again, and the message is shown as being sent', {
  tags: 'slow',
}, async () => {
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
  sendMessage(item())
  const id = outbox().all()[0]?.id
  await vi.waitFor(() => expect(waiting()).toBe(0), 5000)
  expect(shown).toContain('Отправляется…')
  expect(server.sent.map((sent) => sent.id)).toEqual([id])
})

test('without symbols the text returns to the field', async () => {
  server.script = [rejection(402, 'out_of_symbols', 'Закончились символы в подписке')]
  sendMessage(item({ content: 'Дорогой вопрос' }))
  await vi.waitFor(() => expect(drafts().read(draftKey('anna', 't1')).text).toBe('Дорогой вопрос'))
  expect(waiting()).toBe(0)
})

test('a first message that the balance does not pay for leaves no chat: its text is in the field of a new one (S10.158)', async () => {
  history.replaceState(null, '', '/threads/t-new')
  server.script = [rejection(402, 'out_of_symbols', 'Закончились символы в подписке')]
  sendMessage(item({ threadId: 't-new', content: 'Дорогой', newThread: { modelId: 'm1', assistantId: null } }))
  await vi.waitFor(() => expect(drafts().read(draftKey('anna', null)).text).toBe('Дорогой'))
  expect(server.deleted).toEqual(['/api/threads/t-new?forever=1'])
  expect(location.pathname).toBe('/')
  expect(waiting()).toBe(0)
})

test('a first message that is rejected leaves no chat and begins it again when it is repeated (S10.158)', async () => {
  const newThread = { modelId: 'm1', assistantId: null }
  server.script = [rejection(400, 'bad_request', 'Не помещается в модель')]
  sendMessage(item({ threadId: 't-new', newThread }))
  await vi.waitFor(() => expect(outbox().all()[0]?.failure?.message).toBe('400: Не помещается в модель'))
  expect(outbox().all()[0]?.newThread).toEqual(newThread)
  expect(server.deleted).toEqual(['/api/threads/t-new?forever=1'])
  retryMessage(outbox().all()[0] as OutboxItem)
  await vi.waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.created).toEqual(['t-new', 't-new'])
})

test('a chat that has messages is not deleted with a rejected one (S10.158)', async () => {
  client.setQueryData(threadKey('t1'), aThread(aBranch('q1', 'a1')))
  server.script = [rejection(400, 'bad_request', 'Не помещается в модель')]
  sendMessage(item())
  await vi.waitFor(() => expect(outbox().all()[0]?.failure).toBeDefined())
  expect(server.deleted).toEqual([])
})

test('a rejected message stays with its reason, and later messages wait', async () => {
  server.script = [rejection(400, 'bad_request', 'Не помещается в модель')]
  sendMessage(item({ content: 'Первое' }))
  sendMessage(item({ content: 'Второе' }))
  await vi.waitFor(() => expect(outbox().all()[0]?.failure?.message).toBe('400: Не помещается в модель'))
  expect(server.sent).toEqual([])
  expect(waiting()).toBe(2)
})

test('a message of another user in this browser is not sent', async () => {
  sendMessage(item({ userId: 'boris' }))
  sendMessage(item({ threadId: 't2', content: 'Моё' }))
  await vi.waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.sent[0]?.content).toBe('Моё')
  expect(waiting()).toBe(1)
})

test('without consents the message waits in the outbox, and is sent once they are given (S10.208)', async () => {
  const unagreed = rejection(403, 'consent_required', 'Отметьте согласие с документами продавца')
  server.script = [unagreed]
  let agree: (agreed: boolean) => void = () => undefined
  setRequirementDialog('consent_required', () => new Promise((done) => (agree = done)))
  sendMessage(item({ content: 'Важное' }))
  await vi.waitFor(() => expect(server.script).toHaveLength(0))
  expect(outbox().all()[0]?.content).toBe('Важное')
  await vi.waitFor(() => {
    agree(true)
    expect(server.sent.map(({ content }) => content)).toEqual(['Важное'])
  })
  server.script = [unagreed]
  setRequirementDialog('consent_required', async () => false)
  sendMessage(item({ content: 'Второе' }))
  await vi.waitFor(() => expect(outbox().all()[0]?.failure?.message).toContain('Отметьте согласие'))
  expect(outbox().all()[0]?.content).toBe('Второе')
  setRequirementDialog('consent_required', null)
})

test('how much to think waits with the message, is sent again with it, and returns to the field with it (S10.375)', async () => {
  server.script = [noNetwork]
  sendMessage(item({ thinking: 'most' }))
  await online(() => expect(server.sent).toMatchObject([{ thinking: 'most' }]))
  await vi.waitFor(() => expect(waiting()).toBe(0))
  server.script = [rejection(402, 'out_of_symbols', 'Закончились символы в подписке')]
  sendMessage(item({ thinking: 'more' }))
  await vi.waitFor(() => expect(thinkingChoice('anna', 't1')).toBe('more'))
  expect(waiting()).toBe(0)
})
