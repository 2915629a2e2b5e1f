export type Cell = string | number | boolean | Date | null

/** One row as one line: cells separated by tabs, line breaks inside cells replaced. */
export function rowText(cells: Cell[]): string {
  return cells.map(cellText).join('\t').trimEnd()
}

function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (cell instanceof Date)
    return cell
      .toISOString()
      .replace('T00:00:00.000Z', '')
      .replace('T', ' ')
      .replace(/(:00)?\.000Z$/, '')
  return String(cell).replace(/\s+/g, ' ').trim()
}
