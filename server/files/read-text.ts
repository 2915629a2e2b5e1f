import { parse } from 'csv-parse/sync'
import { rowText } from './rows.ts'
import { join, MAX_SYMBOLS, type ReadText, tidy } from './tidy.ts'

/** A text as it is: indents and empty lines mean something in code and in Markdown. */
export function readPlain(text: string): ReadText {
  return join([{ name: null, text: tidy(text) }])
}

/** A table as rows of cells by tabs. What cannot be read as a table is still a text. */
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
    // Rows are kept as text at once: a table of arrays would be many times as large.
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

/** The one that splits the first lines most often; in Russian numbers a comma is no delimiter, so it comes last. */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, 10_000)
    .replace(/"[^"]*"/g, '')
    .split('\n', 20)
  const count = (sign: string) => Math.min(...lines.slice(0, 2).map((line) => line.split(sign).length))
  return delimiters.reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}
