import { rm } from 'node:fs/promises'
import { and, eq, exists, inArray, isNotNull, isNull, ne, notExists, or, sql } from 'drizzle-orm'
import { MAX_INSTRUCTIONS } from '#contract/assistants.ts'
import { Country } from '#contract/models.ts'
import { MAX_PROJECT_NAME, ProjectDraft } from '#contract/projects.ts'
import type { Db } from '#server/db/client.ts'
import { files, importItems, projects, threads } from '#server/db/schema.ts'
import type { ReadChat, ReadProject } from '#server/files/chats/chat.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { deleteBytes } from '../files/files.ts'
import { createProjectWithFiles, ownProject, removeProject } from '../projects/projects.ts'
import { publishThread } from '../threads/to-thread.ts'
import { change, type ImportDeps } from './deps.ts'
import type { Row } from './rows.ts'
import {
  addDocuments,
  distinct,
  filesIn,
  isBroughtOf,
  knownFiles,
  noteDocuments,
  type Reading,
} from './store-documents.ts'

const NO_NAME = 'Проект без названия'

export interface StoredProject {
  outcome: 'added' | 'known' | 'no-room'
  /** Files of a new project that had no room. */
  lostFiles: number
  /** New files of a known project. */
  documents: number
  /** New files that a known project has no room for. */
  left: string[]
}

const stored = (outcome: StoredProject['outcome'], more: Partial<StoredProject> = {}): StoredProject => ({
  ...{ outcome, lostFiles: 0, documents: 0, left: [] },
  ...more,
})

const existingProject = (db: Db) =>
  db.select({ id: projects.id }).from(projects).where(eq(projects.id, importItems.projectId))

/** Those of the given projects that an earlier import has brought and that still exist. */
export const countKnownProjects = async (db: Db, userId: string, found: ReadProject[]): Promise<number> => {
  let known = 0
  for (const project of found)
    known += await db.$count(importItems, and(isBroughtOf(userId, project, 'project'), exists(existingProject(db))))
  return known
}

/**
 * Makes the project in a transaction of its own, with its item: a repeated batch finds it. A project that is here
 * already is its owner's: it gets the documents that no import has brought yet and stays as it is otherwise.
 */
export async function storeProject(
  deps: ImportDeps,
  row: Row,
  project: ReadProject,
  reading: Reading,
): Promise<StoredProject> {
  const { db, publish } = deps
  if (!deps.projects) return stored('no-room')
  const ctx = { db, publish, user: { id: row.userId } }
  const [item] = await db
    .select({
      importId: importItems.importId,
      projectId: importItems.projectId,
      lostFiles: importItems.lostFiles,
    })
    .from(importItems)
    .where(and(isBroughtOf(row.userId, project, 'project'), exists(existingProject(db))))
  // A batch that a crash left unfinished has made it already.
  if (item?.importId === row.id) return stored('added', { lostFiles: item.lostFiles })
  if (item?.projectId) return stored('known', await addDocuments(deps, row, project, item.projectId, reading))
  if (await isOwnProject(db, row.userId, project)) return stored('known')
  const name = project.name.replace(/\s+/g, ' ').trim().slice(0, MAX_PROJECT_NAME) || NO_NAME
  const instructions = project.instructions.slice(0, MAX_INSTRUCTIONS)
  const icon = ProjectDraft.shape.icon.safeParse(project.icon || undefined)
  const { archived, ...settings } = project.settings
  const country =
    settings.country === null ? null : (Country.safeParse(settings.country).data ?? deps.projects.providers.home)
  const draft = { ...ProjectDraft.parse({ name, instructions, icon: icon.data, ...settings, country }), archived }
  const documents = distinct(project.documents)
  if (instructions !== project.instructions)
    documents.unshift({ name: 'Инструкции целиком.txt', content: project.instructions })
  const { given, paths } = await knownFiles({ ...deps, ...reading }, documents)
  let lostFiles = project.lostFiles
  try {
    await createProjectWithFiles(ctx, deps.projects, draft, filesIn(given), async (tx, id, fileIds) => {
      const { source, id: sourceId } = project
      lostFiles += documents.length - fileIds.filter((fileId) => fileId !== null).length
      // The project of an earlier import was deleted by its owner.
      await tx
        .update(importItems)
        .set({ projectId: null })
        .where(or(isBroughtOf(row.userId, project, 'project'), isBroughtOf(row.userId, project, 'document')))
      await tx.insert(importItems).values({
        ...{ id: newId(), importId: row.id, userId: row.userId, source, sourceId, title: name },
        ...{ outcome: 'project', projectId: id, lostFiles },
      })
      await noteDocuments(tx, row, project, id, given, fileIds)
      await moveChats(tx, deps, row.userId, project, id)
    })
    return stored('added', { lostFiles })
  } catch (error) {
    if (error instanceof AppError) return stored('no-room')
    throw error
  } finally {
    for (const path of paths) await rm(path, { force: true })
  }
}

