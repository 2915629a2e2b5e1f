import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { and, eq, inArray, sql, sum } from 'drizzle-orm'
import { type ChatSource, type ImportResult, sourceNames } from '#contract/imports.ts'
import { plainTitle } from '#contract/markdown/without-marks.ts'
import { NEW_THREAD_TITLE } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { importItems, imports, messages, threads } from '#server/db/schema.ts'
import { pgErrorCode, UNIQUE_VIOLATION } from '#server/db/transactions.ts'
import type { ReadingArchive } from '#server/files/chats/archive-thread.ts'
import type { ArchivedItem } from '#server/files/chats/archive-worker.ts'
import type { ReadChat, ReadMessage } from '#server/files/chats/chat.ts'
import { newId } from '#server/lib/ids.ts'
import { usualModelId } from '../models/models.ts'
import { searchVector } from '../search/text-query.ts'
import { bytesOfMessages } from '../threads/limits.ts'
import type { ImportDeps } from './deps.ts'
import { isKnown, type Row } from './rows.ts'
import { createFileStore, type StoredFiles } from './store-files.ts'
import { projectsOf, storeProject } from './store-projects.ts'

const MEGABYTE = 1024 * 1024
const TRIES = 3

type NewItem = typeof importItems.$inferInsert
type NewMessage = ReadMessage & { rowId: string; parentId: string | null; files: string[] }

interface PlannedChat {
  chat: ReadChat
  threadId: string
  /** Null for a new thread. */
  former: { leafId: string | null } | null
  messages: NewMessage[]
  lostPictures: number
  lostFiles: number
}

interface KnownThread {
  threadId: string
  leafId: string | null
  /** In the trash, or never imported: nothing is added to it. */
  isFixed: boolean
}

/** In the transaction of a batch: stores how far the import is. */
type StorePlace = (tx: Db, result: ImportResult, textBytes: number) => Promise<void>

export interface ChatStore {
  take: (items: ArchivedItem[], before: ImportResult, storePlace: StorePlace) => Promise<ImportResult>
  /** Returns how many the report names. */
  noteUnopened: (names: string[]) => Promise<number>
}

/** Stores batches of chats, each in one transaction with the place it ends at. */
export async function createChatStore(
  deps: ImportDeps,
  row: Row,
  archive: ReadingArchive,
  signal: AbortSignal,
): Promise<ChatStore> {
  const { db, totals } = deps
  const fileStore = await createFileStore(deps, row.userId, archive, signal)
  const room = {
    chats: totals['stored-threads'] - (await db.$count(threads, eq(threads.userId, row.userId))),
    bytes: totals['imported-megabytes'] * MEGABYTE - (await importedBytes(db, row.userId)),
  }
  // A thread without a model would say that its model is gone.
  const modelId = await usualModelId(db, row.userId)
  const item = (values: Pick<NewItem, 'title' | 'outcome'> & Partial<NewItem>): NewItem => ({
    ...{ id: newId(), importId: row.id, userId: row.userId, source: '', sourceId: '' },
    ...values,
  })

  async function takeOnce(items: ArchivedItem[], before: ImportResult, storePlace: StorePlace): Promise<ImportResult> {
    const result = { ...before }
    const rows: NewItem[] = []
    const planned: PlannedChat[] = []
    const all = items.flatMap((found) => (found.type === 'chat' ? [found.chat] : []))
    const known = await knownThreads(db, row.userId, all)
    const existing = await messagesOf(db, [...known.values()])
    const files: StoredFiles = []
    const seen = new Set<string>()
    let fresh = 0
    for (const found of items) {
      if (found.type === 'project') {
        const { source, id: sourceId, name: title } = found.project
        const { outcome, lostFiles, documents, left } = await storeProject(deps, row, found.project, {
          archive,
          signal,
        })
        result.documents += documents
        result.skipped += left.length
        for (const name of left)
          rows.push(item({ source, title: `${title}: ${name}`, outcome: 'skipped', reason: 'no-room' }))
        if (outcome === 'added') result.projects += 1
        if (outcome === 'added' && lostFiles > 0) result.partial += 1
        if (outcome === 'no-room') {
          result.skipped += 1
          rows.push(item({ source, sourceId, title, outcome: 'skipped', reason: 'no-room' }))
        }
      }
      if (found.type === 'skipped') {
        // A file that breaks off is no chat.
        if (found.reason !== 'cut-off') result.skipped += 1
        rows.push(item({ title: found.name, outcome: 'skipped', reason: found.reason }))
      }
      if (found.type !== 'chat') continue
      const { chat } = found
      const key = keyOf(chat)
      const thread = known.get(key)
      const plan = seen.has(key) || thread?.isFixed ? null : planOf(chat, thread, existing)
      seen.add(key)
      if (!plan || plan.messages.length === 0) result.known += 1
      else if (room.bytes <= 0 || (plan.former === null && fresh >= room.chats)) {
        result.skipped += 1
        const { source, id: sourceId, title } = chat
        rows.push(item({ source, sourceId, title, outcome: 'skipped', reason: 'no-room' }))
      } else {
        planned.push(plan)
        if (plan.former === null) fresh += 1
      }
    }
    for (const plan of planned) await fileStore.add(plan, files)
    const stored = { userId: row.userId, modelId, importId: row.id, latest: row.createdAt.getTime() }
    const textBytes = await db.transaction(async (tx) => {
      await insertThreads(tx, stored, planned)
      await insertMessages(tx, stored, planned)
      await fileStore.insert(tx, files, planned)
      for (const plan of planned) {
        addPlan(result, plan)
        rows.push(item(itemOf(plan)))
      }
      if (rows.length > 0) await tx.insert(importItems).values(rows)
      const bytes = await bytesOfMessages(
        tx,
        planned.flatMap((plan) => plan.messages.map(({ rowId }) => rowId)),
      )
      await storePlace(tx, result, bytes)
      return bytes
    })
    void fileStore.read(files)
    room.chats -= fresh
    room.bytes -= textBytes
    return result
  }

  return {
    take: async (items, before, storePlace) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await takeOnce(items, before, storePlace)
        } catch (error) {
          // Another import of the same person brought one of these chats a moment ago: now it is known.
          if (pgErrorCode(error) !== UNIQUE_VIOLATION || attempt === TRIES) throw error
        }
      }
    },
    noteUnopened: async (names) => {
      const rows = names.slice(0, 500).map((name) => item({ title: name, outcome: 'skipped', reason: 'unopened' }))
      await db.transaction(async (tx) => {
        // A try that a crash ended before its first batch has noted them too.
        const isNoted = and(eq(importItems.importId, row.id), eq(importItems.reason, 'unopened'))
        await tx.delete(importItems).where(isNoted)
        if (rows.length > 0) await tx.insert(importItems).values(rows)
      })
      return rows.length
    },
  }
}

