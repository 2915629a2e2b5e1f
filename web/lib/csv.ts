import { saveBlob } from './save-file.ts'

/** CSV in the same format as the server's: semicolons, a BOM for UTF-8, formulas escaped. */

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

export function saveCsv(name: string, text: string): void {
  saveBlob(new Blob([text], { type: 'text/csv;charset=utf-8' }), name)
}
