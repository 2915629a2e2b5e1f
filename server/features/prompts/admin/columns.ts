export const columns = {
  id: 'Номер',
  title: 'Название',
  description: 'Описание',
  category: 'Категория',
  published: 'Опубликован',
  position: 'Порядок',
  content: 'Текст',
} as const
export type ColumnName = keyof typeof columns

const aliases: Record<string, ColumnName> = {
  заголовок: 'title',
  промпт: 'content',
  prompt: 'content',
  раздел: 'category',
}

/** By the lower-case header of the file. */
export const columnNames = new Map<string, ColumnName>([
  ...Object.entries(aliases),
  ...Object.entries(columns).flatMap(([name, title]): [string, ColumnName][] => [
    [name, name as ColumnName],
    [title.toLowerCase(), name as ColumnName],
  ]),
])

const yes = new Set(['да', 'true', '1', 'yes', '+'])
const no = new Set(['нет', 'false', '0', 'no', '-'])
/** The apostrophe that server/lib/csv.ts writes before a text that a spreadsheet would run as a formula. */
const FORMULA_MARK = /^'(?='*[=+\-@\t\r\n])/

/** Undefined for an empty cell, so that the value stays; only a description can be empty. */
export function readCell(name: ColumnName, cell: string): unknown {
  const text = cell.replace(FORMULA_MARK, '')
  if (text.trim() === '') return name === 'description' ? '' : undefined
  if (name === 'position') return /^\d{1,9}$/.test(text.trim()) ? Number(text) : text
  if (name !== 'published') return text
  const word = text.trim().toLowerCase()
  if (yes.has(word)) return true
  return no.has(word) ? false : text
}

/** A text that already begins with such an apostrophe gets another one, so that reading restores it. */
export function writeText(text: string): string {
  return /^'+[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
}
