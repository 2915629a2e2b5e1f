import { inArray } from 'drizzle-orm'
import type { Message, Thread } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { models } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { branchUp } from '../threads/branch.ts'
import { shapeMessages } from '../threads/message-shape.ts'
import { findThread, openThread } from '../threads/thread-shape.ts'

const PAGE = 500
/** Twenty years of diligence; of more than that the end is kept. */
const MAX_EXPORTED = 20_000

/** What a file is made of: the whole branch that is shown, and who speaks in it. */
export interface Exported {
  owner: string
  thread: Thread
  messages: Message[]
  speakerOf: (message: Message) => string
}

export async function readExported({ db, user }: Ctx, id: string): Promise<Exported> {
  const thread = await findThread(db, openThread(user.id, id))
  const messages = await wholeBranch(db, user.id, thread.currentLeafId)
  const names = await modelNames(db, messages)
  return {
    owner: user.name,
    thread,
    messages,
    speakerOf: ({ role, modelId }) => (role === 'user' ? 'Вы' : (names.get(modelId ?? '') ?? 'Ответ')),
  }
}

async function wholeBranch(db: Db, userId: string, leafId: string | null): Promise<Message[]> {
  const pages: Message[][] = []
  let next = leafId
  while (next !== null && pages.length < MAX_EXPORTED / PAGE) {
    const rows = await branchUp(db, userId, next, PAGE)
    pages.unshift(await shapeMessages(db, rows))
    next = rows[0]?.parentId ?? null
  }
  return pages.flat()
}

async function modelNames(db: Db, messages: Message[]): Promise<Map<string, string>> {
  const ids = [...new Set(messages.flatMap(({ modelId }) => modelId ?? []))]
  if (ids.length === 0) return new Map()
  const rows = await db.select({ id: models.id, name: models.name }).from(models).where(inArray(models.id, ids))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The text of a message, or why there is none. */
export function saidIn({ content, error }: Message): string {
  return content.trim() === '' ? (error?.message ?? '') : content
}

export function filesLine({ files }: Message): string | null {
  return files.length === 0 ? null : `Файлы: ${files.map(({ name }) => name).join(', ')}`
}

/** What the numbers in an answer stand for. */
export function sourcesLine({ sources }: Message): string | null {
  if (sources.length === 0) return null
  return `Источники: ${sources.map(({ n, fileName, place }) => `[${n}] ${place ? `${fileName}, ${place}` : fileName}`).join('; ')}`
}

const longDate = new Intl.DateTimeFormat('ru', { dateStyle: 'long', timeZone: 'Europe/Moscow' })

export const dateLine = ({ createdAt }: Thread) => `Беседа от ${longDate.format(new Date(createdAt))}`
