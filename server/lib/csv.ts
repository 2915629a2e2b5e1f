/** Tells spreadsheets that the file is UTF-8. */
const BOM = '\uFEFF'

type Cell = string | number | null

export const csvLine = (cells: Cell[]) => `${cells.map(cellText).join(';')}\r\n`

/** The first line of a file, with its mark. */
export const csvHead = (names: string[]) => BOM + csvLine(names)

export function csvHeaders(name: string): Record<string, string> {
  return {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}.csv"`,
    'cache-control': 'no-store',
  }
}

/** Numbers as a Russian spreadsheet reads them. A text that it would run as a formula is marked as a text. */
export function cellText(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value).replace('.', ',')
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
