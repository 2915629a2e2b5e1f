import { and, desc, lt } from 'drizzle-orm'
import { csvHead, csvLine, FORMULA } from '#contract/csv.ts'
import type { ExportQuery } from '#contract/prompts-admin.ts'
import { prompts } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { csvHeaders } from '#server/lib/csv.ts'
import { type PromptRow, promptColumns } from '../access.ts'
import { adminFilter } from './table.ts'

const columns = {
  id: 'Номер',
  title: 'Название',
  description: 'Описание',
  category: 'Категория',
  published: 'Опубликован',
  position: 'Порядок',
  content: 'Текст',
} as const
type ColumnName = keyof typeof columns

const aliases: Record<string, ColumnName> = {
  заголовок: 'title',
  промпт: 'content',
  prompt: 'content',
  раздел: 'category',
}

/** Columns by their lower-case header in the file. */
export const columnNames = new Map<string, ColumnName>([
  ...Object.entries(aliases),
  ...Object.entries(columns).flatMap(([name, title]): [string, ColumnName][] => [
    [name, name as ColumnName],
    [title.toLowerCase(), name as ColumnName],
  ]),
])

const yes = new Set(['да', 'true', '1', 'yes', '+'])
const no = new Set(['нет', 'false', '0', 'no', '-'])
/** The apostrophe that `csvLine` writes before a text that a spreadsheet would run as a formula. */
const FORMULA_MARK = new RegExp(`^'(?='*${FORMULA})`)
const MARKED = new RegExp(`^'+${FORMULA}`)

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
function writeText(text: string): string {
  return MARKED.test(text) ? `'${text}` : text
}

const PAGE = 500

/** The filtered table, newest first, as a file that can be imported again. Streamed page by page. */
export async function exportPrompts(ctx: Ctx, { format, ...filter }: ExportQuery): Promise<Response> {
  const where = await adminFilter(ctx, filter)
  const pages = readPages(ctx, where)
  const name = `prompts-${new Date().toISOString().slice(0, 10)}`
  const [text, headers] =
    format === 'csv' ? [csvOf(pages), csvHeaders(name)] : [jsonOf(pages), jsonHeaders(`${name}.json`)]
  return new Response(ReadableStream.from(text).pipeThrough(new TextEncoderStream()), { headers })
}

async function* readPages({ db }: Ctx, where: Awaited<ReturnType<typeof adminFilter>>): AsyncGenerator<PromptRow[]> {
  let last: string | undefined
  do {
    const page = await db
      .select(promptColumns)
      .from(prompts)
      .where(and(where, last === undefined ? undefined : lt(prompts.id, last)))
      .orderBy(desc(prompts.id))
      .limit(PAGE)
    yield page
    last = page.length === PAGE ? page.at(-1)?.id : undefined
  } while (last !== undefined)
}

async function* csvOf(pages: AsyncIterable<PromptRow[]>): AsyncGenerator<string> {
  yield csvHead(Object.values(columns))
  for await (const page of pages) yield page.map(lineOf).join('')
}

function lineOf({ id, title, description, category, published, position, content }: PromptRow): string {
  const [name, about, group, text] = [title, description, category, content].map(writeText)
  return csvLine([id, name ?? '', about ?? '', group ?? '', published ? 'да' : 'нет', position, text ?? ''])
}

async function* jsonOf(pages: AsyncIterable<PromptRow[]>): AsyncGenerator<string> {
  yield '{\n  "prompts": ['
  let comma = ''
  for await (const page of pages) {
    for (const { id, title, description, category, published, position, content } of page) {
      yield `${comma}\n    ${JSON.stringify({ id, title, description, category, published, position, content })}`
      comma = ','
    }
  }
  yield '\n  ]\n}\n'
}

function jsonHeaders(name: string): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
  }
}
