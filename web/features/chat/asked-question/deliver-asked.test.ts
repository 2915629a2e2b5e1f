// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { askedQuestionApi } from '#contract/asked-question.ts'
import { ASKED_KEY } from '#web/lib/asked-key.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { newUserId } from '#web/testing/render.tsx'
import { draftKey, drafts } from '../state/drafts.ts'
import { outbox } from '../state/outbox.ts'
import { askedDraft, askedIds } from './asked-draft.ts'
import { deliverAsked, isSentAtOnce, isTypedHere } from './deliver-asked.ts'

const asked = { id: 'message-1', threadId: 'thread-1', text: 'Почему небо синее?' }
const type = (change = {}) => localStorage.setItem(ASKED_KEY, JSON.stringify({ ...asked, at: Date.now(), ...change }))
const draftOf = (userId: string) => drafts().read(draftKey(userId, null)).text
const HOUR = 3_600_000

beforeEach(() => history.replaceState(null, '', '/'))
afterEach(() => {
  for (const { id } of outbox().all()) outbox().remove(id)
  localStorage.clear()
  vi.restoreAllMocks()
})

test('a question is sent by itself within an hour of typing, never after it', () => {
  expect(isSentAtOnce({ at: 0 }, HOUR - 1)).toBe(true)
  expect(isSentAtOnce({ at: 0 }, HOUR)).toBe(false)
  expect(isSentAtOnce({ at: 2 * HOUR }, HOUR)).toBe(false)
})

test('a question is recognised by its id, also by the one it had when the link was asked for', () => {
  const typed = { ...asked, at: 0 }
  expect(isTypedHere(typed, asked)).toBe(true)
  expect(isTypedHere({ ...typed, id: 'message-2', linkedId: 'message-1' }, asked)).toBe(true)
  expect(isTypedHere({ ...typed, id: 'message-2' }, asked)).toBe(false)
  expect(isTypedHere(null, asked)).toBe(false)
})

test('what was typed in this browser is sent once, with its own ids, and its chat opens (S10.661)', async () => {
  const userId = newUserId()
  type()
  await deliverAsked(userId)
  await deliverAsked(userId)
  expect(outbox().all()).toMatchObject([
    { id: 'message-1', threadId: 'thread-1', userId, content: asked.text, newThread: { modelId: null } },
  ])
  expect(location.pathname).toBe('/threads/thread-1')
  expect(localStorage.getItem(ASKED_KEY)).toBeNull()
})

test('the page that was asked for stays open while the question is sent (S10.661)', async () => {
  history.replaceState(null, '', '/profile')
  type()
  await deliverAsked(newUserId())
  expect(outbox().all()).toHaveLength(1)
  expect(location.pathname).toBe('/profile')
})

test('a question from another browser is put into the field, not sent, and forgotten by the server (S10.663)', async () => {
  const userId = newUserId()
  const server = new FakeServer().on(askedQuestionApi.read, asked).on(askedQuestionApi.forget, { success: true })
  vi.spyOn(document, 'cookie', 'get').mockReturnValue('asked=hash')
  await deliverAsked(userId)
  expect(outbox().all()).toEqual([])
  expect(draftOf(userId)).toBe(asked.text)
  expect(askedDraft(userId)).toMatchObject(asked)
  expect(server.calls(askedQuestionApi.forget)).toHaveLength(1)
})

test('a link opened where its question was typed brings the question only once (S10.663)', async () => {
  const userId = newUserId()
  const server = new FakeServer().on(askedQuestionApi.read, asked).on(askedQuestionApi.forget, { success: true })
  vi.spyOn(document, 'cookie', 'get').mockReturnValue('asked=hash')
  type()
  await deliverAsked(userId)
  expect(outbox().all()).toHaveLength(1)
  expect(draftOf(userId)).toBe('')
  expect(server.calls(askedQuestionApi.forget)).toHaveLength(1)
})

test('a text that has lain in the browser for hours is shown before it is sent (S10.664)', async () => {
  const userId = newUserId()
  type({ at: Date.now() - 2 * HOUR })
  await deliverAsked(userId)
  expect(outbox().all()).toEqual([])
  expect(draftOf(userId)).toBe(asked.text)
  expect(localStorage.getItem(ASKED_KEY)).toBeNull()
})

test('only the unchanged question keeps the ids that its other device may use (S10.663)', () => {
  expect(askedIds(asked, asked.text)).toEqual({ id: 'message-1', threadId: 'thread-1' })
  expect(askedIds(asked, 'Почему трава зелёная?')).toBeNull()
  expect(askedIds(null, asked.text)).toBeNull()
})
