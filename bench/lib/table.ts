import { show } from './numbers.ts'

export interface Row {
  what: string
  ours: number
  /** The same of the least that could do the job. */
  floor?: number
  /** What we aim for: at most this, or at most this many times the floor. */
  goal?: { most: number } | { timesFloor: number }
}

type Cells = [string, string, string, string, string, string]

/** Prints a table and says whether every goal in it is met. */
export function printTable(title: string, rows: Row[]): { met: number; goals: number } {
  const head: Cells = [title, 'у нас', 'предел', 'раз', 'цель', '']
  const lines = [head, ...rows.map(cellsOf)]
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  const draw = (cells: Cells) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')
  console.log(`\n${draw(head)}\n${widths.map((width) => '─'.repeat(width)).join('──')}`)
  for (const cells of lines.slice(1)) console.log(draw(cells).trimEnd())
  const goals = rows.filter(({ goal }) => goal)
  return { met: goals.filter(isMet).length, goals: goals.length }
}

function cellsOf(row: Row): Cells {
  const { what, ours, floor, goal } = row
  const ratio = floor ? show(ours / floor) : ''
  const wanted = !goal ? '' : 'most' in goal ? `≤ ${show(goal.most)}` : `≤ ${show(goal.timesFloor)} раз`
  return [what, show(ours), floor === undefined ? '' : show(floor), ratio, wanted, goal ? (isMet(row) ? '✓' : '✗') : '']
}

function isMet({ ours, floor, goal }: Row): boolean {
  if (!goal) return true
  return 'most' in goal ? ours <= goal.most : floor !== undefined && ours <= floor * goal.timesFloor
}

export function printGoals(tables: { met: number; goals: number }[]): void {
  const met = tables.reduce((total, table) => total + table.met, 0)
  const goals = tables.reduce((total, table) => total + table.goals, 0)
  console.log(`\nЦели: достигнуто ${met} из ${goals}. Машина общая, поэтому смотрите прежде всего на отношения.`)
}
