import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { PageQuery } from './paging.ts'

export const MAX_PROMPT_TITLE = 120
export const MAX_PROMPT_DESCRIPTION = 300
export const MAX_PROMPT_CONTENT = 20_000
export const MAX_PROMPT_CATEGORY = 60
export const MAX_PROMPT_QUERY = 200
export const OTHER_CATEGORY = 'Разное'
export const PROMPT_TRASH_DAYS = 30
/** Stored versions of one prompt. */
export const STORED_VERSIONS = 100
export const MAX_SUGGESTIONS = 8

export const Prompt = z.object({
  id: z.string(),
  title: z.string(),
  /** One sentence about its purpose. May be empty. */
  description: z.string(),
  /** With its variables as `{{имя}}`. */
  content: z.string(),
  category: z.string(),
  /** Visible to all users. */
  published: z.boolean(),
  own: z.boolean(),
  canEdit: z.boolean(),
  favourite: z.boolean(),
  /** False for a prompt opened by a link that the caller has not added to the library. */
  inLibrary: z.boolean(),
  uses: z.int(),
  /** The position within its category; new prompts come first. */
  position: z.int(),
  /** Grows with every change of the text; used to detect conflicting changes. */
  version: z.int(),
  /** Null without a link, and for callers who may not share it. */
  shareId: z.nullable(z.string()),
  deletedAt: z.nullable(z.iso.datetime()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Prompt = z.infer<typeof Prompt>

const oneLine = z.overwrite<string>((text) => text.replace(/\s+/g, ' '))
const unixLines = z.overwrite<string>((text) => text.replace(/\r\n?/g, '\n'))
export const promptFields = {
  title: z.string().check(oneLine, z.trim(), z.minLength(1), z.maxLength(MAX_PROMPT_TITLE)),
  description: z.string().check(oneLine, z.trim(), z.maxLength(MAX_PROMPT_DESCRIPTION)),
  content: z.string().check(unixLines, z.trim(), z.minLength(1), z.maxLength(MAX_PROMPT_CONTENT)),
  category: z.string().check(
    oneLine,
    z.trim(),
    z.overwrite((text) => text || OTHER_CATEGORY),
    z.maxLength(MAX_PROMPT_CATEGORY),
  ),
  published: z.boolean(),
}

export const PromptDraft = z.strictObject({
  title: promptFields.title,
  content: promptFields.content,
  description: z._default(promptFields.description, ''),
  category: z._default(promptFields.category, OTHER_CATEGORY),
  /** For admins only. */
  published: z._default(promptFields.published, false),
})
export type PromptDraft = z.infer<typeof PromptDraft>

export const PromptChange = z.extend(z.partial(z.strictObject(promptFields)), {
  /** False restores it from the trash. */
  deleted: z.optional(z.literal(false)),
  /** The version that the change is based on; if it is not the current one, the response is 409. */
  version: z.optional(z.int()),
})
export type PromptChange = z.infer<typeof PromptChange>

/** `shared` are prompts opened by another user's link that is still valid. */
export const promptViews = ['all', 'own', 'favourites', 'published', 'shared'] as const
export const promptSorts = ['new', 'uses', 'order'] as const
export const PromptFilter = z.extend(PageQuery, {
  /** The cursor contains the name of a category. */
  cursor: z.optional(z.string().check(z.maxLength(400))),
  /** Searches by word forms; the best match comes first, and `sort` is ignored. */
  query: z.optional(z.string().check(z.trim(), z.maxLength(MAX_PROMPT_QUERY))),
  category: z.optional(z.string().check(z.maxLength(MAX_PROMPT_CATEGORY))),
  view: z._default(z.enum(promptViews), 'all'),
  /** `order` sorts by category and position. */
  sort: z._default(z.enum(promptSorts), 'new'),
})
export type PromptFilter = z.infer<typeof PromptFilter>

export const PromptCategory = z.object({ category: z.string(), count: z.int() })
export type PromptCategory = z.infer<typeof PromptCategory>

export const PromptVersion = z.object({
  version: z.int(),
  title: z.string(),
  description: z.string(),
  content: z.string(),
  category: z.string(),
  /** The author of the version; null for the product itself and for deleted users. */
  by: z.nullable(z.object({ name: z.string(), me: z.boolean() })),
  at: z.iso.datetime(),
})
export type PromptVersion = z.infer<typeof PromptVersion>

const UseId = z.string().check(z.regex(/^[\w-]{8,64}$/, { error: 'Нужен номер из 8–64 букв, цифр и дефисов' }))

export const promptsApi = {
  list: endpoint('GET', '/api/prompts', {
    who: 'user',
    summary: 'Свои, опубликованные и открытые по ссылке промпты, новые сверху; с query поиск по формам слов',
    query: PromptFilter,
    returns: z.array(Prompt),
  }),
  categories: endpoint('GET', '/api/prompts/categories', {
    who: 'user',
    summary: 'Категории и сколько промптов в каждой видно',
    query: z.object({ view: z._default(z.enum(promptViews), 'all') }),
    returns: z.array(PromptCategory),
  }),
  suggest: endpoint('GET', '/api/prompts/suggest', {
    who: 'user',
    summary: 'Несколько подходящих промптов для поля ввода: избранные и свои впереди',
    query: z.object({ query: z._default(z.string().check(z.trim(), z.maxLength(MAX_PROMPT_QUERY)), '') }),
    returns: z.array(Prompt),
  }),
  create: endpoint('POST', '/api/prompts', {
    who: 'user',
    summary: 'Сохранить промпт; published только администратору',
    body: PromptDraft,
    returns: Prompt,
  }),
  get: endpoint('GET', '/api/prompts/:id', {
    who: 'user',
    summary: 'Промпт; с share из ссылки и чужой',
    query: z.object({ share: z.optional(z.string().check(z.maxLength(64))) }),
    returns: Prompt,
  }),
  update: endpoint('PATCH', '/api/prompts/:id', {
    who: 'user',
    summary: 'Изменить промпт, опубликовать, вернуть из корзины: свой, а администратору любой',
    body: PromptChange,
    returns: Prompt,
  }),
  delete: endpoint('DELETE', '/api/prompts/:id', {
    who: 'user',
    summary: 'Убрать промпт в корзину на 30 дней',
    returns: Prompt,
  }),
  duplicate: endpoint('POST', '/api/prompts/:id/duplicate', {
    who: 'user',
    summary: 'Своя копия промпта',
    returns: Prompt,
  }),
  favourite: endpoint('POST', '/api/prompts/:id/favourite', {
    who: 'user',
    summary: 'Добавить в избранное или убрать',
    body: z.strictObject({ favourite: z.boolean() }),
    returns: Prompt,
  }),
  keep: endpoint('POST', '/api/prompts/:id/keep', {
    who: 'user',
    summary: 'Добавить в библиотеку промпт, открытый по ссылке',
    body: z.strictObject({ share: z.string().check(z.maxLength(64)) }),
    returns: Prompt,
  }),
  use: endpoint('POST', '/api/prompts/:id/use', {
    who: 'user',
    summary: 'Сказать, что промпт использован; повтор с тем же id не считается',
    body: z.strictObject({ id: UseId }),
    returns: Prompt,
  }),
  share: endpoint('POST', '/api/prompts/:id/share', {
    who: 'user',
    summary: 'Открыть по ссылке всем, кто вошёл',
    returns: Prompt,
  }),
  unshare: endpoint('DELETE', '/api/prompts/:id/share', {
    who: 'user',
    summary: 'Закрыть ссылку: кто по ней пришёл, больше не видит промпт',
    returns: Prompt,
  }),
  versions: endpoint('GET', '/api/prompts/:id/versions', {
    who: 'user',
    summary: 'История: нынешний вид первым, затем прежние',
    returns: z.array(PromptVersion),
  }),
  restore: endpoint('POST', '/api/prompts/:id/versions/:version/restore', {
    who: 'user',
    summary: 'Вернуть прежний вид; нынешний останется в истории',
    returns: Prompt,
  }),
}
