import type { Goal } from './goals.ts'
import { formatFigure } from './numbers.ts'
import { storeTable } from './results.ts'

export interface Row {
  what: string
  ours: number
  /** The same figure of the baseline, the least that could do the job. */
  floor?: number
  goal?: Goal
  /** Bytes and counts, the same in every run: any growth is a step back. */
  isExact?: boolean
}

type Cells = [string, string, string, string, string, string]

export interface Score {
  met: number
  goals: number
}

export function printTable(title: string, rows: Row[]): Score {
  const head: Cells = [title, 'у нас', 'предел', 'раз', 'цель', '']
  const lines = [head, ...rows.map(cellsOf)]
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  const draw = (cells: Cells) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')
  console.log(`\n${draw(head)}\n${widths.map((width) => '─'.repeat(width)).join('──')}`)
  for (const cells of lines.slice(1)) console.log(draw(cells).trimEnd())
  storeTable(title, rows)
  return scoreOf(rows)
}

export function scoreOf(rows: readonly Row[]): Score {
  const aims = rows.filter(({ goal }) => goal)
  return { met: aims.filter(isMet).length, goals: aims.length }
}

function cellsOf(row: Row): Cells {
  const { what, ours, floor, goal } = row
  const ratio = floor ? formatFigure(ours / floor) : ''
  return [
    what,
    formatFigure(ours),
    floor === undefined ? '' : formatFigure(floor),
    ratio,
    goalText(goal),
    goal ? (isMet(row) ? '✓' : '✗') : '',
  ]
}

export function goalText(goal: Goal | undefined): string {
  if (!goal) return ''
  if ('leastShare' in goal) return `≥ ${formatFigure(goal.leastShare)} раз`
  const times = goal.timesFloor === undefined ? [] : [`≤ ${formatFigure(goal.timesFloor)} раз`]
  return ['most' in goal ? [`≤ ${formatFigure(goal.most)}`] : [], times].flat().join(' и ')
}

interface Figure {
  ours: number | null
  floor?: number | null | undefined
  goal?: Goal | undefined
}

/** A figure that could not be measured does not meet its goal. */
export function isMet({ ours, floor, goal }: Figure): boolean {
  if (!goal) return true
  if (ours === null) return false
  const least = floor ?? Number.NaN
  if ('leastShare' in goal) return ours >= least * goal.leastShare
  const isWithin = !('most' in goal) || ours <= goal.most
  return isWithin && (goal.timesFloor === undefined || ours <= least * goal.timesFloor)
}

export function printGoals(tables: readonly Score[]): void {
  const met = tables.reduce((total, table) => total + table.met, 0)
  const goals = tables.reduce((total, table) => total + table.goals, 0)
  console.log(`\nЦели: достигнуто ${met} из ${goals}. Машина общая, поэтому смотрите прежде всего на отношения.`)
}
