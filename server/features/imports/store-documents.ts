import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { and, eq, exists, inArray, isNotNull, not, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { MAX_LIBRARY_FILES } from '#contract/assistants.ts'
import type { Db } from '#server/db/client.ts'
import { importItems } from '#server/db/schema.ts'
import type { ReadingArchive } from '#server/files/chats/archive-thread.ts'
import type { ReadDocument, ReadProject } from '#server/files/chats/chat.ts'
import { safeFileName } from '#server/files/file-name.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { deleteBytes } from '../files/files.ts'
import { deleteLibraryFiles } from '../files/library.ts'
import { type KnownFile, knownText } from '../files/upload.ts'
import { addProjectFiles, publishProject } from '../projects/projects.ts'
import { change, type ImportDeps } from './deps.ts'
import type { Row } from './rows.ts'
import { unpackEntry } from './store-files.ts'

export interface Reading {
  archive: ReadingArchive
  signal: AbortSignal
}

/** Those that no import has brought: what its owner deleted here does not come again. */
export async function addDocuments(
  deps: ImportDeps,
  row: Row,
  project: ReadProject,
  projectId: string,
  reading: Reading,
): Promise<{ documents: number; left: string[] }> {
  const { db, publish } = deps
  if (!deps.projects) return { documents: 0, left: [] }
  const ctx = { db, publish, user: { id: row.userId } }
  const known = await db
    .select({ key: importItems.sourceId, importId: importItems.importId })
    .from(importItems)
    .where(isBroughtOf(row.userId, project, 'document'))
  const keys = new Set(known.map(({ key }) => key))
  const fresh = distinct(project.documents).filter((document) => !keys.has(keyOf(document)))
  // A batch that a crash left unfinished has stored some already.
  let documents = known.filter(({ importId }) => importId === row.id).length
  if (fresh.length === 0) return { documents, left: [] }
  const { given, paths } = await knownFiles({ ...deps, ...reading }, fresh)
  const left = new Set(fresh)
  try {
    await addProjectFiles(ctx, deps.projects, projectId, filesIn(given), async (tx, id, fileIds) => {
      await noteDocuments(tx, row, project, id, given, fileIds)
      for (const [at, { document }] of given.entries()) if (fileIds[at]) left.delete(document)
      documents += fileIds.filter((fileId) => fileId !== null).length
    })
    return { documents, left: [...left].map(({ name }) => name) }
  } catch (error) {
    // Its owner has deleted it a moment ago.
    if (error instanceof AppError) return { documents, left: [] }
    throw error
  } finally {
    for (const path of paths) await rm(path, { force: true })
  }
}

/** A document without an id is known by its name and its text. */
const keyOf = ({ id, name, content }: ReadDocument) =>
  id ||
  createHash('sha256')
    .update(JSON.stringify([name, content]))
    .digest('hex')

export const distinct = (documents: ReadDocument[]) => [
  ...new Map(documents.map((document) => [keyOf(document), document])).values(),
]

/** What imports have brought of a project and is still here: the project itself, or its documents. */
export const isBroughtOf = (
  userId: string,
  { source, id }: Pick<ReadProject, 'source' | 'id'>,
  outcome: 'project' | 'document',
) =>
  and(
    eq(importItems.userId, userId),
    eq(importItems.source, source),
    eq(outcome === 'project' ? importItems.sourceId : importItems.sourceProject, id),
    eq(importItems.outcome, outcome),
    isNotNull(importItems.projectId),
  )

interface GivenDocument {
  document: ReadDocument
  file: KnownFile
}

export const filesIn = (given: GivenDocument[]) => given.map(({ file }) => file)

export async function noteDocuments(
  tx: Db,
  row: Row,
  { source, id: sourceProject }: ReadProject,
  projectId: string,
  given: GivenDocument[],
  fileIds: (string | null)[],
): Promise<void> {
  const rows = given.flatMap(({ document }, at) => {
    const [fileId, sourceId] = [fileIds[at], keyOf(document)]
    if (!fileId) return []
    const owner = { id: newId(), importId: row.id, userId: row.userId, source, sourceId, sourceProject }
    return [{ ...owner, title: document.name, outcome: 'document' as const, projectId, fileId }]
  })
  if (rows.length > 0) await tx.insert(importItems).values(rows)
}

export async function knownFiles(deps: Parameters<typeof unpackEntry>[0], documents: ReadDocument[]) {
  const paths: string[] = []
  const given: GivenDocument[] = []
  for (const document of documents.slice(0, MAX_LIBRARY_FILES)) {
    const file = await knownFile(deps, document, paths)
    if (file) given.push({ document, file })
  }
  return { given, paths }
}

/** A text, or a file that is unpacked into a path of its own; null for what is not read here. */
async function knownFile(
  deps: Parameters<typeof unpackEntry>[0],
  { name, content }: ReadDocument,
  paths: string[],
): Promise<KnownFile | null> {
  if (typeof content === 'string') return knownText({ name, content })
  const unpacked = await unpackEntry(deps, content, name)
  if (!unpacked) return null
  paths.push(unpacked.local.path)
  return { name: safeFileName(name), type: unpacked.type, content: unpacked.local }
}

/** Removes the documents that the import put into projects of earlier ones; those of its own go or stay with it. */
export async function undoDocuments(deps: ImportDeps, row: Row): Promise<void> {
  const { db, publish, storage } = deps
  const project = alias(importItems, 'project')
  const isWithProject = exists(
    db
      .select({ one: sql`1` })
      .from(project)
      .where(
        and(eq(project.importId, row.id), eq(project.outcome, 'project'), eq(project.projectId, importItems.projectId)),
      ),
  )
  const isOurs = and(
    ...[eq(importItems.importId, row.id), eq(importItems.outcome, 'document'), isNotNull(importItems.fileId)],
    not(isWithProject),
  )
  const all = await db
    .select({ projectId: importItems.projectId, fileId: importItems.fileId })
    .from(importItems)
    .where(isOurs)
  for (const projectId of new Set(all.flatMap((item) => item.projectId ?? []))) {
    const ids = all.flatMap((item) => (item.projectId === projectId && item.fileId ? [item.fileId] : []))
    const keys = await db.transaction(async (tx) => {
      await change(tx, row, {})
      await tx
        .update(importItems)
        .set({ projectId: null, fileId: null })
        .where(and(eq(importItems.importId, row.id), inArray(importItems.fileId, ids)))
      publishProject({ db: tx, publish, user: { id: row.userId } }, projectId)
      return deleteLibraryFiles(tx, row.userId, projectId, ids)
    })
    for (const key of keys) await deleteBytes(storage, key)
  }
}
