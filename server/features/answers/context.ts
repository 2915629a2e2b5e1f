import { and, asc, eq, exists, inArray, isNull, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { MESSAGES_WHEN_HISTORY_OFF } from '#contract/billing.ts'
import { IMAGE_SYMBOLS } from '#contract/files.ts'
import { personalInstructions } from '#contract/users.ts'
import { assistants, messageFiles, models, projects, settings, threadSummaries, threads } from '#server/db/schema.ts'
import { preparedOnce, statement, type Value } from '#server/db/statement.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import type { LlmImage } from '#server/llm/llm.ts'
import { imagesInFlight } from '#server/llm/request.ts'
import { commonCountry } from '../models/countries.ts'
import type { ModelRow } from '../models/models.ts'
import { summaryInUse } from '../summaries/stored.ts'
import { latestLast, type MessageRow, noSuchMessage, walkUp } from '../threads/message-rows.ts'
import { type MaskingSettings, maskingSettingsIn } from './masking.ts'
import type { PromptMessage, SentSummary } from './prompt.ts'

/** Thread, model, assistant and history settings of an answer, loaded in one query. */
export interface AnswerContext {
  threadId: string
  leafId: string | null
  isTemporary: boolean
  /** Null also when the assistant was deleted: the thread continues as a plain one. */
  assistant: AnswerLibrary | null
  project: AnswerLibrary | null
  /** Where the data stays, by the assistant and the project; null for anywhere. */
  country: string | null
  /** The person's own instructions as they are now; empty for none, and when the project replaces them. */
  personal: string
  maskingSettings: MaskingSettings
  historyLimit: number
  /** The history may begin with a summary. */
  hasSummary: boolean
  model: ModelRow
  /** The newest answer to the question with this id, when the question is already stored. */
  answerId: string | null
  followUp: FollowUp
}

/** Instructions and files that are sent with a question. */
export interface AnswerLibrary {
  id: string
  instructions: string
  country: string | null
  searchWords: boolean
}

/** Work that may follow the answer, as known before it starts; most answers need none. */
export interface FollowUp {
  /** The thread still has its first title. */
  title: boolean
  /** The user has turned on automatic summaries. */
  summary: boolean
}

export async function loadAnswerContext(
  ctx: Ctx,
  threadId: string,
  modelId: string | undefined,
  questionId: string | null = null,
): Promise<AnswerContext> {
  const values = { threadId, userId: ctx.user.id, modelId: modelId ?? null, questionId }
  const [row] = await selectContext(ctx.db).execute(values)
  if (!row) throw notFound('У вас нет беседы с таким ID')
  if (row.answerId !== null) {
    const { leafId, isTemporary, assistant, answerId } = row
    return {
      threadId,
      leafId,
      isTemporary,
      assistant,
      project: null,
      country: null,
      personal: '',
      maskingSettings: null,
      historyLimit: 0,
      hasSummary: false,
      model: row.model as ModelRow,
      answerId,
      followUp: { title: false, summary: false },
    }
  }
  const model = assertAnswers(row.model, modelId)
  const { assistant, project } = row
  // An answer without the instructions of its project would look like an answer with them.
  if (row.projectId !== null && project === null) throw projectMissing()
  return {
    threadId,
    leafId: row.leafId,
    isTemporary: row.isTemporary,
    assistant,
    project,
    country: commonCountry(assistant, project),
    personal: project?.replacesPersonal ? '' : personalInstructions(row.settings),
    maskingSettings: maskingSettingsIn(row.settings),
    historyLimit: historyLimitOf(model, row.settings),
    // A summary replaces earlier messages, so it is not sent when they would not be sent either.
    hasSummary: row.hasSummary === true && row.settings.threadHistory && model.kind !== 'image',
    model,
    answerId: null,
    followUp: {
      title: row.titleSource === 'default' && !row.isTemporary,
      summary: row.settings.threadSummaries === 'auto',
    },
  }
}

const projectMissing = () =>
  new AppError('conflict', 'Проект этого чата не найден, поэтому вопрос не отправлен. Переместите чат и повторите.')

const newestAnswer = sql<string | null>`(
  select answer.id from messages answer
  where answer.parent_id = ${sql.placeholder('questionId')} and answer.role = 'assistant'
    and answer.thread_id = threads.id and answer.user_id = threads.user_id
  order by answer.created_at desc, answer.id desc limit 1)`

const chosenModel = sql`coalesce(${sql.placeholder('modelId')}::text, ${threads.modelId}, ${settings.threadModel})`

const selectContext = preparedOnce((db) =>
  db
    .select({
      leafId: threads.currentLeafId,
      isTemporary: threads.temporary,
      titleSource: threads.titleSource,
      assistant: {
        id: assistants.id,
        instructions: assistants.instructions,
        country: assistants.country,
        searchWords: assistants.searchWords,
      },
      projectId: threads.projectId,
      project: {
        id: projects.id,
        instructions: projects.instructions,
        country: projects.country,
        searchWords: projects.searchWords,
        replacesPersonal: projects.replacesPersonal,
      },
      settings,
      model: models,
      answerId: newestAnswer,
      hasSummary: exists(
        db.select({ one: sql`1` }).from(threadSummaries).where(eq(threadSummaries.threadId, threads.id)),
      ),
    })
    .from(threads)
    .innerJoin(settings, eq(settings.userId, threads.userId))
    .leftJoin(assistants, and(eq(assistants.id, threads.assistantId), eq(assistants.userId, threads.userId)))
    .leftJoin(projects, and(eq(projects.id, threads.projectId), eq(projects.userId, threads.userId)))
    .leftJoin(models, and(eq(models.id, chosenModel), eq(models.hidden, false)))
    .where(
      and(
        eq(threads.id, sql.placeholder('threadId')),
        eq(threads.userId, sql.placeholder('userId')),
        isNull(threads.deletedAt),
      ),
    )
    .prepare('answer_context'),
)

type HistorySettings = Pick<typeof settings.$inferSelect, 'threadHistory' | 'threadHistoryLimit'>

/** An image model gets only the description; one message is still read to check that the parent exists. */
function historyLimitOf({ kind }: ModelRow, { threadHistory, threadHistoryLimit }: HistorySettings): number {
  if (kind === 'image') return 1
  return threadHistory ? threadHistoryLimit : MESSAGES_WHEN_HISTORY_OFF
}

function assertAnswers(model: ModelRow | null, wanted: string | undefined): ModelRow {
  if (!model && wanted !== undefined) throw notFound('Такой модели нет')
  if (!model) throw new AppError('conflict', 'Модель этого чата больше недоступна. Выберите другую.')
  if (model.kind !== 'text' && model.kind !== 'image') {
    throw new AppError('bad_request', 'Эта модель не отвечает в чате. Выберите другую.', { field: 'modelId' })
  }
  return model
}

/** An image may have been read: then a model that does not see gets its text. */
export type FileContent = { kind: 'document'; text: string } | { kind: 'image'; image: LlmImage; text?: string }

/** Reads the caller's own files, in the order of the ids. */
export type ReadFiles = (ctx: Ctx, ids: string[]) => Promise<FileContent[]>

/** Messages and files of a prompt, before they are cut to the model's context window. */
export interface PromptInput {
  history: PromptMessage[]
  /** Stands for the messages before the history. */
  summary?: SentSummary | null
  question: PromptMessage
  /** The text so far of an answer that is continued, else empty. */
  begun: string
}

/** The messages before a question: as many as the settings allow, after a summary if there is one. */
export async function readHistory(
  ctx: Ctx,
  readFiles: ReadFiles,
  { threadId, historyLimit, hasSummary, model }: AnswerContext,
  parentId: string | null,
  withoutSummary?: string,
): Promise<{ history: PromptMessage[]; summary: SentSummary | null }> {
  if (parentId === null) return { history: [], summary: null }
  const end = { userId: ctx.user.id, threadId, leafId: parentId }
  const used = hasSummary ? await summaryInUse(ctx.db, end, withoutSummary) : null
  const rows = await readBranch(ctx.db, { userId: ctx.user.id, leafId: parentId, limit: historyLimit })
  const parent = rows.at(-1)
  if (parent?.thread_id !== threadId) throw noSuchMessage()
  if (parent.status === 'streaming') throw new AppError('conflict', 'Ответ ещё пишется. Дождитесь его или остановите.')
  const sent = used ? rows.slice(Math.max(0, rows.length - used.after)) : rows
  const links = sent.flatMap(({ id, role, file_ids }) =>
    role === 'user' ? file_ids.map((fileId) => ({ messageId: id, fileId })) : [],
  )
  const files = await readLinked(ctx, readFiles, links)
  const history = sent.map((row) => ({
    id: row.id,
    ...toPromptMessage(
      row,
      forModel(files.get(row.id) ?? [], model).filter(({ kind }) => kind === 'document' || model.vision),
    ),
  }))
  return { history, summary: used?.row ?? null }
}

const HistoryRow = z.object({
  id: z.string(),
  thread_id: z.string(),
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  status: z.string(),
  file_ids: z.array(z.string()),
})

const readBranch = statement(
  'history',
  (value: Value<'userId' | 'leafId' | 'limit'>) => sql`
    select branch.id, branch.thread_id, branch.role, branch.content, branch.status,
      array(select f.file_id from ${messageFiles} f where f.message_id = branch.id order by f.position) as file_ids
    from (${walkUp({ userId: value('userId'), leafId: value('leafId'), limit: value('limit') })}) branch
    order by ${latestLast}`,
  HistoryRow,
)

/** A stored question with its files. */
export async function readQuestion(
  ctx: Ctx,
  readFiles: ReadFiles,
  { model }: AnswerContext,
  row: MessageRow,
): Promise<PromptMessage> {
  const files = await filesOf(ctx, readFiles, [row])
  return assertModelSeesImages(toPromptMessage(row, forModel(files.get(row.id) ?? [], model)), model.vision)
}

/** A question that is not stored yet. */
export async function newQuestion(
  ctx: Ctx,
  readFiles: ReadFiles,
  { model }: AnswerContext,
  content: string,
  fileIds: string[],
): Promise<PromptMessage> {
  const files = fileIds.length > 0 ? await readFiles(ctx, fileIds) : []
  return assertModelSeesImages(toPromptMessage({ role: 'user', content }, forModel(files, model)), model.vision)
}

export const MAX_REQUEST_IMAGE_BYTES = 20 * 1024 * 1024

/** Keeps the newest images that fit into one request; a note replaces the others. Reads sizes only, no bytes. */
export function fitImages(
  { history, summary = null, question, begun }: PromptInput,
  maxBytes = MAX_REQUEST_IMAGE_BYTES,
): PromptInput & { imageBytes: number } {
  let left = maxBytes
  const withFitting = (message: PromptMessage): PromptMessage => {
    const images = message.images.filter(({ bytes }) => {
      const fits = bytes <= left
      if (fits) left -= bytes
      return fits
    })
    const omitted = message.images.length - images.length
    if (omitted === 0) return message
    return {
      ...message,
      documents: [...message.documents, omittedNote(omitted)],
      images,
      imageSymbols: images.length * IMAGE_SYMBOLS,
    }
  }
  const shown = withFitting(question)
  const earlier = history.toReversed().map(withFitting).toReversed()
  return { history: earlier, summary, question: shown, begun, imageBytes: maxBytes - left }
}

const omittedNote = (count: number) =>
  `[Картинок из этого сообщения, которые не показаны: ${count}. Все картинки чата вместе слишком велики.]`

/** Cuts the images to the limit of a request. Throws 503 while too many image bytes are in flight. */
export async function admitImages(
  { user }: Ctx,
  { model }: AnswerContext,
  promptInput: PromptInput,
): Promise<PromptInput> {
  if (model.kind === 'image') return promptInput
  const { imageBytes, ...fitting } = fitImages(promptInput)
  if (imageBytes > 0) await imagesInFlight.check(user.id, imageBytes)
  return fitting
}

/** An image that was read is not paid for twice: models that answer with text get its text. */
const forModel = (files: FileContent[], { kind }: Pick<ModelRow, 'kind'>): FileContent[] =>
  files.map((file) =>
    file.kind === 'image' && file.text && kind === 'text' ? { kind: 'document', text: file.text } : file,
  )

function assertModelSeesImages(question: PromptMessage, vision: boolean): PromptMessage {
  if (question.images.length === 0 || vision) return question
  throw new AppError('bad_request', 'Эта модель не видит картинок. Выберите другую или уберите картинку.', {
    field: 'fileIds',
  })
}

function toPromptMessage({ role, content }: Pick<MessageRow, 'role' | 'content'>, files: FileContent[]): PromptMessage {
  const images = files.flatMap((file) => (file.kind === 'image' ? [file.image] : []))
  return {
    role,
    content,
    documents: files.flatMap((file) => (file.kind === 'document' ? [file.text] : [])),
    images,
    imageSymbols: images.length * IMAGE_SYMBOLS,
  }
}

async function filesOf(ctx: Ctx, readFiles: ReadFiles, rows: MessageRow[]): Promise<Map<string, FileContent[]>> {
  const questionIds = rows.filter(({ role }) => role === 'user').map(({ id }) => id)
  if (questionIds.length === 0) return new Map()
  const links = await ctx.db
    .select({ messageId: messageFiles.messageId, fileId: messageFiles.fileId })
    .from(messageFiles)
    .where(inArray(messageFiles.messageId, questionIds))
    .orderBy(asc(messageFiles.position))
  return readLinked(ctx, readFiles, links)
}

async function readLinked(
  ctx: Ctx,
  readFiles: ReadFiles,
  links: { messageId: string; fileId: string }[],
): Promise<Map<string, FileContent[]>> {
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
