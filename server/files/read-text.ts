import { parse } from 'csv-parse/sync'
import { rowText } from './rows.ts'
import { join, MAX_SYMBOLS, type ReadText, tidy } from './tidy.ts'

/** A text unchanged: indents and empty lines have a meaning in code and in Markdown. */
export function readPlain(text: string): ReadText {
  return join([{ name: null, text: tidy(text) }])
}

/** A table as rows with cells separated by tabs. What does not parse as CSV is read as plain text. */
export function readCsv(text: string): ReadText {
  try {
    return join([{ name: null, text: tidy(rowsOf(text).join('\n')) }])
  } catch {
    return readPlain(text)
  }
}

function rowsOf(text: string): string[] {
  const rows: string[] = []
  let length = 0
  parse(text, {
    delimiter: delimiterOf(text),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_SYMBOLS,
    // Rows are joined immediately: arrays of cells would take many times the memory.
    on_record: (record: string[]) => {
      if (length <= MAX_SYMBOLS) {
        const row = rowText(record)
        rows.push(row)
        length += row.length + 1
      }
      return null
    },
  })
  return rows
}

const delimiters = [';', '\t', ',']

/** The one that splits the first lines most often. The comma is tried last: Russian numbers contain it. */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, 10_000)
    .replace(/"[^"]*"/g, '')
    .split('\n', 20)
  const count = (sign: string) => Math.min(...lines.slice(0, 2).map((line) => line.split(sign).length))
  return delimiters.reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}
