import { sql } from 'drizzle-orm'
import { ThreadFilter } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { searchThreads } from '#server/features/search/search.ts'
import { listThreads, readThread } from '#server/features/threads/threads.ts'
import type { Ctx } from '#server/http/context.ts'
import { median } from './numbers.ts'

const OWN_CHATS = 200
const TIMES = 40

/** Chats that the person has before the import. */
export async function addOwnChats(db: Db, userId: string) {
  await db.execute(sql`insert into threads (id, user_id, title, current_leaf_id, updated_at)
    select 'own-thread-' || i, ${userId}, 'Свой чат ' || i, 'own-' || i || '-10', now() - i * interval '1 hour'
    from generate_series(1, ${OWN_CHATS}) i`)
  await db.execute(sql`insert into messages (id, thread_id, user_id, parent_id, role, content, status, search, created_at)
    select 'own-' || i || '-' || n, 'own-thread-' || i, ${userId}, case when n > 1 then 'own-' || i || '-' || (n - 1) end,
      case when n % 2 = 1 then 'user' else 'assistant' end, text, 'complete', to_tsvector('russian', text), now() - i * interval '1 hour' + n * interval '1 minute'
    from generate_series(1, ${OWN_CHATS}) i, generate_series(1, 10) n,
      lateral (select repeat('Обычный текст про договор и поставку номер ' || i || '. ', 8)
        || case when i = 77 then 'квитанция' else '' end as text) t`)
  await db.execute(sql`analyze`)
}

/** Milliseconds. Each search finds as much before the import as after it, so that only the way to it is compared. */
export async function readingTimes(db: Db, userId: string): Promise<Record<string, number>> {
  const ctx = { db, user: { id: userId }, publish: () => {} } as unknown as Ctx
  const filter = (more: object = {}) => ThreadFilter.parse({ limit: 30, ...more })
  const search = (query: string) => () => searchThreads(ctx, filter({ query }))
  const actions: Record<string, () => Promise<unknown>> = {
    'список чатов': () => listThreads(ctx, filter()),
    'поиск частого слова': search('договор'),
    'поиск редкого слова': search('квитанция'),
    'поиск трёх слов, последнее редкое': search('обычный договор квитанция'),
    'поиск двух слов, последнее частое': search('квитанция договор'),
    'поиск слова, которого никто не писал': search('бегемот'),
    'открытие чата': () => readThread(ctx, 'own-thread-5'),
  }
  const times: Record<string, number> = {}
  for (const [what, action] of Object.entries(actions)) times[what] = await timed(action)
  return times
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  await action()
  for (let i = 0; i < TIMES; i += 1) {
    const started = performance.now()
    await action()
    times.push(performance.now() - started)
  }
  return median(times)
}
