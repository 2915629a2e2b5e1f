export interface Move {
  id: string
  anchorId: string
  side: 'before' | 'after'
}

export function withMove<Row extends { id: string }>(rows: readonly Row[], { id, anchorId, side }: Move): Row[] {
  const row = rows.find((one) => one.id === id)
  const others = rows.filter((one) => one.id !== id)
  const anchor = others.findIndex((one) => one.id === anchorId)
  if (!row || anchor < 0) return [...rows]
  return others.toSpliced(side === 'after' ? anchor + 1 : anchor, 0, row)
}

interface PromptRow {
  id: string
  category: string
  /** Only admins move published prompts, even those of another owner. */
  canEdit: boolean
}

/** The move that leads to this order of ids; null unless the row went past an editable row of its category. */
export function findMove(rows: readonly PromptRow[], ids: readonly string[], id: string): Move | null {
  const from = rows.findIndex((row) => row.id === id)
  const to = ids.indexOf(id)
  if (from < 0 || from === to) return null
  const anchorId = ids[to < from ? to + 1 : to - 1]
  if (anchorId === undefined || !isNeighbour(rows, id, anchorId)) return null
  return { id, anchorId, side: to < from ? 'before' : 'after' }
}

export function isNeighbour(rows: readonly PromptRow[], id: string, otherId: string): boolean {
  const [row, other] = [rows.find((one) => one.id === id), rows.find((one) => one.id === otherId)]
  return id !== otherId && row?.category === other?.category && row?.canEdit === true && other?.canEdit === true
}
