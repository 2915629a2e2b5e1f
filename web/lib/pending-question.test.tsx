import { afterEach, expect, test, vi } from 'vitest'
import { MAX_PENDING_QUESTION, QUESTION_COOKIE } from '#contract/pending-question.ts'
import { nextQuestion, questionForLink, typedQuestion, writeQuestion } from './pending-question.ts'
import { hasPendingQuestion, PENDING_QUESTION_KEY } from './pending-question-key.ts'

afterEach(() => localStorage.clear())

const aTyped = { id: 'message-1', threadId: 'thread-1', text: 'Почему небо синее?', at: 1 }

test('a question keeps its ids while it is typed', () => {
  writeQuestion('Поч')
  const begun = typedQuestion()
  writeQuestion('Почему небо синее?')
  expect(typedQuestion()).toMatchObject({ id: begun?.id, threadId: begun?.threadId, text: 'Почему небо синее?' })
})

test('a linked text is the same question while it is unchanged (S10.663)', () => {
  const linked = { ...aTyped, linkedId: aTyped.id }
  expect(nextQuestion(linked, linked.text)).toMatchObject({ id: 'message-1', threadId: 'thread-1' })
  const other = nextQuestion(linked, 'Почему трава зелёная?')
  expect(other.id).not.toBe('message-1')
  expect(other.threadId).not.toBe('thread-1')
  expect(other.linkedId).toBe('message-1')
  expect(nextQuestion(other, 'Почему трава зелёная летом?').id).toBe(other.id)
})

test('an erased question leaves nothing', () => {
  writeQuestion('Почему')
  writeQuestion(' ')
  expect(localStorage.length).toBe(0)
})

test('a question goes with a link unless it is too long (S10.666)', () => {
  expect(questionForLink()).toBeNull()
  writeQuestion('Почему небо синее?')
  const { id, threadId } = typedQuestion() ?? {}
  expect(questionForLink()).toEqual({ id, threadId, text: 'Почему небо синее?' })
  expect(typedQuestion()?.linkedId).toBe(id)
  writeQuestion('я'.repeat(MAX_PENDING_QUESTION + 1))
  expect(questionForLink()).toBeNull()
  expect(typedQuestion()?.text).toHaveLength(MAX_PENDING_QUESTION + 1)
})

test('an invalid stored value is not a question', () => {
  localStorage.setItem(PENDING_QUESTION_KEY, '{"text":7}')
  expect(typedQuestion()).toBeNull()
})

test('the cookie of a link with a question is seen', () => {
  const cookie = vi.spyOn(document, 'cookie', 'get').mockReturnValue('device=1')
  expect(hasPendingQuestion()).toBe(false)
  cookie.mockReturnValue(`device=1; __Host-${QUESTION_COOKIE}=hash`)
  expect(hasPendingQuestion()).toBe(true)
  cookie.mockRestore()
})
