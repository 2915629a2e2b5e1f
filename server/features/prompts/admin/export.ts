import { and, desc, lt } from 'drizzle-orm'
import type { ExportQuery } from '#contract/prompts-admin.ts'
import { prompts } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { csvHead, csvHeaders, csvLine } from '#server/lib/csv.ts'
import { type PromptRow, promptColumns } from '../to-prompt.ts'
import { columns, writeText } from './columns.ts'
import { adminFilter } from './table.ts'

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
