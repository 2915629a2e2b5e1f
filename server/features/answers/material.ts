import { asc, inArray } from 'drizzle-orm'
import { IMAGE_SYMBOLS } from '#contract/files.ts'
import { messageFiles } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { branchUp, type MessageRow, noSuchMessage } from '../threads/branch.ts'
import type { Said } from './prompt.ts'
import type { Situation } from './situation.ts'

/** A file as a model is given it. */
export type FileContent = { kind: 'document'; text: string } | { kind: 'image'; url: string }

/** One's own files, in the order of the ids. */
export type ReadFiles = (ctx: Ctx, ids: string[]) => Promise<FileContent[]>

/** What an answer is made from, before it is cut to the model's window. */
export interface Material {
  history: Said[]
  question: Said
  begun: string
}

/** The messages before a question, as many as the settings say. */
export async function readHistory(
  ctx: Ctx,
  readFiles: ReadFiles,
  { threadId, historyLimit, model }: Situation,
  parentId: string | null,
): Promise<Said[]> {
  if (parentId === null) return []
  const rows = await branchUp(ctx.db, ctx.user.id, parentId, historyLimit)
  const parent = rows.at(-1)
  if (parent?.threadId !== threadId) throw noSuchMessage()
  if (parent.status === 'streaming') throw new AppError('conflict', 'Ответ ещё пишется. Дождитесь его или остановите.')
  const files = await filesOf(ctx, readFiles, rows)
  return rows.map((row) =>
    say(
      row,
      (files.get(row.id) ?? []).filter(({ kind }) => kind === 'document' || model.vision),
    ),
  )
}

/** A stored question with its files. */
export async function readQuestion(
  ctx: Ctx,
  readFiles: ReadFiles,
  { model }: Situation,
  row: MessageRow,
): Promise<Said> {
  const files = await filesOf(ctx, readFiles, [row])
  return seen(say(row, files.get(row.id) ?? []), model.vision)
}

/** A question that is being sent. */
export async function newQuestion(
  ctx: Ctx,
  readFiles: ReadFiles,
  { model }: Situation,
  content: string,
  fileIds: string[],
): Promise<Said> {
  const files = fileIds.length > 0 ? await readFiles(ctx, fileIds) : []
  return seen(say({ role: 'user', content }, files), model.vision)
}

function seen(question: Said, vision: boolean): Said {
  if (question.pictures.length === 0 || vision) return question
  throw new AppError('bad_request', 'Эта модель не видит картинок. Выберите другую или уберите картинку.', {
    field: 'fileIds',
  })
}

function say({ role, content }: Pick<MessageRow, 'role' | 'content'>, files: FileContent[]): Said {
  const pictures = files.flatMap((file) => (file.kind === 'image' ? [file.url] : []))
  return {
    role,
    content,
    documents: files.flatMap((file) => (file.kind === 'document' ? [file.text] : [])),
    pictures,
    pictureSymbols: pictures.length * IMAGE_SYMBOLS,
  }
}

async function filesOf(ctx: Ctx, readFiles: ReadFiles, rows: MessageRow[]): Promise<Map<string, FileContent[]>> {
  const asked = rows.filter(({ role }) => role === 'user').map(({ id }) => id)
  if (asked.length === 0) return new Map()
  const links = await ctx.db
    .select({ messageId: messageFiles.messageId, fileId: messageFiles.fileId })
    .from(messageFiles)
    .where(inArray(messageFiles.messageId, asked))
    .orderBy(asc(messageFiles.position))
  if (links.length === 0) return new Map()
  const contents = await readFiles(
    ctx,
    links.map(({ fileId }) => fileId),
  )
  const byMessage = new Map<string, FileContent[]>()
  for (const [i, { messageId }] of links.entries()) {
    const content = contents[i]
    if (content) byMessage.set(messageId, [...(byMessage.get(messageId) ?? []), content])
  }
  return byMessage
}
