export interface Move {
  id: string
  anchorId: string
  place: 'before' | 'after'
}

/** The rows after a move. */
export function moved<Row extends { id: string }>(rows: readonly Row[], { id, anchorId, place }: Move): Row[] {
  const row = rows.find((one) => one.id === id)
  const others = rows.filter((one) => one.id !== id)
  const anchor = others.findIndex((one) => one.id === anchorId)
  if (!row || anchor < 0) return [...rows]
  return others.toSpliced(place === 'after' ? anchor + 1 : anchor, 0, row)
}

interface Placed {
  id: string
  category: string
  /** Only admins move published prompts, even those of another owner. */
  canEdit: boolean
}

/** One step past the nearest row of the same category; null at its end. */
export function step(rows: readonly Placed[], id: string, direction: -1 | 1): Move | null {
  const from = rows.findIndex((row) => row.id === id)
  for (let at = from + direction; from >= 0 && at >= 0 && at < rows.length; at += direction) {
    const other = rows[at]
    if (other && isNeighbour(rows, id, other.id)) {
      return { id, anchorId: other.id, place: direction < 0 ? 'before' : 'after' }
    }
  }
  return null
}

export function isNeighbour(rows: readonly Placed[], id: string, otherId: string): boolean {
  const [row, other] = [rows.find((one) => one.id === id), rows.find((one) => one.id === otherId)]
  return id !== otherId && row?.category === other?.category && row?.canEdit === true && other?.canEdit === true
}