const keyOf = ({ source, id }: { source: string; id: string }) => `${source}:${id}`

async function importedBytes(db: Db, userId: string): Promise<number> {
  const [row] = await db
    .select({ bytes: sum(imports.textBytes).mapWith(Number) })
    .from(imports)
    .where(eq(imports.userId, userId))
  return row?.bytes ?? 0
}

async function knownThreads(db: Db, userId: string, chats: ReadChat[]): Promise<Map<string, KnownThread>> {
  const known = new Map<string, KnownThread>()
  for (const source of new Set(chats.map((chat) => chat.source))) {
    const ids = chats.filter((chat) => chat.source === source).map(({ id }) => id)
    const rows = await db
      .select({
        id: importItems.sourceId,
        threadId: threads.id,
        leafId: threads.currentLeafId,
        deletedAt: threads.deletedAt,
      })
      .from(importItems)
      .innerJoin(threads, eq(threads.id, importItems.threadId))
      .where(isKnown(userId, source, ids))
    for (const { id, deletedAt, ...thread } of rows)
      known.set(keyOf({ source, id }), { ...thread, isFixed: deletedAt !== null })
    if (source !== 'symbol') continue
    // An own export that comes back: the chat itself is still here.
    const own = and(eq(threads.userId, userId), inArray(threads.id, ids))
    for (const { id } of await db.select({ id: threads.id }).from(threads).where(own))
      known.set(keyOf({ source, id }), { threadId: id, leafId: null, isFixed: true })
  }
  return known
}

async function messagesOf(db: Db, found: KnownThread[]): Promise<Set<string>> {
  if (found.length === 0) return new Set()
  const ids = found.map(({ threadId }) => threadId)
  const rows = await db.select({ id: messages.id }).from(messages).where(inArray(messages.threadId, ids))
  return new Set(rows.map(({ id }) => id))
}

