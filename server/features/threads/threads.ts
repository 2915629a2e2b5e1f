import { and, asc, desc, eq, exists, inArray, isNotNull, isNull, lt, not, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import * as z from 'zod/mini'
import { plainTitle } from '#contract/markdown/without-marks.ts'
import {
  BRANCH_PAGE,
  NEW_THREAD_TITLE,
  TEMPORARY_HOURS,
  TEMPORARY_TITLE,
  type Thread,
  type ThreadChange,
  type ThreadDraft,
  type ThreadFilter,
  type ThreadRow,
  type ThreadWithMessages,
  TRASH_DAYS,
} from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { messages, models, threads } from '#server/db/schema.ts'
import { FOREIGN_KEY_VIOLATION, longRunning, pgErrorCode } from '#server/db/transactions.ts'
import type { Ctx } from '#server/http/context.ts'
import { Page } from '#server/http/route.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { readCursor, writeCursor } from '#server/lib/cursor.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { assistantModel, assistantNotFound, threadAssistant } from '../assistants/assistants.ts'
import {
  type AllowedModels,
  assertInCountry,
  commonCountry,
  isInCountry,
  type ProviderCountries,
  usualModelIn,
} from '../models/countries.ts'
import { projectLibrary, projectModel, projectNotFound, threadProject } from '../projects/projects.ts'
import { summariesOnBranch, toSummary } from '../summaries/stored.ts'
import { addFirstWords } from './first-words.ts'
import { checkThreadLimit } from './limits.ts'
import { branchUp, newestLeaf, noSuchMessage, toMessages } from './message-rows.ts'
import { findThread, noSuchThread, openThread, ownThread, publishThread, selectThreads, toThread } from './to-thread.ts'

export async function createThread(
  ctx: Ctx,
  providerCountries: ProviderCountries,
  most: number,
  draft: ThreadDraft,
): Promise<Page<ThreadWithMessages>> {
  const { db, user } = ctx
  if (draft.User && draft.User.connect.id !== user.id) {
    throw new AppError('forbidden', 'Чат можно начать только от своего имени.')
  }
  const { assistantId = null, projectId = null, temporary = false } = draft
  const usual = temporary ? TEMPORARY_TITLE : NEW_THREAD_TITLE
  const title = plainTitle(draft.title ?? usual)
  const titleSource = title === usual ? ('default' as const) : ('user' as const)
  const assistant = assistantId === null ? null : await ownedAssistant(db, user.id, assistantId)
  const project = projectId === null ? null : await projectModel(db, user.id, projectId)
  const allowed = { providerCountries, country: commonCountry(assistant, project) }
  const modelId = draft.Model
    ? await visibleModelId(db, draft.Model.connect.id, allowed)
    : ((await firstInCountry(db, [assistant?.modelId, project?.modelId], allowed)) ??
      (await usualModelIn(db, user.id, allowed)))
  const id = draft.id ?? newId()
  await checkThreadLimit(db, user.id, id, most)
  const [made] = await db
    .insert(threads)
    .values({ id, userId: user.id, title, titleSource, assistantId, projectId, modelId, temporary })
    .onConflictDoNothing()
    .returning({ version: threads.version })
    .catch((error: unknown) => {
      // The project was deleted a moment ago.
      throw projectId !== null && pgErrorCode(error) === FOREIGN_KEY_VIOLATION ? projectNotFound() : error
    })
  if (made) publishThread(ctx.publish, { userId: user.id, id, version: made.version })
  else await checkRepeat(ctx, id)
  return readThread(ctx, id)
}

/** A repeated create returns the existing thread, unless it belongs to another user or is in the trash. */
async function checkRepeat({ db, user }: Ctx, id: string): Promise<void> {
  const [known] = await db.select({ deletedAt: threads.deletedAt }).from(threads).where(ownThread(user.id, id))
  if (!known) throw new AppError('conflict', 'Чат с таким ID уже есть. Начните с другим.', { field: 'id' })
  if (known.deletedAt) throw new AppError('conflict', 'Этот чат в корзине. Восстановите его.', { field: 'id' })
}

async function ownedAssistant(db: Db, userId: string, id: string) {
  const assistant = await assistantModel(db, userId, id)
  if (!assistant) throw assistantNotFound()
  return assistant
}

/** The first of the default models that may answer here; an assistant's model may be of another country than its project. */
async function firstInCountry(
  db: Db,
  ids: (string | null | undefined)[],
  { providerCountries, country }: AllowedModels,
): Promise<string | undefined> {
  for (const id of ids) {
    if (!id) continue
    const [model] = await db.select({ provider: models.provider }).from(models).where(eq(models.id, id))
    if (model && isInCountry(providerCountries, country, model)) return id
  }
  return undefined
}

async function visibleModelId(db: Db, id: string, { providerCountries, country }: AllowedModels): Promise<string> {
  const columns = { id: models.id, provider: models.provider }
  const [model] = await db.select(columns).from(models).where(visibleChatModel(id))
  if (!model) throw notFound('Такой модели нет')
  assertInCountry(providerCountries, country, model)
  return model.id
}

/** Text models answer in a thread, image models draw in it. */
const visibleChatModel = (id: string) =>
  and(eq(models.id, id), not(models.hidden), inArray(models.kind, ['text', 'image']))

/** A thread with the end of its current branch; a cursor is the id of the last message of the page. */
export async function readThread({ db, user }: Ctx, id: string, cursor?: string): Promise<Page<ThreadWithMessages>> {
  const thread = await findThread(db, openThread(user.id, id))
  const end = cursor ?? thread.currentLeafId
  const rows = end === null ? [] : await branchUp(db, user.id, end, BRANCH_PAGE)
  if (cursor !== undefined && rows.at(-1)?.threadId !== id) {
    throw new AppError('bad_request', 'Такой страницы списка нет. Откройте его с начала.', { field: 'cursor' })
  }
  const Assistant = thread.assistantId === null ? null : await threadAssistant(db, user.id, thread.assistantId)
  const Project = thread.projectId === null ? null : await threadProject(db, user.id, thread.projectId)
  const placed = await summariesOnBranch(db, { userId: user.id, threadId: id, leafId: thread.currentLeafId })
  const Summaries = placed.map(({ row }) => toSummary(row))
  const whole = { ...thread, Assistant, Project, Messages: await toMessages(db, rows), Summaries }
  return new Page(whole, rows[0]?.parentId ?? null)
}

export async function updateThread(
  ctx: Ctx,
  providerCountries: ProviderCountries,
  id: string,
  { version, ...change }: ThreadChange,
): Promise<Thread> {
  const { db, user } = ctx
  const reachable = change.deleted === false ? ownThread(user.id, id) : openThread(user.id, id)
  return db.transaction(async (tx) => {
    // Locked, so that a deleted project gets no more chats; before the thread, as a deletion does it.
    if (change.projectId) await projectLibrary.lock(tx, user.id, change.projectId)
    const { version: known, assistantId, projectId } = threads
    const [now] = await tx
      .select({ version: known, assistantId, projectId })
      .from(threads)
      .where(reachable)
      .for('no key update')
    if (!now) throw noSuchThread()
    if (version !== undefined && version !== now.version) {
      throw new AppError('conflict', 'Чат изменился в другом окне. Обновите его и повторите.')
    }
    if (Object.keys(change).length > 0) {
      await tx
        .update(threads)
        .set({
          ...(await changedColumns({ ...ctx, db: tx }, providerCountries, { id, ...now }, change)),
          version: now.version + 1,
        })
        .where(ownThread(user.id, id))
      publishThread(ctx.publish, { userId: user.id, id, version: now.version + 1 })
    }
    return findThread(tx, ownThread(user.id, id))
  })
}

/** Undefined fields stay as they are. `updatedAt` is not set: lists are sorted by the last message. */
async function changedColumns(
  ctx: Ctx,
  providerCountries: ProviderCountries,
  now: { id: string; assistantId: string | null; projectId: string | null },
  change: Omit<ThreadChange, 'version'>,
) {
  const { assistantId, projectId, pinned, archived, temporary, deleted } = change
  const { Model, currentLeafId } = change
  if (assistantId) await ownedAssistant(ctx.db, ctx.user.id, assistantId)
  const country = Model ? await countryOf(ctx, { ...now, ...change }) : null
  const allowed = { providerCountries, country }
  return {
    title: change.title === undefined ? savedTitle(change) : plainTitle(change.title),
    titleSource: change.title === undefined ? undefined : ('user' as const),
    assistantId,
    projectId,
    pinned,
    archived,
    temporary,
    deletedAt: deleted === undefined ? undefined : null,
    modelId: Model && (await visibleModelId(ctx.db, Model.connect.id, allowed)),
    movedFrom: Model || change.movedFrom === null ? null : undefined,
    currentLeafId: currentLeafId && (await leafBelow(ctx, now.id, currentLeafId)),
  }
}

async function countryOf(
  { db, user }: Ctx,
  { assistantId, projectId }: Pick<ThreadChange, 'assistantId' | 'projectId'>,
) {
  const assistant = assistantId ? await assistantModel(db, user.id, assistantId) : null
  return commonCountry(assistant, projectId ? await projectModel(db, user.id, projectId) : null)
}

/** A temporary thread that is saved gets the title of a new thread, unless its owner has named it. */
const savedTitle = ({ temporary }: Pick<ThreadChange, 'temporary'>) =>
  temporary === false
    ? sql<string>`case when ${threads.titleSource} = 'default' and ${threads.temporary} then ${NEW_THREAD_TITLE} else ${threads.title} end`
    : undefined

async function leafBelow({ db, user }: Ctx, threadId: string, messageId: string): Promise<string> {
  const [message] = await db
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.id, messageId), eq(messages.threadId, threadId), eq(messages.userId, user.id)))
  if (!message) throw noSuchMessage()
  return newestLeaf(db, user.id, message.id)
}

