import { asc, inArray } from 'drizzle-orm'
import { IMAGE_SYMBOLS } from '#contract/files.ts'
import { messageFiles } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { picturesInFlight } from '#server/llm/byte-budget.ts'
import type { LlmPicture } from '#server/llm/llm.ts'
import { branchUp, type MessageRow, noSuchMessage } from '../threads/branch.ts'
import type { AnswerContext } from './answer-context.ts'
import type { PromptMessage } from './prompt.ts'

/** A file as a model is given it. */
export type FileContent = { kind: 'document'; text: string } | { kind: 'image'; picture: LlmPicture }

/** One's own files, in the order of the ids. */
export type ReadFiles = (ctx: Ctx, ids: string[]) => Promise<FileContent[]>

/** What an answer is made from, before it is cut to the model's window. */
export interface PromptInput {
  history: PromptMessage[]
  question: PromptMessage
  begun: string
}

/** The messages before a question, as many as the settings say. */
export async function readHistory(
  ctx: Ctx,
  readFiles: ReadFiles,
  { threadId, historyLimit, model }: AnswerContext,
  parentId: string | null,
): Promise<PromptMessage[]> {
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
  { model }: AnswerContext,
  row: MessageRow,
): Promise<PromptMessage> {
  const files = await filesOf(ctx, readFiles, [row])
  return seen(say(row, files.get(row.id) ?? []), model.vision)
}

/** A question that is being sent. */
export async function newQuestion(
  ctx: Ctx,
  readFiles: ReadFiles,
  { model }: AnswerContext,
  content: string,
  fileIds: string[],
): Promise<PromptMessage> {
  const files = fileIds.length > 0 ? await readFiles(ctx, fileIds) : []
  return seen(say({ role: 'user', content }, files), model.vision)
}

/** All pictures of one request together. */
export const MAX_REQUEST_PICTURE_BYTES = 20 * 1024 * 1024

/** The pictures that fit into one request, the newest first; the model is told of the others. Nothing is read yet. */
export function fitPictures(
  { history, question, begun }: PromptInput,
  maxBytes = MAX_REQUEST_PICTURE_BYTES,
): PromptInput & { pictureBytes: number } {
  let left = maxBytes
  const withFitting = (promptMessage: PromptMessage): PromptMessage => {
    const pictures = promptMessage.pictures.filter(({ bytes }) => {
      const fits = bytes <= left
      if (fits) left -= bytes
      return fits
    })
    const omitted = promptMessage.pictures.length - pictures.length
    if (omitted === 0) return promptMessage
    return {
      ...promptMessage,
      documents: [...promptMessage.documents, omittedNote(omitted)],
      pictures,
      pictureSymbols: pictures.length * IMAGE_SYMBOLS,
    }
  }
  const shown = withFitting(question)
  const earlier = history.toReversed().map(withFitting).toReversed()
  return { history: earlier, question: shown, begun, pictureBytes: maxBytes - left }
}

const omittedNote = (count: number) =>
  `[Картинок из этого сообщения, которые не показаны: ${count}. Все картинки беседы вместе слишком велики.]`

/** What goes to the model, as far as its pictures fit; refused with 503 while too many are on their way. */
export async function admitPictures(
  { user }: Ctx,
  { model }: AnswerContext,
  promptInput: PromptInput,
): Promise<PromptInput> {
  if (model.kind === 'image') return promptInput
  const { pictureBytes, ...fitting } = fitPictures(promptInput)
  if (pictureBytes > 0) await picturesInFlight.check(user.id, pictureBytes)
  return fitting
}

function seen(question: PromptMessage, vision: boolean): PromptMessage {
  if (question.pictures.length === 0 || vision) return question
  throw new AppError('bad_request', 'Эта модель не видит картинок. Выберите другую или уберите картинку.', {
    field: 'fileIds',
  })
}

function say({ role, content }: Pick<MessageRow, 'role' | 'content'>, files: FileContent[]): PromptMessage {
  const pictures = files.flatMap((file) => (file.kind === 'image' ? [file.picture] : []))
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
