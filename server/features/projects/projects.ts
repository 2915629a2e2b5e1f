import { and, eq, sql } from 'drizzle-orm'
import { MAX_LIBRARY_FILES } from '#contract/assistants.ts'
import type { ChatsOfDeleted, Project, ProjectChange, ProjectDraft, ProjectRow } from '#contract/projects.ts'
import type { ThreadProject } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { lockUser } from '#server/db/lock-user.ts'
import { files, models, projects, threads } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import type { Ctx, OwnerCtx } from '#server/http/context.ts'
import { noteRejection } from '#server/http/limits.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { deleteBytes } from '../files/files.ts'
import {
  deleteLibraryFiles,
  filesOfLibraries,
  type LibraryKind,
  libraryRoom,
  librarySymbols,
  readySymbols,
  symbolsOfReady,
} from '../files/library.ts'
import { type KnownFile, putLibraryFile, readInBackground, type UploadDeps } from '../files/upload.ts'
import { searchedByMeaning } from '../knowledge/search-words.ts'
import { checkChangedModel, checkLibraryModel, type ProviderCountries, usableInLibrary } from '../models/countries.ts'
import { publishThread } from '../threads/to-thread.ts'

export interface ProjectDeps extends UploadDeps {
  providers: ProviderCountries
  /** How many projects a user may have. */
  most: number
}

/** By name, as people look for them. */
export async function listProjects({ db, user }: Ctx): Promise<ProjectRow[]> {
  const rows = await db.select(rowColumns).from(projects).where(eq(projects.userId, user.id))
  return rows.map(toRow).toSorted((a, b) => a.name.localeCompare(b.name, 'ru') || (a.id < b.id ? -1 : 1))
}

export const readProject = ({ db, user }: Ctx, id: string): Promise<Project> => findProject(db, user.id, id)

/** An import may bring one that lies in the archive. */
type NewProject = ProjectDraft & { archived?: boolean }

export async function createProject(
  ctx: OwnerCtx,
  { providers, most }: ProjectDeps,
  draft: NewProject,
): Promise<Project> {
  const { db, user } = ctx
  return db.transaction(async (tx) => {
    await lockUser(tx, user.id)
    if ((await tx.$count(projects, eq(projects.userId, user.id))) >= most) {
      noteRejection('stored-projects')
      throw new AppError('conflict', `Проектов может быть не больше ${most}. Удалите те, что больше не нужны.`)
    }
    await checkLibraryModel(tx, draft.modelId, { providerCountries: providers, country: draft.country })
    const id = newId()
    await tx.insert(projects).values({ id, userId: user.id, ...draft })
    publishProject(ctx, id)
    // The profile says whether there are projects: panels without any do not listen to theirs.
    afterCommit(() => ctx.publish(user.id, { topic: 'profile', type: 'changed', data: null }))
    return findProject(tx, user.id, id)
  })
}

/** What an import stores in the transaction of a project; `fileIds` has null for each given file without room. */
type AlsoStore = (tx: Db, id: string, fileIds: (string | null)[]) => Promise<void>

/** A project of an imported archive, with the files that fit; they are read and indexed later. */
export const createProjectWithFiles = (
  ctx: OwnerCtx,
  deps: ProjectDeps,
  draft: NewProject,
  given: readonly KnownFile[],
  alsoStore: AlsoStore,
) =>
  storeWithFiles(ctx, deps, given, async (tx) => (await createProject({ ...ctx, db: tx }, deps, draft)).id, alsoStore)

/** More files for a project that is here. */
export const addProjectFiles = (
  ctx: OwnerCtx,
  deps: ProjectDeps,
  id: string,
  given: readonly KnownFile[],
  alsoStore: AlsoStore,
) =>
  storeWithFiles(
    ctx,
    deps,
    given,
    async (tx) => {
      const own = tx.select({ id: projects.id }).from(projects).where(ownProject(ctx.user.id, id))
      if ((await own.for('no key update')).length === 0) throw projectNotFound()
      return id
    },
    alsoStore,
  )

async function storeWithFiles(
  ctx: OwnerCtx,
  deps: ProjectDeps,
  given: readonly KnownFile[],
  open: (tx: Db) => Promise<string>,
  alsoStore: AlsoStore,
): Promise<void> {
  const stored: Awaited<ReturnType<typeof putLibraryFile>>[] = []
  const unused = new Set<string>()
  try {
    for (const file of given.slice(0, MAX_LIBRARY_FILES)) {
      const row = await putLibraryFile(deps.storage, ctx.user.id, file)
      stored.push(row)
      unused.add(row.storageKey)
    }
    const fitting = await ctx.db.transaction(async (tx) => {
      const id = await open(tx)
      let places = MAX_LIBRARY_FILES - (await tx.$count(files, eq(files.libraryId, id)))
      let room = await libraryRoom(tx, ctx.user.id)
      const fits = stored.filter(({ bytes }) => {
        const isFitting = bytes <= room && places > 0
        if (isFitting) [room, places] = [room - bytes, places - 1]
        return isFitting
      })
      if (fits.length > 0) await tx.insert(files).values(fits.map((row) => ({ ...row, libraryId: id })))
      const ids = given.map((_, at) => stored[at]?.id ?? '')
      const present = new Set(fits.map((row) => row.id))
      await alsoStore(
        tx,
        id,
        ids.map((fileId) => (present.has(fileId) ? fileId : null)),
      )
      publishProject(ctx, id)
      return fits
    })
    for (const { id, storageKey } of fitting) {
      unused.delete(storageKey)
      void readInBackground(deps, id, ctx.user.id)
    }
  } finally {
    for (const key of unused) await deleteBytes(deps.storage, key)
  }
}