export async function deleteThread(ctx: Ctx, id: string, forever: boolean): Promise<Thread> {
  if (forever) return deleteForever(ctx, id)
  const thread = await findThread(ctx.db, openThread(ctx.user.id, id))
  return thread.temporary ? endTemporary(ctx, id) : moveToTrash(ctx, id)
}

/** Deletes the thread at once; while an answer is being written it is only hidden, and the cleanup deletes it. */
async function endTemporary(ctx: Ctx, id: string): Promise<Thread> {
  const thread = await moveToTrash(ctx, id)
  await ctx.db
    .delete(threads)
    .where(and(ownThread(ctx.user.id, id), sql`${threads.temporary}`, not(hasRunningAnswer(ctx.db))))
  return thread
}

async function moveToTrash({ db, user, publish }: Ctx, id: string): Promise<Thread> {
  return db.transaction(async (tx) => {
    const [trashed] = await tx
      .update(threads)
      .set({ deletedAt: new Date(), version: sql`${threads.version} + 1` })
      .where(openThread(user.id, id))
      .returning({ version: threads.version })
    if (!trashed) throw noSuchThread()
    publishThread(publish, { userId: user.id, id, version: trashed.version }, 'removed')
    return findThread(tx, ownThread(user.id, id))
  })
}

/** From the trash only, unless there is nothing to bring back: a refused first message leaves an empty thread. */
async function deleteForever({ db, user, publish }: Ctx, id: string): Promise<Thread> {
  return db.transaction(async (tx) => {
    const thread = await findThread(tx, ownThread(user.id, id))
    if (thread.deletedAt === null && thread.currentLeafId !== null)
      throw new AppError('conflict', 'Сначала уберите чат в корзину.')
    const [gone] = await tx
      .delete(threads)
      .where(and(ownThread(user.id, id), deletable, not(hasRunningAnswer(tx))))
      .returning({ version: threads.version })
    if (!gone) throw new AppError('conflict', 'В чате ещё пишется ответ. Повторите, когда он закончится.')
    publishThread(publish, { userId: user.id, id, version: gone.version }, 'removed')
    return thread
  })
}

