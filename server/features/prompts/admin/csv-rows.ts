import { parse } from 'csv-parse/sync'
import * as z from 'zod/mini'

export interface CsvRow {
  /** Where it begins in the file. */
  line: number
  cells: string[]
}

export interface CsvFile {
  rows: CsvRow[]
  /** Rows that cannot be told apart from their neighbours. */
  broken: number[]
}

const Parsed = z.array(z.object({ info: z.object({ lines: z.int() }), raw: z.string(), record: z.array(z.string()) }))

/** A file as spreadsheets save it: `;`, `,` or tabs between cells, quotes around what needs them. */
export function readCsv(source: string): CsvFile {
  const text = source.replace(/\r\n?/g, '\n')
  const broken: number[] = []
  const records = parse(text, {
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
  const rows = Parsed.parse(records).map(({ info, raw, record }) => ({ line: startOf(info.lines, raw), cells: record }))
  return { rows: rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== '')), broken }
}

/** A record is numbered by its end; a text in it may go over many lines. */
function startOf(end: number, raw: string): number {
  return end - (raw.trim().match(/\n/g)?.length ?? 0)
}

/** Whatever the head of the file has most of, outside quotes. */
function delimiterOf(text: string): string {
  const head = (text.split('\n', 1)[0] ?? '').replace(/"[^"]*"/g, '')
  const found = [';', ',', '\t'].map((sign) => ({ sign, count: head.split(sign).length }))
  return found.toSorted((a, b) => b.count - a.count)[0]?.sign ?? ';'
}
