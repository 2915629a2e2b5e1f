import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { parse } from 'csv-parse'
import * as z from 'zod/mini'
import { type BadRow, type ImportFile, MAX_IMPORT_ROWS } from '#contract/prompts-admin.ts'
import { checkJsonSize, type JsonLimits } from '#server/http/json-size.ts'
import { AppError } from '#server/lib/errors.ts'
import { columnNames, readCell } from './export.ts'

export interface RawRow {
  line: number
  values: Record<string, unknown>
}

export interface RawFile {
  rows: RawRow[]
  bad: BadRow[]
}

export async function readFile({ format, text }: ImportFile): Promise<RawFile> {
  const file = format === 'csv' ? await readCsvFile(text) : readJsonFile(text)
  const count = file.rows.length + file.bad.length
  if (count === 0) throw unreadable('В файле нет ни одного промпта.')
  if (count > MAX_IMPORT_ROWS) throw tooManyRows(String(count))
  return file
}

const tooManyRows = (count: string) =>
  unreadable(`В файле ${count} промптов, а за один раз можно не больше ${MAX_IMPORT_ROWS}. Разделите файл.`)

async function readCsvFile(text: string): Promise<RawFile> {
  const { rows, broken } = await readCsv(text)
  const [head, ...body] = rows
  const names = head?.cells.map((cell) => columnNames.get(cell.trim().toLowerCase()) ?? null) ?? []
  for (const [needed, title] of [
    ['title', 'Название'],
    ['content', 'Текст'],
  ] as const) {
    if (!names.includes(needed)) throw unreadable(`В первой строке файла нет столбца «${title}».`)
  }
  return {
    rows: body.map(({ line, cells }) => ({
      line,
      values: Object.fromEntries(
        names.flatMap((name, i) => (name === null ? [] : [[name, readCell(name, cells[i] ?? '')]])),
      ),
    })),
    bad: broken.map((line) => ({ line, title: '', reason: 'Кавычка открыта и не закрыта.' })),
  }
}

const List = z.array(z.unknown())
const Wrapped = z.object({ prompts: List })
const Item = z.record(z.string(), z.unknown())

/** Accepts our own export or a plain array. */
function readJsonFile(text: string): RawFile {
  const parsed = z.union([List, Wrapped]).safeParse(parseJson(text))
  if (!parsed.success) throw unreadable('Файл JSON должен содержать список промптов.')
  const file: RawFile = { rows: [], bad: [] }
  for (const [i, item] of (Array.isArray(parsed.data) ? parsed.data : parsed.data.prompts).entries()) {
    const values = Item.safeParse(item)
    if (values.success) file.rows.push({ line: i + 1, values: values.data })
    else file.bad.push({ line: i + 1, title: '', reason: 'Нужен объект с полями title и content.' })
  }
  return file
}

/** Each prompt has ten fields at most. */
const JSON_LIMITS: JsonLimits = { values: MAX_IMPORT_ROWS * 25, textBytes: Number.POSITIVE_INFINITY }

function parseJson(text: string): unknown {
  const json = text.replace(/^\uFEFF/, '')
  checkJsonSize(Buffer.from(json), JSON_LIMITS)
  try {
    return JSON.parse(json)
  } catch {
    throw unreadable('Файл не читается как JSON: проверьте скобки, кавычки и запятые.')
  }
}

const unreadable = (message: string) => new AppError('bad_request', message, { field: 'text' })

interface CsvRow {
  /** The first line of the row in the file. */
  line: number
  cells: string[]
}

interface CsvFile {
  rows: CsvRow[]
  /** First lines of rows that could not be parsed. */
  broken: number[]
}

const ParsedRow = z.object({ info: z.object({ lines: z.int() }), raw: z.string(), record: z.array(z.string()) })

/** Rows of a file, with those that are empty: spreadsheets write many of them. */
const MAX_CSV_ROWS = 10 * MAX_IMPORT_ROWS

/** Reads CSV as spreadsheets save it, with `;`, `,` or tabs between the cells. */
async function readCsv(source: string): Promise<CsvFile> {
  const text = source.replace(/\r\n?/g, '\n')
  const broken: number[] = []
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(text),
    info: true,
    raw: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error, raw) => {
      broken.push(startOf(Number(error?.lines ?? 1), raw ?? ''))
      return undefined
    },
  })
  const rows: CsvRow[] = []
  let count = 0
  for await (const parsed of Readable.from(piecesOf(text)).pipe(parser)) {
    count += 1
    if (count > MAX_CSV_ROWS) throw tooManyRows(`больше ${MAX_IMPORT_ROWS}`)
    const { info, raw, record } = ParsedRow.parse(parsed)
    if (record.some((cell) => cell.trim() !== '')) rows.push({ line: startOf(info.lines, raw), cells: record })
  }
  return { rows, broken }
}

const PIECE_BYTES = 4096

/** A cell costs a microsecond and a row ten, so that a file of a megabyte would hold up everybody for seconds. */
async function* piecesOf(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    yield bytes.subarray(at, at + PIECE_BYTES)
    await turn()
  }
}

/** The parser counts lines at the end of a record, which may span many lines. */
function startOf(end: number, raw: string): number {
  return end - (raw.trim().match(/\n/g)?.length ?? 0)
}

/** The separator that the header has most of, outside quotes. */
function delimiterOf(text: string): string {
  const head = (text.split('\n', 1)[0] ?? '').replace(/"[^"]*"/g, '')
  const found = [';', ',', '\t'].map((sign) => ({ sign, count: head.split(sign).length }))
  return found.toSorted((a, b) => b.count - a.count)[0]?.sign ?? ';'
}
