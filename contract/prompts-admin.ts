import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { idList } from './id-list.ts'
import { TableQuery, tableOf } from './paging.ts'
import { MAX_PROMPT_CATEGORY, Prompt, promptFields } from './prompts.ts'

/** The table of prompts: admins see all prompts, other users their own. */

export const MAX_BULK_PROMPTS = 500
export const MAX_IMPORT_ROWS = 2000
/** A file of 1 MB. */
export const MAX_IMPORT_SYMBOLS = 1_048_576

export const AdminPrompt = z.extend(Prompt, {
  /** Null for prompts of the library. */
  owner: z.nullable(z.string()),
})
export type AdminPrompt = z.infer<typeof AdminPrompt>

export const promptTableStates = ['all', 'published', 'private', 'trash'] as const
/** `order` sorts by category and position. */
export const promptTableSorts = ['order', 'title', 'category', 'published', 'uses', 'updatedAt'] as const
const filters = {
  category: z.optional(z.string().check(z.maxLength(MAX_PROMPT_CATEGORY))),
  state: z._default(z.enum(promptTableStates), 'all'),
}
export const PromptTableQuery = z.extend(TableQuery, filters)
export type PromptTableQuery = z.infer<typeof PromptTableQuery>

const Ids = idList(MAX_BULK_PROMPTS)
export const BulkAction = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('publish'), ids: Ids }),
  z.strictObject({ action: z.literal('unpublish'), ids: Ids }),
  z.strictObject({ action: z.literal('categorise'), ids: Ids, category: promptFields.category }),
  z.strictObject({ action: z.literal('delete'), ids: Ids }),
  z.strictObject({ action: z.literal('restore'), ids: Ids }),
])
export type BulkAction = z.infer<typeof BulkAction>

/** The changed prompts with their former category, to undo the change. */
export const BulkResult = z.object({ changed: z.array(z.object({ id: z.string(), category: z.string() })) })
export type BulkResult = z.infer<typeof BulkResult>

export const importFormats = ['json', 'csv'] as const
export type ImportFormat = (typeof importFormats)[number]

export const importActions = ['add', 'change', 'same'] as const
export const changedFields = ['title', 'description', 'category', 'content', 'published', 'position'] as const
export type ChangedField = (typeof changedFields)[number]

/** A valid row of the file. */
export const ImportItem = z.object({
  /** The first line of the row in CSV, or the number of the record in JSON. */
  line: z.int(),
  action: z.enum(importActions),
  title: z.string(),
  category: z.string(),
  fields: z.array(z.enum(changedFields)),
})
export type ImportItem = z.infer<typeof ImportItem>

export const BadRow = z.object({ line: z.int(), title: z.string(), reason: z.string() })
export type BadRow = z.infer<typeof BadRow>

export const ImportPreview = z.object({
  /** The hash of the file and of the compared prompts; required again when the import is applied. */
  hash: z.string(),
  items: z.array(ImportItem),
  bad: z.array(BadRow),
})
export type ImportPreview = z.infer<typeof ImportPreview>

const ImportFile = z.strictObject({
  format: z.enum(importFormats),
  text: z.string().check(z.maxLength(MAX_IMPORT_SYMBOLS)),
})
export type ImportFile = z.infer<typeof ImportFile>

/** A file, with `?format=` and the filters of the table. */
export const ExportQuery = z.object({
  format: z._default(z.enum(importFormats), 'json'),
  query: TableQuery.shape.query,
  ...filters,
})
export type ExportQuery = z.infer<typeof ExportQuery>

export const promptsAdminApi = {
  table: endpoint('GET', '/api/prompts/table', {
    who: 'user',
    summary: 'Таблица промптов: свои, а администратору все',
    query: PromptTableQuery,
    returns: tableOf(AdminPrompt),
  }),
  export: endpoint('GET', '/api/prompts/export', {
    who: 'user',
    summary: 'Промпты отбора файлом',
    query: ExportQuery,
    answers: 'file',
  }),
  bulk: endpoint('POST', '/api/prompts/bulk', {
    who: 'user',
    summary: 'Опубликовать, снять с публикации, сменить категорию, удалить или вернуть сразу несколько',
    body: BulkAction,
    returns: BulkResult,
  }),
  move: endpoint('POST', '/api/prompts/:id/move', {
    who: 'user',
    summary: 'Поставить промпт перед другим той же категории или после него',
    body: z.strictObject({ anchorId: z.string(), side: z.enum(['before', 'after']) }),
    returns: Prompt,
  }),
  preview: endpoint('POST', '/api/prompts/import/preview', {
    who: 'user',
    summary: 'Что изменит файл: что добавится, что поменяется, какие строки не годятся',
    body: ImportFile,
    returns: ImportPreview,
  }),
  import: endpoint('POST', '/api/prompts/import/apply', {
    who: 'user',
    summary: 'Применить файл целиком; hash из предпросмотра, изменилась основа — 409',
    body: z.extend(ImportFile, { hash: z.string() }),
    returns: ImportPreview,
  }),
}
