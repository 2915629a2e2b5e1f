import type { AskedQuestion } from '#contract/asked-question.ts'
import { hasFields, readJson } from '#web/lib/stored.ts'

/** The question that was put into the field of a new chat after signing in, and waits there to be sent. */

const keyOf = (userId: string) => `draft:${userId}:asked`

export function askedDraft(userId: string): AskedQuestion | null {
  const stored = readJson(localStorage.getItem(keyOf(userId)))
  return hasFields<AskedQuestion>(stored, { id: 'string', threadId: 'string', text: 'string' }) ? stored : null
}

export function noteAskedDraft(userId: string, { id, threadId, text }: AskedQuestion): void {
  localStorage.setItem(keyOf(userId), JSON.stringify({ id, threadId, text, at: Date.now() }))
}

export const forgetAskedDraft = (userId: string) => localStorage.removeItem(keyOf(userId))

/** The ids of the question if it is sent as it was asked: its other device may send it too. */
export function askedIds(asked: AskedQuestion | null, text: string): Pick<AskedQuestion, 'id' | 'threadId'> | null {
  return asked && asked.text.trim() === text ? { id: asked.id, threadId: asked.threadId } : null
}
