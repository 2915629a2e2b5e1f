import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pendingQuestionApi } from '#contract/pending-question.ts'
import { threadsApi } from '#contract/threads.ts'
import { askedHere, noteAskedHere, PENDING_QUESTION_KEY } from '#web/lib/pending-question-key.ts'
import { FakeServer, rejection } from '#web/testing/fake-server.ts'
import { newUserId } from '#web/testing/render.tsx'
import { draftKey, drafts } from '../state/drafts.ts'
import { outbox } from '../state/outbox.ts'
import { aThread } from '../testing/a-message.ts'
import { questionDraft, questionIds } from './question-draft.ts'
import { isSentAtOnce, isTypedHere, sendPendingQuestion } from './send-pending-question.ts'

const question = { id: 'message-1', threadId: 'thread-1', text: 'Почему небо синее?' }
const type = (change = {}) =>
  localStorage.setItem(PENDING_QUESTION_KEY, JSON.stringify({ ...question, at: Date.now(), ...change }))
const draftOf = (userId: string) => drafts().read(draftKey(userId, null)).text
const HOUR = 3_600_000
const client = new QueryClient()
/** A server that does not answer the request for a new thread: the message stays in the outbox. */
const silentServer = () => new FakeServer().on(threadsApi.create, () => new Promise<Response>(() => {}))

beforeEach(() => history.replaceState(null, '', '/'))
afterEach(() => {
  for (const { id } of outbox().all()) outbox().remove(id)
  localStorage.clear()
  sessionStorage.clear()
  vi.restoreAllMocks()
})

test('a question is sent automatically only within an hour of typing', () => {
  expect(isSentAtOnce({ at: 0 }, HOUR - 1)).toBe(true)
  expect(isSentAtOnce({ at: 0 }, HOUR)).toBe(false)
  expect(isSentAtOnce({ at: 2 * HOUR }, HOUR)).toBe(false)
})

test('a question is recognised by its id or its linked id', () => {
  const typed = { ...question, at: 0 }
  expect(isTypedHere(typed, question)).toBe(true)
  expect(isTypedHere({ ...typed, id: 'message-2', linkedId: 'message-1' }, question)).toBe(true)
  expect(isTypedHere({ ...typed, id: 'message-2' }, question)).toBe(false)
  expect(isTypedHere(null, question)).toBe(false)
})

test('a question of this browser is sent once, and its chat opens (S10.661)', async () => {
  const userId = newUserId()
  const server = silentServer()
  type()
  await sendPendingQuestion(client, userId)
  await sendPendingQuestion(client, userId)
  expect(outbox().all()).toMatchObject([
    { id: 'message-1', threadId: 'thread-1', userId, content: question.text, newThread: { modelId: null } },
  ])
  expect(location.pathname).toBe('/threads/thread-1')
  await vi.dynamicImportSettled()
  await vi.waitFor(() => expect(server.calls(threadsApi.create)).toHaveLength(1), 5000)
  expect(localStorage.getItem(PENDING_QUESTION_KEY)).toBeNull()
})

test('the requested page stays open while the question is sent (S10.661)', async () => {
  history.replaceState(null, '', '/profile')
  silentServer()
  type()
  await sendPendingQuestion(client, newUserId())
  expect(outbox().all()).toHaveLength(1)
  expect(location.pathname).toBe('/profile')
})

test('a question of another browser goes into the field, unsent (S10.663)', async () => {
  const userId = newUserId()
  const server = new FakeServer()
    .on(pendingQuestionApi.read, question)
    .on(pendingQuestionApi.forget, { success: true })
    .on(threadsApi.get, rejection('not_found', 'У вас нет беседы с таким ID'))
  vi.spyOn(document, 'cookie', 'get').mockReturnValue('question=hash')
  await sendPendingQuestion(client, userId)
  expect(outbox().all()).toEqual([])
  expect(draftOf(userId)).toBe(question.text)
  expect(questionDraft(userId)).toMatchObject(question)
  expect(server.calls(pendingQuestionApi.forget)).toHaveLength(1)
})

test('a link in the same browser brings the question only once (S10.663)', async () => {
  const userId = newUserId()
  const server = silentServer().on(pendingQuestionApi.read, question).on(pendingQuestionApi.forget, { success: true })
  vi.spyOn(document, 'cookie', 'get').mockReturnValue('question=hash')
  type()
  await sendPendingQuestion(client, userId)
  expect(outbox().all()).toHaveLength(1)
  expect(draftOf(userId)).toBe('')
  expect(server.calls(pendingQuestionApi.forget)).toHaveLength(1)
})

test('the tab that stayed behind opens the chat another tab sent (S10.1438)', async () => {
  const userId = newUserId()
  new FakeServer().on(threadsApi.get, { ...aThread([]), id: 'thread-9' })
  noteAskedHere('thread-9')
  await sendPendingQuestion(new QueryClient(), userId)
  expect(location.pathname).toBe('/threads/thread-9')
  expect(askedHere()).toBeNull()
})

test('a question that no tab could send leaves the tab at home (S10.1438)', async () => {
  new FakeServer().on(threadsApi.get, rejection('not_found', 'У вас нет беседы с таким ID'))
  noteAskedHere('thread-8')
  await sendPendingQuestion(new QueryClient(), newUserId())
  expect(location.pathname).toBe('/')
})

test('a linked question that was sent already opens its chat (S10.1438)', async () => {
  const userId = newUserId()
  const server = new FakeServer()
    .on(pendingQuestionApi.read, question)
    .on(pendingQuestionApi.forget, { success: true })
    .on(threadsApi.get, { ...aThread([]), id: question.threadId })
  vi.spyOn(document, 'cookie', 'get').mockReturnValue('question=hash')
  await sendPendingQuestion(new QueryClient(), userId)
  expect([draftOf(userId), location.pathname]).toEqual(['', `/threads/${question.threadId}`])
  expect(server.calls(pendingQuestionApi.forget)).toHaveLength(1)
})

test('an old text is shown before it is sent (S10.662)', async () => {
  const userId = newUserId()
  type({ at: Date.now() - 2 * HOUR })
  await sendPendingQuestion(client, userId)
  expect(outbox().all()).toEqual([])
  expect(draftOf(userId)).toBe(question.text)
  expect(localStorage.getItem(PENDING_QUESTION_KEY)).toBeNull()
})

test('only the unchanged question keeps its ids (S10.663)', () => {
  expect(questionIds(question, question.text)).toEqual({ id: 'message-1', threadId: 'thread-1' })
  expect(questionIds(question, 'Почему трава зелёная?')).toBeNull()
  expect(questionIds(null, question.text)).toBeNull()
})
