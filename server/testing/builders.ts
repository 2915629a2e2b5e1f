import { eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { type AnswerRun, messages, threads } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'

type ThreadRow = typeof threads.$inferSelect
type MessageRow = typeof messages.$inferSelect
type MessageValues = Partial<typeof messages.$inferInsert>
type ThreadOwner = Pick<ThreadRow, 'id' | 'userId'>

export async function aThread(
  db: Db,
  userId: string,
  values: Partial<typeof threads.$inferInsert> = {},
): Promise<ThreadRow> {
  const [thread] = await db
    .insert(threads)
    .values({ id: newId(), userId, title: 'Новый чат', ...values })
    .returning()
  if (!thread) throw new Error('No thread was made')
  return thread
}

export async function aMessage(db: Db, thread: ThreadOwner, values: MessageValues = {}): Promise<MessageRow> {
  const [message] = await db.insert(messages).values(messageValues(thread, values)).returning()
  if (!message) throw new Error('No message was made')
  return message
}

function messageValues(thread: ThreadOwner, values: MessageValues): typeof messages.$inferInsert {
  return {
    id: newId(),
    threadId: thread.id,
    userId: thread.userId,
    role: 'user',
    content: 'Привет',
    status: 'complete',
    // An answer in progress whose process has died, unless a test names its instance.
    ...(values.status === 'streaming' && { run: aRun(), instance: 'a-dead-instance' }),
    ...values,
  }
}

export function aRun(): AnswerRun {
  return { hold: `answer:${newId()}`, offset: 0, input: 0, inputRate: 1, outputRate: 1 }
}

/**
 * Alternating questions and answers, a second apart; the thread shows the last one. Returns their ids, oldest first.
 */
export async function aBranch(
  db: Db,
  thread: ThreadOwner,
  length: number,
  parentId: string | null = null,
): Promise<string[]> {
  const start = new Date(Date.now() - length * 1000)
  const ids = Array.from({ length }, (_, index) => newId(start.getTime() + index * 1000))
  await db.execute(sql`
    insert into messages (id, thread_id, user_id, parent_id, role, content, status, created_at)
    select id, ${thread.id}, ${thread.userId}, coalesce(lag(id) over (order by no), ${parentId}::text),
      case no % 2 when 1 then 'user' else 'assistant' end,
      case no % 2 when 1 then 'Вопрос ' else 'Ответ ' end || no,
      'complete', ${start.toISOString()}::timestamptz + (no - 1) * interval '1 second'
    from unnest(${sql.param(ids)}::text[]) with ordinality as made (id, no)`)
  await db
    .update(threads)
    .set({ currentLeafId: ids.at(-1) ?? parentId })
    .where(eq(threads.id, thread.id))
  return ids
}
