import { saveBlob } from './save-file.ts'

/** A spreadsheet made in the browser, in the manner of the server's: semicolons, a mark for UTF-8, no formulas. */

type Cell = string | number | null

const BOM = '\uFEFF'

export function csvText(head: string[], rows: Cell[][]): string {
  return BOM + [head, ...rows].map((cells) => `${cells.map(cellText).join(';')}\r\n`).join('')
}

function cellText(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value).replace('.', ',')
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Hands a spreadsheet over as a file. */
export function saveCsv(name: string, text: string): void {
  saveBlob(new Blob([text], { type: 'text/csv;charset=utf-8' }), name)
}
