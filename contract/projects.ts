import * as z from 'zod/mini'
import { AssistantFile, Emoji, libraryFields } from './assistants.ts'
import { endpoint } from './endpoint.ts'
import { LibrarySymbols } from './threads.ts'

export const MAX_PROJECT_NAME = 80

/** Names of colours, for projects that have no emoji. */
export const projectColors = ['gray', 'red', 'orange', 'yellow', 'green', 'blue', 'violet'] as const
export type ProjectColor = (typeof projectColors)[number]
export const DEFAULT_ICON: ProjectColor = 'gray'

/** A project in lists. */
export const ProjectRow = z.object({
  id: z.string(),
  name: z.string(),
  /** An emoji or the name of a colour. */
  icon: z.string(),
  archived: z.boolean(),
  /** How many chats it has, without the trash. */
  chats: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type ProjectRow = z.infer<typeof ProjectRow>

/** `Model` is null when the model was deleted or hidden: new chats then use the default one. */
export const Project = z.extend(ProjectRow, {
  instructions: z.string(),
  /** The instructions are sent instead of the person's own ones, not beside them. */
  replacesPersonal: z.boolean(),
  modelId: z.nullable(z.string()),
  Model: z.nullable(z.object({ id: z.string(), name: z.string() })),
  country: z.nullable(z.string()),
  searchWords: z.boolean(),
  files: z.array(AssistantFile),
  symbols: LibrarySymbols,
})
export type Project = z.infer<typeof Project>

const Name = z.string().check(z.trim(), z.minLength(1, { error: 'Назовите проект' }), z.maxLength(MAX_PROJECT_NAME))
const fields = {
  ...libraryFields,
  icon: z.union([z.enum(projectColors), Emoji], { error: 'Нужен цвет или значок эмодзи' }),
  replacesPersonal: z.boolean(),
}
export const ProjectDraft = z.strictObject({
  name: Name,
  icon: z._default(fields.icon, DEFAULT_ICON),
  instructions: z._default(fields.instructions, ''),
  replacesPersonal: z._default(fields.replacesPersonal, false),
  modelId: z._default(fields.modelId, null),
  country: z._default(fields.country, null),
  searchWords: z._default(fields.searchWords, true),
})
export type ProjectDraft = z.infer<typeof ProjectDraft>
export const ProjectChange = z.partial(z.strictObject({ name: Name, ...fields, archived: z.boolean() }))
export type ProjectChange = z.infer<typeof ProjectChange>

/** What happens to the chats of a deleted project: they stay without one, or go to the trash. */
export const ChatsOfDeleted = z.enum(['keep', 'trash'], { error: 'Скажите, что делать с чатами: «keep» или «trash»' })
export type ChatsOfDeleted = z.infer<typeof ChatsOfDeleted>

/** Symbols charged in a month for its chats and files, the newest month first. */
export const MonthOfProject = z.object({
  /** «2026-11». */
  month: z.string(),
  chats: z.int(),
  files: z.int(),
})
export type MonthOfProject = z.infer<typeof MonthOfProject>

export const projectsApi = {
  list: endpoint('GET', '/api/projects', {
    who: 'user',
    summary: 'Все свои проекты по имени, вместе с архивом',
    returns: z.array(ProjectRow),
  }),
  create: endpoint('POST', '/api/projects', {
    who: 'user',
    summary: 'Создать проект; файлы добавляются отдельно, чаты — полем projectId чата',
    body: ProjectDraft,
    returns: Project,
  }),
  get: endpoint('GET', '/api/projects/:id', {
    who: 'user',
    summary: 'Проект: инструкции и файлы. Его чаты: GET /api/threads?project=…',
    returns: Project,
  }),
  update: endpoint('PATCH', '/api/projects/:id', {
    who: 'user',
    summary: 'Изменить проект: только названные поля',
    body: ProjectChange,
    returns: Project,
  }),
  delete: endpoint('DELETE', '/api/projects/:id', {
    who: 'user',
    summary: 'Удалить проект с файлами; chats=keep оставляет чаты без проекта, chats=trash убирает их в корзину',
    query: z.object({ chats: ChatsOfDeleted }),
    returns: z.object({ id: z.string() }),
  }),
  spending: endpoint('GET', '/api/projects/:id/spending', {
    who: 'user',
    summary: 'Сколько символов списано по месяцам за чаты и файлы проекта',
    returns: z.array(MonthOfProject),
  }),
  export: endpoint('GET', '/api/projects/:id/export', {
    who: 'user',
    summary: 'Проект одним архивом ZIP: чаты, файлы, инструкции. Его можно снова загрузить в «Перенос чатов»',
    answers: 'file',
  }),
  /** The body is multipart with the field `file`. */
  addFile: endpoint('POST', '/api/projects/:id/files', {
    who: 'user',
    summary:
      'Добавить документ: multipart, поле file, до 20 МБ; до 20 файлов у проекта. paid=1 заранее соглашается на цену, если бесплатный объём месяца закончился',
    query: z.object({ paid: z.optional(z.literal('1')) }),
    takes: 'form',
    returns: AssistantFile,
  }),
  removeFile: endpoint('DELETE', '/api/projects/:id/files/:fileId', {
    who: 'user',
    summary: 'Убрать файл проекта',
    returns: z.object({ id: z.string() }),
  }),
  retryFile: endpoint('POST', '/api/projects/:id/files/:fileId/retry', {
    who: 'user',
    summary: 'Прочитать заново файл, который не удалось прочитать',
    returns: AssistantFile,
  }),
  payFile: endpoint('POST', '/api/projects/:id/files/:fileId/pay', {
    who: 'user',
    summary: 'Согласиться на цену файла, названную в поле price: он станет находиться и по смыслу',
    returns: AssistantFile,
  }),
}
