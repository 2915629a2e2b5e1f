import type { PendingQuestion } from '#contract/pending-question.ts'
import { readJson } from '#web/lib/stored.ts'

/** The question that was put into the field of a new chat after signing in, and waits there to be sent. */

const keyOf = (userId: string) => `draft:${userId}:question`

/** Anything else under this key has no text, so it is never taken for a question. */
export const questionDraft = (userId: string) =>
  readJson(localStorage.getItem(keyOf(userId))) as Partial<PendingQuestion> | null

export function noteQuestionDraft(userId: string, { id, threadId, text }: PendingQuestion): void {
  localStorage.setItem(keyOf(userId), JSON.stringify({ id, threadId, text, at: Date.now() }))
}

export const forgetQuestionDraft = (userId: string) => localStorage.removeItem(keyOf(userId))

/** The ids of an unchanged question: its other device may send it too. */
export function questionIds(question: Partial<PendingQuestion> | null, text: string) {
  if (!question?.id || !question.threadId || question.text?.trim() !== text) return null
  return { id: question.id, threadId: question.threadId }
}
