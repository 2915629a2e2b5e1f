import { and, asc, eq, getTableColumns, gt, inArray, isNull, lt, not, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '#server/db/client.ts'
import {
  apiKeys,
  assistants,
  disputes,
  files,
  images,
  ledger,
  messages,
  minutes,
  projects,
  prompts,
  ratings,
  sessions,
  settings,
  threadSummaries,
  threads,
  transcriptions,
} from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { audit } from '../audit/audit.ts'
import { grantsOf, singleSubscription } from '../billing/balance.ts'
import { dayOf } from '../billing/days.ts'
import { storedConsentsOf } from '../legal/consents.ts'
import { ordersOf } from '../payments/orders.ts'
import { contentSoFar } from '../threads/message-rows.ts'
import { readEntries } from '../transactions/transactions.ts'
import { consentsOf, countsOf, giftRejectionOf, providersOf, readAccount, subscriptionsOf } from './user-card.ts'
import { reachableUserId } from './users.ts'

/** A field of the file: a value, or a list that is streamed. */
type Part = (db: Db, userId: string) => Promise<unknown> | AsyncIterable<object>

const PAGE = 500
const THREADS = 50
const ORDERS = 10_000

const { hash: _hash, userId: _userId, ...exportedKey } = getTableColumns(apiKeys)
const { personalAbout, personalStyle, maskedNames, ...otherSettings } = getTableColumns(settings)

const accountParts: Record<string, Part> = {
  account: readAccount,
  settings: async (db, userId) =>
    (await db.select(otherSettings).from(settings).where(eq(settings.userId, userId)))[0] ?? null,
  providers: providersOf,
  sessions: (db, userId) =>
    db
      .select({ createdAt: sessions.createdAt, ip: sessions.ipAddress, userAgent: sessions.userAgent })
      .from(sessions)
      .where(eq(sessions.userId, userId)),
  apiKeys: (db, userId) => db.select(exportedKey).from(apiKeys).where(eq(apiKeys.userId, userId)),
  balance: singleSubscription,
  giftRejection: giftRejectionOf,
  grants: grantsOf,
  orders: (db, userId) => ordersOf(db, userId, ORDERS),
  subscriptions: subscriptionsOf,
  consents: consentsOf,
  documentConsents: storedConsentsOf,
  disputes: (db, userId) => db.select().from(disputes).where(eq(disputes.userId, userId)),
  counts: countsOf,
  operations: operationsOf,
}

const { id, prompt, modelId, size, transparent, origin, parentId, area, exampleIds, createdAt } = images
const exportedImage = { id, prompt, modelId, size, transparent, origin, parentId, area, exampleIds, createdAt }

/** Texts are exported only to their owner, not to admins. */
const textParts: Record<string, Part> = {
  instructions: async (db, userId) => {
    const own = { about: personalAbout, style: personalStyle, maskedNames }
    return (await db.select(own).from(settings).where(eq(settings.userId, userId)))[0] ?? null
  },
  prompts: ownRows(prompts, ['title', 'description', 'content']),
  assistants: ownRows(assistants, ['name', 'description', 'instructions']),
  projects: ownRows(projects, [
    ...(['id', 'name', 'icon', 'instructions', 'replacesPersonal', 'searchWords', 'country', 'archived'] as const),
    'createdAt',
  ]),
  files: (db, userId) =>
    db
      .select({ name: files.name, type: files.mime, bytes: files.bytes, createdAt: files.createdAt })
      .from(files)
      .where(eq(files.userId, userId)),
  images: (db, userId) =>
    db
      .select(exportedImage)
      .from(images)
      .where(and(eq(images.userId, userId), isNull(images.deletedAt))),
  recordings: ownRows(transcriptions, ['id', 'title', 'text', 'speakers', 'createdAt']),
  minutes: ownRows(minutes, ['transcriptionId', 'kind', 'text', 'createdAt']),
  ratings: ownRows(ratings, ['messageId', 'verdict', 'reason', 'comment', 'createdAt']),
  threads: (db, userId) => threadsOf(db, userId),
}

function ownRows<Table extends PgTable & { userId: PgColumn }>(table: Table, names: (keyof Table & string)[]): Part {
  const columns = Object.fromEntries(names.map((name) => [name, table[name] as PgColumn]))
  return (db, userId) =>
    db
      .select(columns)
      .from(table as PgTable)
      .where(eq(table.userId, userId))
}

/** All stored data of a user as one JSON file, streamed while it is read. */
export async function exportUser(ctx: Ctx, id: string): Promise<Response> {
  const userId = await reachableUserId(ctx, id)
  const isOwn = userId === ctx.user.id
  if (!isOwn) await audit(ctx, { action: 'user.download', kind: 'user', target: userId })
  const parts = isOwn ? { ...accountParts, ...textParts } : accountParts
  const day = dayOf(new Date())
  return new Response(ReadableStream.from(json(ctx.db, userId, parts)).pipeThrough(new TextEncoderStream()), {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="symbol-data-${day}.json"`,
      'cache-control': 'no-store',
    },
  })
}

async function* json(db: Db, userId: string, parts: Record<string, Part>): AsyncGenerator<string> {
  yield `{\n"exportedAt": ${JSON.stringify(new Date())}`
  for (const [name, read] of Object.entries(parts)) {
    yield `,\n${JSON.stringify(name)}: `
    const part = read(db, userId)
    if (Symbol.asyncIterator in part) yield* list(part)
    else yield JSON.stringify(await part)
  }
  yield '\n}\n'
}

async function* list(items: AsyncIterable<object>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const item of items) {
    yield before
    yield* jsonOf(item)
    before = ',\n'
  }
  yield before === '[\n' ? '[]' : '\n]'
}

/** An object as JSON; its fields that are async lists are streamed. */
export async function* jsonOf(item: object): AsyncGenerator<string> {
  const streamed = Object.entries(item).filter(([, value]) => isList(value))
  if (streamed.length === 0) return yield JSON.stringify(item)
  yield `${JSON.stringify({ ...item, ...Object.fromEntries(streamed.map(([name]) => [name, undefined])) }).slice(0, -1)}`
  for (const [name, value] of streamed) {
    yield `,${JSON.stringify(name)}: `
    yield* list(value)
  }
  yield '}'
}

const isList = (value: unknown): value is AsyncIterable<object> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

async function* operationsOf(db: Db, userId: string): AsyncGenerator<object> {
  for (let before: number | null = null; ; ) {
    const own = and(eq(ledger.userId, userId), before === null ? undefined : lt(ledger.id, before))
    const page = await readEntries(db, own, PAGE)
    yield* page
    if (page.length < PAGE) return
    before = Number(page.at(-1)?.id)
  }
}

/** All threads of a user, or those of a project without the trash. */
export async function* threadsOf(db: Db, userId: string, projectId?: string): AsyncGenerator<object> {
  const inProject =
    projectId === undefined ? undefined : and(eq(threads.projectId, projectId), isNull(threads.deletedAt))
  for (let after = ''; ; ) {
    const page = await db
      .select({
        id: threads.id,
        title: threads.title,
        projectId: threads.projectId,
        currentLeafId: threads.currentLeafId,
        pinned: threads.pinned,
        archived: threads.archived,
        createdAt: threads.createdAt,
        updatedAt: threads.updatedAt,
        deletedAt: threads.deletedAt,
      })
      .from(threads)
      .where(and(eq(threads.userId, userId), inProject, not(threads.temporary), gt(threads.id, after)))
      .orderBy(asc(threads.id))
      .limit(THREADS)
    for (const thread of page)
      yield { ...thread, summaries: await summariesOf(db, thread.id), messages: messagesOf(db, thread.id) }
    if (page.length < THREADS) return
    after = page.at(-1)?.id ?? ''
  }
}

const pagesOfAnswer = sql<object[] | null>`(
  select jsonb_agg(to_jsonb(page) - 'message_id' order by page.n) from web_passages page where page.message_id = ${messages.id})`

/** Qualified by hand: files have an id too. */
const filesOfMessage = sql<object[] | null>`(
  select jsonb_agg(jsonb_build_object('id', file.id, 'name', file.name) order by link.position)
  from message_files link join files file on file.id = link.file_id where link.message_id = messages.id)`

const summariesOf = (db: Db, threadId: string) =>
  db
    .select({
      coversUntil: threadSummaries.coversUntil,
      text: threadSummaries.text,
      charged: threadSummaries.charged,
      createdAt: threadSummaries.createdAt,
    })
    .from(threadSummaries)
    .where(eq(threadSummaries.threadId, threadId))

/** Few per query, because each message can be large. */
const MESSAGES = 50

async function* messagesOf(db: Db, threadId: string): AsyncGenerator<object> {
  const order = [asc(messages.createdAt), asc(messages.id)]
  const all = await db
    .select({ id: messages.id })
    .from(messages)
    .where(eq(messages.threadId, threadId))
    .orderBy(...order)
  for (let from = 0; from < all.length; from += MESSAGES) {
    const ids = all.slice(from, from + MESSAGES).map(({ id }) => id)
    yield* await db
      .select({
        id: messages.id,
        parentId: messages.parentId,
        role: messages.role,
        content: contentSoFar,
        thought: messages.thought,
        modelId: messages.modelId,
        charged: messages.charged,
        web: messages.web,
        pages: pagesOfAnswer,
        files: filesOfMessage,
        imageId: messages.imageId,
        masked: messages.masked,
        createdAt: messages.createdAt,
      })
      .from(messages)
      .where(inArray(messages.id, ids))
      .orderBy(...order)
  }
}