const deletable = or(isNotNull(threads.deletedAt), isNull(threads.currentLeafId))

/** A running answer is charged by its stored text, so its thread must not be deleted before it ends. */
export const hasRunningAnswer = (db: Db) =>
  exists(
    db
      .select({ one: sql`1` })
      .from(messages)
      .where(and(eq(messages.threadId, threads.id), eq(messages.status, 'streaming'))),
  )

export const threadJobs = (db: Db): Job[] => [
  { name: 'purge-trash', cron: '41 3 * * *', run: () => purgeTrash(longRunning(db)), limitSeconds: 3600 },
  { name: 'purge-temporary', cron: '17 * * * *', run: () => purgeTemporary(longRunning(db)), limitSeconds: 1800 },
]

const BATCH = 50
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

export function purgeTrash(db: Db, now = new Date()): Promise<number> {
  return purge(db, lt(threads.deletedAt, new Date(now.getTime() - TRASH_DAYS * DAY_MS)), threads.deletedAt)
}

/** Runs every hour, so a thread that would be too old before the next run is deleted now. Returns how many. */
export function purgeTemporary(db: Db, now = new Date()): Promise<number> {
  const old = lt(threads.updatedAt, new Date(now.getTime() - (TEMPORARY_HOURS - 1) * HOUR_MS))
  return purge(db, and(sql`${threads.temporary}`, or(old, isNotNull(threads.deletedAt))), threads.updatedAt)
}

