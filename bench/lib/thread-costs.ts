import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { messages, threads } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { writeSpec } from './answer-spec.ts'
import { now } from './clock.ts'
import { median } from './numbers.ts'
import { addPeople, MODEL, type Person } from './people.ts'
import type { Row } from './table.ts'

const SHORT_THREAD = 10
const LONG_THREAD = 10_000
const FEW_THREADS = 50
const MANY_THREADS = 50_000
const TRIES = 40
/** Enough messages to fill the history window of the short thread. */
const WARM_UP = 12
/** Up to this ratio two times count as equal, because the machine has other load too. */
const MAX_RATIO = 1.25

export interface ThreadCosts {
  short: ThreadOwner
  long: ThreadOwner
}

interface ThreadOwner {
  person: Person
  threadId: string
}

export async function addLongAndShort(db: Db, origin: string): Promise<ThreadCosts> {
  const [few, many] = await addPeople(db, 2, origin)
  if (!few || !many) throw new Error('No user to measure')
  await addThreads(db, few.id, FEW_THREADS)
  await addThreads(db, many.id, MANY_THREADS)
  const short = { person: few, threadId: await addThread(db, few.id, SHORT_THREAD) }
  const long = { person: many, threadId: await addThread(db, many.id, LONG_THREAD) }
  await db.execute(sql`analyze`)
  return { short, long }
}

async function addThreads(db: Db, userId: string, count: number): Promise<void> {
  await db.execute(sql`
    insert into ${threads} (id, user_id, title, model_id, updated_at)
    select ${newId()} || '-' || i, ${userId}, 'Беседа ' || i, ${MODEL}, now() - i * interval '1 minute'
    from generate_series(1, ${count}::int) i`)
}

/** A thread in which every message answers the one before. */
export async function addThread(
  db: Db,
  userId: string,
  count: number,
  content = { user: 'Расскажите об этом подробнее', assistant: 'Вот что об этом известно. '.repeat(12) },
): Promise<string> {
  const id = newId()
  await db
    .insert(threads)
    .values({ id, userId, title: `Беседа из ${count} сообщений`, titleSource: 'user', modelId: MODEL })
  await db.execute(sql`
    insert into ${messages} (id, thread_id, user_id, parent_id, role, content, status, model_id, created_at)
    select ${id} || '-' || i, ${id}, ${userId}, case when i > 1 then ${id} || '-' || (i - 1) end,
      case when i % 2 = 1 then 'user' else 'assistant' end,
      case when i % 2 = 1 then ${content.user}::text else ${content.assistant}::text end,
      'complete', case when i % 2 = 0 then ${MODEL} end, now() - (${count}::int - i) * interval '1 second'
    from generate_series(1, ${count}::int) i`)
  await db.execute(sql`update ${threads} set current_leaf_id = ${`${id}-${count}`} where id = ${id}`)
  return id
}

export async function longAgainstShort(port: number, { short, long }: ThreadCosts): Promise<Row[]> {
  const send = ({ person, threadId }: ThreadOwner) =>
    timeRequest(port, person, `/api/threads/${threadId}/message`, 'POST')
  const list = ({ person }: ThreadOwner) => timeRequest(port, person, '/api/threads', 'GET')
  const open = ({ person, threadId }: ThreadOwner) => timeRequest(port, person, `/api/threads/${threadId}`, 'GET')
  const row = async (what: string, action: (owner: ThreadOwner) => Promise<number>): Promise<Row> => {
    for (let i = 0; i < WARM_UP; i++) for (const owner of [short, long]) await action(owner)
    const times = { short: [] as number[], long: [] as number[] }
    for (let i = 0; i < TRIES; i++) {
      times.short.push(await action(short))
      times.long.push(await action(long))
    }
    return { what, ours: median(times.long), floor: median(times.short), goal: { timesFloor: MAX_RATIO } }
  }
  return [
    await row(`написать в беседу: ${LONG_THREAD} сообщений против ${SHORT_THREAD}, мс`, send),
    await row(`открыть её, мс`, open),
    await row(`список бесед: ${MANY_THREADS} против ${FEW_THREADS}, мс`, list),
  ]
}

async function timeRequest(port: number, { headers }: Person, path: string, method: 'GET' | 'POST'): Promise<number> {
  const content = writeSpec({ kind: 'stream', chunks: 1, gapMs: 0, nonce: 'cost' })
  const body = method === 'POST' ? { body: JSON.stringify({ content }) } : {}
  const startedAt = now()
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      ...headers,
      'content-type': 'application/json',
      ...(method === 'POST' ? { accept: 'text/event-stream' } : {}),
    },
    ...body,
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 200)}`)
  return now() - startedAt
}
