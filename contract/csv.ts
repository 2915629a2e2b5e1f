/** The one writer of CSV, for the files of the server and of the page. */

export type CsvCell = string | number | null

/** Marks the file as UTF-8 for spreadsheets. */
const BOM = '\uFEFF'

/** The beginning of a text that a spreadsheet would run as a formula. */
export const FORMULA = String.raw`(?:\s*[=+\-@＝＋－＠]|[\t\r\n])`
const BEGINS_FORMULA = new RegExp(`^${FORMULA}`)
/** Every sign that separates cells or rows for some program, and spaces that some programs drop. */
const NEEDS_QUOTES = /[";,|\t\r\n]|^\s|\s$/

/** Numbers in the Russian format. Text that a spreadsheet would run as a formula gets an apostrophe. */
export function cellText(value: CsvCell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value).replace('.', ',')
  const safe = BEGINS_FORMULA.test(value) ? `'${value}` : value
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvLine = (cells: readonly CsvCell[]) => `${cells.map(cellText).join(';')}\r\n`

export const csvHead = (names: readonly string[]) => BOM + csvLine(names)
