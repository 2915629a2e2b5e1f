import { and, desc, eq } from 'drizzle-orm'
import { messages } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { type MessageRow, messageColumns, noSuchMessage } from '../threads/branch.ts'

/** One's own message in a thread. */
export async function ownMessage({ db, user }: Ctx, threadId: string, id: string): Promise<MessageRow> {
  const [row] = await db
    .select(messageColumns)
    .from(messages)
    .where(and(eq(messages.id, id), eq(messages.threadId, threadId), eq(messages.userId, user.id)))
  if (!row) throw noSuchMessage()
  return row
}

/** The newest answer to a question, if there is one. */
export async function newestAnswer({ db, user }: Ctx, questionId: string): Promise<MessageRow | null> {
  const [row] = await db
    .select(messageColumns)
    .from(messages)
    .where(and(eq(messages.parentId, questionId), eq(messages.role, 'assistant'), eq(messages.userId, user.id)))
    .orderBy(desc(messages.createdAt), desc(messages.id))
    .limit(1)
  return row ?? null
}