/** The id of a message follows from its thread and its id at the source, so a later archive finds it again. */
function messageId(threadId: string, sourceId: string): string {
  const hex = createHash('sha256').update(`${threadId}:${sourceId}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function planOf(chat: ReadChat, known: KnownThread | undefined, existing: Set<string>): PlannedChat {
  const threadId = known?.threadId ?? newId()
  const added = chat.messages
    .map(
      (message): NewMessage => ({
        ...message,
        rowId: messageId(threadId, message.id),
        parentId: message.parent === null ? null : messageId(threadId, message.parent),
        files: [],
      }),
    )
    .filter(({ rowId }) => !existing.has(rowId))
  // A message that its owner deleted here takes its replies with it.
  const present = new Set(added.map(({ rowId }) => rowId))
  const isAttached = ({ parentId }: NewMessage) => parentId === null || present.has(parentId) || existing.has(parentId)
  return {
    ...{ chat, threadId, lostPictures: chat.lost.pictures, lostFiles: chat.lost.files },
    former: known ? { leafId: known.leafId } : null,
    messages: known ? added.filter(isAttached) : added,
  }
}

interface Owner {
  userId: string
  modelId: string | null
  importId: string
  /** No imported chat is newer than its import, so that lists keep their order and a new message is recognised. */
  latest: number
}

async function insertThreads(tx: Db, { userId, modelId, latest }: Owner, planned: PlannedChat[]): Promise<void> {
  const before = (time: number) => new Date(Math.min(time, latest))
  const fresh = planned.filter(({ former }) => former === null)
  const projects = await projectsOf(
    tx,
    userId,
    fresh.map(({ chat }) => chat),
  )
  if (fresh.length > 0)
    await tx.insert(threads).values(
      fresh.map(({ chat, threadId }) => ({
        ...{ id: threadId, userId, modelId, ...titleOf(chat), pinned: chat.pinned, archived: chat.archived },
        currentLeafId: messageId(threadId, chat.leaf),
        projectId:
          chat.project === null ? null : (projects.get(keyOf({ source: chat.source, id: chat.project })) ?? null),
        createdAt: before(chat.createdAt),
        updatedAt: before(Math.max(chat.updatedAt, chat.createdAt)),
      })),
    )
  for (const { chat, threadId, former, messages: added } of planned) {
    const leaf = messageId(threadId, chat.leaf)
    // Only where its owner has not gone on: what is shown to them does not change by itself.
    const wasShown = former?.leafId ? eq(threads.currentLeafId, former.leafId) : undefined
    const isNew = added.some(({ rowId }) => rowId === leaf)
    const isOld = former?.leafId && chat.messages.some(({ id }) => messageId(threadId, id) === former.leafId)
    if (former && isNew && isOld)
      await tx
        .update(threads)
        .set({ currentLeafId: leaf, version: sql`${threads.version} + 1` })
        .where(and(eq(threads.id, threadId), eq(threads.userId, userId), wasShown))
  }
}

function titleOf({ title, messages: all }: ReadChat) {
  if (title !== '') return { title: plainTitle(title), titleSource: 'user' as const }
  const question = all.find(({ role }) => role === 'user')?.content ?? ''
  const words = plainTitle(question.slice(0, 500)).replace(/\s+/g, ' ').trim().slice(0, 60)
  return { title: words || NEW_THREAD_TITLE, titleSource: 'auto' as const }
}

/** Free of charge, and `copied`, so that no check of charges looks for an operation. */
async function insertMessages(tx: Db, { userId, importId, latest }: Owner, planned: PlannedChat[]): Promise<void> {
  const rows = planned.flatMap(({ chat, threadId, messages: added }) =>
    added.map((message) => ({
      ...{ id: message.rowId, thread_id: threadId, parent_id: message.parentId, role: message.role },
      ...{ content: message.content, thought: message.thought },
      imported: { import: importId, service: sourceNames[chat.source as ChatSource], model: message.model },
      created_at: new Date(Math.min(message.createdAt, latest)).toISOString(),
    })),
  )
  for (const piece of inPieces(rows)) {
    await turn()
    await insertPiece(tx, userId, piece)
  }
}

/** The embedded database works in this thread: a chat of 15 MB in one statement would stop everything for seconds. */
const PIECE_BYTES = 128 * 1024

export function inPieces<Row extends { content: string; thought: string }>(rows: readonly Row[]): Row[][] {
  const pieces: Row[][] = []
  let room = 0
  for (const row of rows) {
    const bytes = ROW_BYTES + Buffer.byteLength(row.content) + Buffer.byteLength(row.thought)
    if (bytes > room) {
      pieces.push([])
      room = PIECE_BYTES
    }
    pieces.at(-1)?.push(row)
    room -= bytes
  }
  return pieces
}

/** What a message takes besides its texts. */
const ROW_BYTES = 500

async function insertPiece(tx: Db, userId: string, rows: object[]): Promise<void> {
  await tx.execute(sql`
    insert into messages (id, thread_id, user_id, parent_id, role, content, status, thought, copied, imported, search, created_at)
    select m.id, m.thread_id, ${userId}, m.parent_id, m.role, m.content, 'complete', m.thought, true, m.imported,
      ${searchVector(sql`m.content`)}, m.created_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as m (id text, thread_id text, parent_id text, role text,
      content text, thought text, imported jsonb, created_at timestamptz)
    on conflict (id) do nothing`)
}

function addPlan(result: ImportResult, { former, chat, messages: added, ...lost }: PlannedChat): void {
  if (former) result.grown += 1
  else result.added += 1
  result.messages += added.length
  result.pictures += added.reduce((sum, { files }) => sum + files.length, 0)
  if (lost.lostPictures + lost.lostFiles + chat.lost.sounds > 0) result.partial += 1
}

function itemOf({ chat, threadId, former, messages: added, lostPictures, lostFiles }: PlannedChat) {
  const { source, id: sourceId, lost } = chat
  const outcome = former ? ('grown' as const) : ('added' as const)
  return {
    sourceProject: chat.project,
    ...{ source, sourceId, title: titleOf(chat).title, outcome, threadId, messages: added.length },
    ...{ lostPictures, lostFiles, lostSounds: lost.sounds, formerLeafId: former?.leafId ?? null },
  }
}