/** An own export that comes back: the project itself is still here. */
const isOwnProject = async (db: Db, userId: string, { source, id }: ReadProject) =>
  source === 'symbol' && (await db.$count(projects, ownProject(userId, id))) > 0

/** Chats that came before their project. */
async function moveChats(
  tx: Db,
  { publish }: ImportDeps,
  userId: string,
  { source, id }: ReadProject,
  projectId: string,
) {
  const brought = tx
    .select({ id: importItems.threadId })
    .from(importItems)
    .where(
      and(
        eq(importItems.userId, userId),
        eq(importItems.source, source),
        eq(importItems.outcome, 'added'),
        isNotNull(importItems.threadId),
        eq(importItems.sourceProject, id),
      ),
    )
  const moved = await tx
    .update(threads)
    .set({ projectId, version: sql`${threads.version} + 1` })
    .where(and(inArray(threads.id, brought), eq(threads.userId, userId), isNull(threads.projectId)))
    .returning({ id: threads.id, version: threads.version })
  for (const thread of moved) publishThread(publish, { userId, ...thread })
}

/** The projects here of new chats, by their ids at the source. Locked: none is deleted before the chats are stored. */
export async function projectsOf(tx: Db, userId: string, chats: ReadChat[]): Promise<Map<string, string>> {
  const ids = new Set(chats.flatMap(({ project }) => project ?? []))
  if (ids.size === 0) return new Map()
  const rows = await tx
    .select({ source: importItems.source, sourceId: importItems.sourceId, id: projects.id })
    .from(importItems)
    .innerJoin(projects, eq(projects.id, importItems.projectId))
    .where(
      and(
        eq(importItems.userId, userId),
        eq(importItems.outcome, 'project'),
        inArray(importItems.sourceId, [...ids]),
        eq(projects.userId, userId),
      ),
    )
    .for('key share', { of: projects })
  const own = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.userId, userId), inArray(projects.id, [...ids])))
    .for('key share')
  return new Map([
    ...rows.map(({ source, sourceId, id }): [string, string] => [`${source}:${sourceId}`, id]),
    ...own.map(({ id }): [string, string] => [`symbol:${id}`, id]),
  ])
}

/** Removes the projects that the import brought; one with something of its owner's own stays. Returns how many do. */
export async function undoProjects(deps: ImportDeps, row: Row): Promise<number> {
  const { db, publish, storage } = deps
  const all = await db
    .select({ id: importItems.id, projectId: importItems.projectId })
    .from(importItems)
    .where(and(eq(importItems.importId, row.id), eq(importItems.outcome, 'project'), exists(existingProject(db))))
  let kept = 0
  for (const { id, projectId } of all) {
    if (projectId === null) continue
    const keys = await db.transaction(async (tx) => {
      await change(tx, row, {})
      const [unchanged] = await tx
        .select({ id: projects.id })
        .from(projects)
        .where(and(eq(projects.id, projectId), eq(projects.userId, row.userId), isUnchanged(tx)))
        .for('update')
      if (!unchanged) return null
      await tx.update(importItems).set({ projectId: null }).where(eq(importItems.id, id))
      return removeProject({ db: tx, publish, user: { id: row.userId } }, projectId, 'keep')
    })
    if (keys === null) kept += 1
    for (const key of keys ?? []) await deleteBytes(storage, key)
  }
  return kept
}

/** Its owner has neither changed it nor put a chat or a file into it: files that came have the time of the project. */
const isUnchanged = (tx: Db) =>
  and(
    eq(projects.updatedAt, projects.createdAt),
    notExists(
      tx
        .select({ one: sql`1` })
        .from(files)
        .where(and(eq(files.libraryId, projects.id), ne(files.createdAt, projects.createdAt))),
    ),
    notExists(
      tx
        .select({ one: sql`1` })
        .from(threads)
        .where(and(eq(threads.projectId, projects.id), isNull(threads.deletedAt))),
    ),
  )