export async function updateProject(
  ctx: Ctx,
  { providers }: Pick<ProjectDeps, 'providers'>,
  id: string,
  change: ProjectChange,
): Promise<Project> {
  const { db, user } = ctx
  return db.transaction(async (tx) => {
    const [before] = await tx
      .select({ modelId: projects.modelId, country: projects.country })
      .from(projects)
      .where(ownProject(user.id, id))
      .for('no key update')
    if (!before) throw projectNotFound()
    await checkChangedModel(tx, before, change, providers)
    await tx
      .update(projects)
      .set({ ...change, updatedAt: new Date() })
      .where(ownProject(user.id, id))
    publishProject(ctx, id)
    return findProject(tx, user.id, id)
  })
}

/** Its chats lose their project; with `trash` they go to the trash, archived ones too. */
export async function deleteProject(
  ctx: Ctx,
  { storage }: Pick<UploadDeps, 'storage'>,
  id: string,
  chats: ChatsOfDeleted,
): Promise<{ id: string }> {
  const keys = await ctx.db.transaction((tx) => removeProject({ ...ctx, db: tx }, id, chats))
  for (const key of keys) await deleteBytes(storage, key)
  return { id }
}

/** In a transaction of the caller, who deletes the bytes under the returned keys after the commit. */
export async function removeProject(ctx: OwnerCtx, id: string, chats: ChatsOfDeleted): Promise<string[]> {
  const { db, user, publish } = ctx
  const own = db.select({ id: projects.id }).from(projects).where(ownProject(user.id, id))
  if ((await own.for('update')).length === 0) throw projectNotFound()
  const freed = await db
    .update(threads)
    .set({
      projectId: null,
      version: sql`${threads.version} + 1`,
      ...(chats === 'trash' && { deletedAt: sql`coalesce(${threads.deletedAt}, now())` }),
    })
    .where(and(eq(threads.projectId, id), eq(threads.userId, user.id)))
    .returning({ id: threads.id, version: threads.version })
  for (const thread of freed)
    publishThread(publish, { userId: user.id, ...thread }, chats === 'trash' ? 'removed' : 'changed')
  await db.delete(projects).where(ownProject(user.id, id))
  publishProject(ctx, id, 'removed')
  return deleteLibraryFiles(db, user.id, id)
}

/** The default model of its new chats and the country it is bound to. Throws unless it is the user's own. */
export async function projectModel(db: Db, userId: string, id: string) {
  const [row] = await db
    .select({ modelId: models.id, country: projects.country })
    .from(projects)
    .leftJoin(models, and(eq(models.id, projects.modelId), usableInLibrary))
    .where(ownProject(userId, id))
  if (!row) throw projectNotFound()
  return row
}

/** What a chat shows of its project; throws when it is not found, because its instructions would be missing. */
export async function threadProject(db: Db, userId: string, id: string): Promise<ThreadProject> {
  const { name, icon, instructions, searchWords, replacesPersonal, country } = projects
  const [row] = await db
    .select({ name, icon, instructions, searchWords, replacesPersonal, country })
    .from(projects)
    .where(ownProject(userId, id))
  if (!row) throw projectNotFound()
  const { instructions: _, searchWords: __, ...shown } = row
  return { id, ...shown, symbols: librarySymbols(row, await readySymbols(db, id), await isByMeaning(db, id)) }
}

export function publishProject({ publish, user }: OwnerCtx, id: string, type: 'changed' | 'removed' = 'changed'): void {
  afterCommit(() => publish(user.id, { topic: 'projects', type, data: { id } }))
}

export const projectLibrary: LibraryKind = {
  at: 'У проекта',
  lock: async (db, userId, id) => {
    const own = db.select({ id: projects.id }).from(projects).where(ownProject(userId, id))
    if ((await own.for('key share')).length === 0) throw projectNotFound()
  },
  publish: publishProject,
}

export const ownProject = (userId: string, id: string) => and(eq(projects.id, id), eq(projects.userId, userId))
export const projectNotFound = () => notFound('Такого проекта нет')

const isByMeaning = async (db: Db, id: string) => (await searchedByMeaning(db, [id])).has(id)

const rowColumns = {
  id: projects.id,
  name: projects.name,
  icon: projects.icon,
  archived: projects.archived,
  // Qualified by hand: the inner table has an id too.
  chats: sql<number>`(select count(*)::int from threads chat
    where chat.project_id = projects.id and chat.deleted_at is null and not chat.temporary)`,
  createdAt: projects.createdAt,
  updatedAt: projects.updatedAt,
}

const toRow = <Row extends { createdAt: Date; updatedAt: Date }>({ createdAt, updatedAt, ...row }: Row) => ({
  ...row,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

async function findProject(db: Db, userId: string, id: string): Promise<Project> {
  const { instructions, replacesPersonal, modelId, country, searchWords } = projects
  const [row] = await db
    .select({
      project: { ...rowColumns, instructions, replacesPersonal, modelId, country, searchWords },
      model: { id: models.id, name: models.name },
    })
    .from(projects)
    .leftJoin(models, and(eq(models.id, projects.modelId), usableInLibrary))
    .where(ownProject(userId, id))
  if (!row) throw projectNotFound()
  const files = (await filesOfLibraries(db, [id])).get(id) ?? []
  return {
    ...toRow(row.project),
    Model: row.model,
    files,
    symbols: librarySymbols(row.project, symbolsOfReady(files), await isByMeaning(db, id)),
  }
}
