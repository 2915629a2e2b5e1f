import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { desc, eq, sql } from 'drizzle-orm'
import type { ChatSource, ImportFound, ImportResult } from '#contract/imports.ts'
import type { Db } from '#server/db/client.ts'
import { importItems, imports, threads } from '#server/db/schema.ts'
import { type ReadingArchive, readArchiveInThread } from '#server/files/chats/archive-thread.ts'
import type { ArchivedItem, BriefChat } from '#server/files/chats/archive-worker.ts'
import { BEGIN } from '#server/files/chats/read-archive.ts'
import { Unreadable } from '#server/files/rejections.ts'
import { isClaimed, OwnershipLost, SERVER_STOPS } from '#server/instances/queue.ts'
import { retryWhileUnavailable } from '#server/instances/retry.ts'
import { newId } from '#server/lib/ids.ts'
import { publishThread } from '../threads/to-thread.ts'
import { change, type ImportDeps, publishImport } from './deps.ts'
import { archiveChunks, deleteArchive, filesOf, isKnown, type Row } from './rows.ts'
import { createChatStore } from './store-chats.ts'
import { countKnownProjects } from './store-projects.ts'
import { undoImport } from './undo.ts'

/** Files that the answer names. */
const MAX_NAMED = 50

/** After so many deaths of its worker the archive itself is taken for the cause. */
const MAX_CRASHES = 3

const NOTHING =
  'В файле нет чатов. Выберите архив, который прислал ChatGPT, Claude или DeepSeek, или файл из «Скачать мои данные».'
const cutOffSentence = (name: string) =>
  `Файл «${name}» обрывается раньше, чем кончается первый чат. Скачайте архив ещё раз.`
const CRASHED = 'Архив не получается прочитать: чтение несколько раз прерывалось.'
const OUR_FAULT = 'Перенос прервался по нашей вине. Начните его ещё раз: то, что уже пришло, не повторится.'

/** Runs the step that the row names, from where an earlier try ended. */
export async function workOnImport(deps: ImportDeps, row: Row, signal: AbortSignal): Promise<void> {
  try {
    if (row.crashes > MAX_CRASHES) throw new Unreadable(CRASHED)
    if (row.step === 'undo') await undoImport(deps, row, signal)
    else
      await withArchive(deps, row, signal, (archive) =>
        (row.step === 'check' ? look : take)(deps, row, archive, signal),
      )
  } catch (error) {
    await recordFailure(deps, row, signal.aborted ? signal.reason : error)
  } finally {
    publishImport(deps.publish, row.userId, row.id)
    if (row.step === 'store') await publishBrought(deps, row)
  }
}

/** One of the new chats is enough: lists that do not know it are read again. */
async function publishBrought({ db, publish }: ImportDeps, { id, userId }: Row): Promise<void> {
  const [item] = await db
    .select({ id: threads.id, version: threads.version })
    .from(importItems)
    .innerJoin(threads, eq(threads.id, importItems.threadId))
    .where(eq(importItems.importId, id))
    .orderBy(desc(importItems.id))
    .limit(1)
  if (item) publishThread(publish, { userId, ...item })
}

async function withArchive(
  { db, storage, incoming }: ImportDeps,
  row: Row,
  signal: AbortSignal,
  work: (archive: ReadingArchive) => Promise<void>,
): Promise<void> {
  const paths: string[] = []
  const names: string[] = []
  try {
    for (const file of await filesOf(db, row.id)) {
      names.push(file.name)
      const path = join(incoming, newId())
      paths.push(path)
      await archiveChunks.downloadTo(storage, file, path, signal)
    }
    const from = row.step === 'store' ? (row.place ?? BEGIN) : BEGIN
    const archive = await readArchiveInThread(paths, { from, isBrief: row.step === 'check' })
    try {
      await work({ ...archive, next: async () => withNames(await archive.next(), names) })
    } finally {
      await archive.close()
    }
  } finally {
    for (const path of paths) await rm(path, { force: true })
  }
}

/** A JSON that was uploaded by itself is called as its owner calls it. */
function withNames<Batch extends { items: ArchivedItem[] }>(batch: Batch, names: string[]): Batch {
  const items = batch.items.map((item) =>
    item.type === 'skipped' && item.reason === 'cut-off' && item.name === ''
      ? { ...item, name: names[item.next.file] ?? '' }
      : item,
  )
  return { ...batch, items }
}

