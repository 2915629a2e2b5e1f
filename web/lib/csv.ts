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

/** Hands a text over as a file. */
export function saveFile(name: string, text: string, type = 'text/csv;charset=utf-8'): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