async function purge(db: Db, old: SQL | undefined, oldest: PgColumn): Promise<number> {
  const due = and(old, not(hasRunningAnswer(db)))
  let purged = 0
  for (;;) {
    const next = db.select({ id: threads.id }).from(threads).where(due).orderBy(asc(oldest)).limit(BATCH)
    // `due` is repeated in the delete, because a thread may be restored after the subquery has read it.
    const gone = await db
      .delete(threads)
      .where(and(inArray(threads.id, next), due))
      .returning({ id: threads.id })
    purged += gone.length
    if (gone.length < BATCH) return purged
  }
}

type View = ThreadFilter['view']

export async function listThreads({ db, user }: Ctx, filter: ThreadFilter): Promise<Page<ThreadRow[]>> {
  const found = (await threadsAfter(db, user.id, filter)).map(toThread)
  const items = found.slice(0, filter.limit)
  const last = found.length > items.length ? items.at(-1) : undefined
  return new Page(await addFirstWords(db, items), last ? cursorOf(last, filter.view) : null)
}

/** Reads one row more than the page holds, to know whether there is a next page. Each view has its own index. */
export function threadsAfter(db: Db, userId: string, { view, limit, cursor, project }: Omit<ThreadFilter, 'query'>) {
  const { within, order } = views[view]
  const own = and(eq(threads.userId, userId), project === undefined ? undefined : eq(threads.projectId, project))
  return selectThreads(db)
    .where(and(own, within, cursor ? after(view, readCursor(Cursor, cursor)) : undefined))
    .orderBy(...order)
    .limit(limit + 1)
}

const views: Record<View, { within: SQL | undefined; order: SQL[] }> = {
  active: {
    within: and(isNull(threads.deletedAt), not(threads.archived), not(threads.temporary)),
    order: [desc(threads.pinned), desc(threads.updatedAt), desc(threads.id)],
  },
  archived: {
    within: and(isNull(threads.deletedAt), sql`${threads.archived}`, not(threads.temporary)),
    order: [desc(threads.updatedAt), desc(threads.id)],
  },
  trash: {
    within: and(isNotNull(threads.deletedAt), not(threads.temporary)),
    order: [desc(threads.deletedAt), desc(threads.id)],
  },
}

/** The sort key of the last row of a page: threads that move to the top meanwhile do not shift the next page. */
const Cursor = z.tuple([
  z.boolean(),
  z.int().check(z.minimum(0), z.maximum(8.64e15)),
  z.string().check(z.regex(/^[\w-]{1,64}$/)),
])
type Cursor = z.infer<typeof Cursor>

function after(view: View, [pinned, time, id]: Cursor): SQL {
  const at = sql`${new Date(time).toISOString()}::timestamptz`
  if (view === 'trash') return sql`(${threads.deletedAt}, ${threads.id}) < (${at}, ${id})`
  if (view === 'archived') return sql`(${threads.updatedAt}, ${threads.id}) < (${at}, ${id})`
  return sql`(${threads.pinned}, ${threads.updatedAt}, ${threads.id}) < (${pinned}::boolean, ${at}, ${id})`
}

function cursorOf({ pinned, updatedAt, deletedAt, id }: Thread, view: View): string {
  const at = Date.parse(view === 'trash' ? (deletedAt ?? updatedAt) : updatedAt)
  const cursor: Cursor = [pinned, at, id]
  return writeCursor(cursor)
}