/** Counts what the archive contains; nothing of it is stored. */
async function look(deps: ImportDeps, row: Row, archive: ReadingArchive, signal: AbortSignal): Promise<void> {
  const found: ImportFound = {
    ...{ sources: [], chats: 0, messages: 0, pictures: 0, projects: 0, bytes: 0, from: null, to: null },
    ...{
      known: 0,
      knownProjects: 0,
      skipped: 0,
      missingPictures: 0,
      missingFiles: 0,
      sounds: 0,
      unopened: archive.unopened.slice(0, MAX_NAMED),
      cutOff: [],
    },
  }
  const sources = new Set<ChatSource>()
  let [read, earliest, latest] = [0, Number.POSITIVE_INFINITY, 0]
  for (;;) {
    signal.throwIfAborted()
    const { items, bytes } = await archive.next()
    if (items.length === 0) break
    const chats = items.flatMap((item) => (item.type === 'brief' ? [item.chat] : []))
    for (const chat of chats) {
      sources.add(chat.source)
      earliest = Math.min(earliest, chat.createdAt)
      latest = Math.max(latest, chat.createdAt, chat.updatedAt)
      addBrief(found, chat)
    }
    for (const item of items) {
      if (item.type !== 'skipped') continue
      if (item.reason !== 'cut-off') found.skipped += 1
      else if (found.cutOff.length < MAX_NAMED) found.cutOff.push({ name: item.name, chats: item.chats ?? 0 })
    }
    const projects = items.flatMap((item) => (item.type === 'project' ? [item.project] : []))
    found.projects += projects.length
    found.knownProjects += await countKnownProjects(deps.db, row.userId, projects)
    found.known += await countKnown(deps.db, row.userId, chats)
    read += bytes
    await change(deps.db, row, { progress: percent(read, archive.bytes) })
  }
  const [cut] = found.cutOff
  if (found.chats + found.projects === 0) throw new Unreadable(cut ? cutOffSentence(cut.name) : NOTHING)
  found.sources = [...sources]
  if (latest > 0) Object.assign(found, { from: new Date(earliest).toISOString(), to: new Date(latest).toISOString() })
  await change(deps.db, row, { state: 'found', instance: null, found, progress: 0 })
}

function addBrief(found: ImportFound, { messages, pictures, bytes, lost }: BriefChat): void {
  found.chats += 1
  found.messages += messages
  found.pictures += pictures
  found.bytes += bytes
  found.missingPictures += lost.pictures
  found.missingFiles += lost.files
  found.sounds += lost.sounds
}

async function countKnown(db: Db, userId: string, chats: Pick<BriefChat, 'source' | 'id'>[]): Promise<number> {
  let known = 0
  for (const source of new Set(chats.map((chat) => chat.source))) {
    const ids = chats.filter((chat) => chat.source === source).map(({ id }) => id)
    known += await db.$count(importItems, isKnown(userId, source, ids))
  }
  return known
}

const noResult: ImportResult = {
  ...{
    added: 0,
    grown: 0,
    known: 0,
    messages: 0,
    pictures: 0,
    projects: 0,
    documents: 0,
    skipped: 0,
    partial: 0,
    removed: 0,
    kept: 0,
    keptProjects: 0,
  },
}

/** Stores the chats. Place and counts are stored with each batch, so a crash neither loses nor doubles anything. */
async function take(deps: ImportDeps, row: Row, archive: ReadingArchive, signal: AbortSignal): Promise<void> {
  let result = { ...noResult, ...row.result }
  const store = await createChatStore(deps, row, archive, signal)
  const { chats = 0, skipped = 0, projects = 0 } = row.found ?? {}
  if (row.place === null) result.skipped += await store.noteUnopened(archive.unopened)
  for (;;) {
    signal.throwIfAborted()
    const { items } = await archive.next()
    const last = items.at(-1)
    if (!last) break
    const done = result.added + result.grown + result.known + result.skipped + result.projects + items.length
    const progress = percent(done, chats + skipped + projects)
    result = await store.take(items, result, (tx, counted, textBytes) =>
      change(tx, row, {
        ...{ place: last.next, result: counted, progress },
        textBytes: sql`${imports.textBytes} + ${textBytes}`,
      }),
    )
  }
  // New words wait in a list that every search reads until a vacuum sorts them in; an import adds too many to wait.
  await deps.db.execute(sql`select gin_clean_pending_list('messages_search')`).catch(() => undefined)
  await change(deps.db, row, { state: 'done', instance: null, progress: 100, place: null, result })
  await deleteArchive(deps, row.id)
}

const percent = (done: number, all: number) => Math.min(99, Math.floor((done / Math.max(1, all)) * 100))

async function recordFailure({ db, log, storage }: ImportDeps, row: Row, reason: unknown): Promise<void> {
  if (reason instanceof OwnershipLost) return
  const mine = isClaimed(imports, row)
  if (reason === SERVER_STOPS) {
    await db.update(imports).set({ state: 'queued', instance: null }).where(mine)
    return
  }
  const isTheirs = reason instanceof Unreadable
  if (!isTheirs) log.error({ err: reason, importId: row.id }, 'imports: an import failed')
  await retryWhileUnavailable(() =>
    db
      .update(imports)
      .set({ state: 'failed', instance: null, error: isTheirs ? reason.message : OUR_FAULT, updatedAt: sql`now()` })
      .where(mine),
  )
  // What came stays and can be undone; an archive that cannot be read is of no more use.
  if (isTheirs) await deleteArchive({ db, storage }, row.id)
}
