/** A cell as one line of a Markdown table. */
const cellOf = (text: string) => text.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|')

/**
 * Rows as a Markdown table; the first row is its header. Columns that are empty everywhere are left out, rows of one cell
 * above the header are titles, and a table of one column is plain lines.
 */
export function tableText(rows: readonly (readonly string[])[]): string {
  const filled = rows.map((row) => row.map(cellOf)).filter((row) => row.some(Boolean))
  const used = new Set<number>()
  for (const row of filled) for (const [at, cell] of row.entries()) if (cell !== '') used.add(at)
  const columns = [...used].sort((a, b) => a - b)
  const compact = filled.map((row) => columns.map((at) => row[at] ?? ''))
  if (columns.length < 2) return compact.flat().join('\n')
  const first = compact.findIndex((row) => row.filter(Boolean).length > 1)
  const titles = compact.slice(0, Math.max(first, 0)).map((row) => row.find(Boolean) ?? '')
  const [header = [], ...body] = compact.slice(Math.max(first, 0))
  const table = [`| ${header.join(' | ')} |`, `|${' --- |'.repeat(columns.length)}`, ...body.map(lineOf)].join('\n')
  return titles.length > 0 ? `${titles.join('\n')}\n\n${table}` : table
}

/** Empty cells at the end need no signs: Markdown adds them. */
function lineOf(cells: readonly string[]): string {
  const last = cells.findLastIndex(Boolean)
  return `| ${cells.slice(0, last + 1).join(' | ')} |`
}
