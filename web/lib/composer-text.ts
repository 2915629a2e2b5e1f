import { draftKey, drafts } from './drafts.ts'

/** Puts a text into the composer of a chat, under what is already written there. No thread: the chat not begun yet. */
export function offerText(userId: string, threadId: string | null, text: string): void {
  drafts().append(draftKey(userId, threadId), { text, files: [] })
  drafts().flush()
}
