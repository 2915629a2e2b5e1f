/** The columns of a file of prompts: how they are called, written and read again. */

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

const others: Record<string, ColumnName> = {
  заголовок: 'title',
  промпт: 'content',
  prompt: 'content',
  раздел: 'category',
}

/** By what stands in the first line, in small letters. */
export const columnNames = new Map<string, ColumnName>([
  ...Object.entries(others),
  ...Object.entries(columns).flatMap(([name, title]): [string, ColumnName][] => [
    [name, name as ColumnName],
    [title.toLowerCase(), name as ColumnName],
  ]),
])

const yes = new Set(['да', 'true', '1', 'yes', '+'])
const no = new Set(['нет', 'false', '0', 'no', '-'])
/** What a spreadsheet would run as a formula is marked with an apostrophe when written: see server/lib/csv.ts. */
const MARKED = /^'(?='*[=+\-@\t\r\n])/

/** An empty cell says nothing, but for a description, which may be empty. */
export function readCell(name: ColumnName, cell: string): unknown {
  const text = cell.replace(MARKED, '')
  if (text.trim() === '') return name === 'description' ? '' : undefined
  if (name === 'position') return /^\d{1,9}$/.test(text.trim()) ? Number(text) : text
  if (name !== 'published') return text
  const word = text.trim().toLowerCase()
  if (yes.has(word)) return true
  return no.has(word) ? false : text
}

/** A text that already looks marked gets one mark more, so that reading gives it back as it was. */
export function writeText(text: string): string {
  return /^'+[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
}
