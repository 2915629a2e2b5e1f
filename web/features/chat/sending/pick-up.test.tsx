import { act, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answersApi } from '#contract/answers.ts'
import { threadsApi } from '#contract/threads.ts'
import { FakeServer, rejection } from '#web/testing/fake-server.ts'
import { newUserId, render } from '#web/testing/render.tsx'
import { type OutboxItem, outbox } from '../state/outbox.ts'
import { aThread } from '../testing/a-message.ts'
import { sendAgreed } from './agreed.ts'
import { usePickUp, waitingLabel } from './pick-up.ts'

function Frame({ userId }: { userId: string }) {
  return waitingLabel(usePickUp(userId))
}

function aLeftover(userId: string, change: Partial<OutboxItem> = {}): OutboxItem {
  return {
    id: `message-of-${userId}`,
    userId,
    threadId: `thread-of-${userId}`,
    content: 'Вопрос',
    files: [],
    at: 1,
    ...change,
  }
}

/** Rejects every message, so that each arrives once. */
function openServer() {
  const server = new FakeServer()
    .on(threadsApi.get, aThread([]))
    .on(threadsApi.delete, rejection('conflict', 'Сначала уберите чат в корзину.'))
    .on(answersApi.send, rejection('bad_request', 'Не помещается в модель.'))
  return () => server.calls(answersApi.send).map(({ body }) => body.id)
}

test('the number of waiting messages is in correct Russian', () => {
  expect(waitingLabel(0)).toBeUndefined()
  expect(waitingLabel(1)).toBe('Ждёт отправки: 1 сообщение.')
  expect(waitingLabel(3)).toBe('Ждут отправки: 3 сообщения.')
})

test('messages left by a reload are sent, those of others are not', async () => {
  const [userId, other] = [newUserId(), newUserId()]
  const received = openServer()
  outbox().put(aLeftover(other))
  outbox().put(aLeftover(userId))
  render(<Frame userId={userId} />)
  await waitFor(() => expect(received()).toEqual([`message-of-${userId}`]))
  await waitFor(() => expect(outbox().get(`message-of-${userId}`)?.failure?.code).toBe('bad_request'))
  expect(outbox().get(`message-of-${other}`)?.failure).toBeUndefined()
})

test('a message rejected without a session is sent with the next session', async () => {
  const userId = newUserId()
  const received = openServer()
  outbox().put(aLeftover(userId, { failure: { code: 'unauthorized', message: '401: Войдите.' } }))
  render(<Frame userId={userId} />)
  await waitFor(() => expect(received()).toEqual([`message-of-${userId}`]))
})

test('a message that another window has stored is counted and sent', async () => {
  const userId = newUserId()
  const received = openServer()
  render(<Frame userId={userId} />)
  const key = `outbox:message-of-${userId}`
  localStorage.setItem(key, JSON.stringify(aLeftover(userId)))
  act(() => void dispatchEvent(new StorageEvent('storage', { key })))
  expect(document.body.textContent).toContain('Ждёт отправки: 1 сообщение.')
  await waitFor(() => expect(received()).toEqual([`message-of-${userId}`]))
})

test('a stored message is sent when the network is back', async () => {
  const userId = newUserId()
  const received = openServer()
  render(<Frame userId={userId} />)
  outbox().put(aLeftover(userId))
  expect(received()).toEqual([])
  act(() => void dispatchEvent(new Event('online')))
  await waitFor(() => expect(received()).toEqual([`message-of-${userId}`]))
})

test('agreeing sends what was refused without a consent, also after a reload (S10.1433)', async () => {
  const userId = newUserId()
  const received = openServer()
  outbox().put(aLeftover(userId, { failure: { code: 'consent_required', message: 'Отметьте согласие.' } }))
  const { client } = render(<Frame userId={userId} />)
  expect(received()).toEqual([])
  sendAgreed(client, userId)
  await waitFor(() => expect(received()).toEqual([`message-of-${userId}`]))
})
