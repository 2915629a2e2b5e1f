import * as z from 'zod/mini'
import {
  MAX_PROMPT_CATEGORY,
  MAX_PROMPT_CONTENT,
  MAX_PROMPT_DESCRIPTION,
  MAX_PROMPT_TITLE,
  promptFields,
} from '#contract/prompts.ts'

/** What a file may leave out stays as it is, or as it is at first. */
const ImportRow = z.object({
  id: z.optional(z.string().check(z.maxLength(64))),
  title: promptFields.title,
  content: promptFields.content,
  description: z.optional(promptFields.description),
  category: z.optional(promptFields.category),
  published: z.optional(promptFields.published),
  position: z.optional(z.int().check(z.minimum(0), z.maximum(1_000_000))),
})
export type ImportRow = z.infer<typeof ImportRow>

const missing: Record<string, string> = { title: 'Нет названия.', content: 'Нет текста.' }
const wrong: Record<string, string> = {
  id: 'Номер: нужна строка до 64 знаков.',
  title: `Название длиннее ${MAX_PROMPT_TITLE} знаков.`,
  content: `Текст длиннее ${MAX_PROMPT_CONTENT.toLocaleString('ru-RU')} знаков.`,
  description: `Описание: нужен текст до ${MAX_PROMPT_DESCRIPTION} знаков.`,
  category: `Категория: нужен текст до ${MAX_PROMPT_CATEGORY} знаков.`,
  published: 'Опубликован: нужно «да» или «нет» (в JSON true или false).',
  position: 'Порядок: нужно целое число от 0.',
}

export function readRow(values: Record<string, unknown>): ImportRow | { reason: string } {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
  const row = ImportRow.safeParse(given)
  if (row.success) return row.data
  const field = String(row.error.issues[0]?.path[0] ?? '')
  const value = given[field]
  const isEmpty = value === undefined || (typeof value === 'string' && value.trim() === '')
  return { reason: (isEmpty ? missing[field] : undefined) ?? wrong[field] ?? 'Строка не подходит.' }
}
