import { type Findings, isClean } from './judge.ts'

export interface Row extends Findings {
  id: string
  name: string
  /** Null without a recovery to measure. */
  seconds: number | null
  /** Why the scenario did not run. */
  skipped: string | null
}

const DETAILS_SHOWN = 6

const head = ['', 'сценарий', 'потеряно', 'удвоено', 'неверных списаний', 'не ответило', 'застряло', 'ошибок', 'секунд']

export function printTable(rows: Row[]): void {
  const lines = [head, ...rows.map(cellsOf)]
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  const draw = (cells: string[]) =>
    cells.map((cell, i) => (i < 2 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')
  console.log(`\n${draw(head)}\n${widths.map((width) => '─'.repeat(width)).join('──')}`)
  for (const cells of lines.slice(1)) console.log(draw(cells))
}

export function printDetails({ id, name, details }: Row): void {
  console.log(`\n✗ ${id} ${name}`)
  for (const line of details.slice(0, DETAILS_SHOWN)) console.log(`  ${line}`)
  if (details.length > DETAILS_SHOWN) console.log(`  и ещё ${details.length - DETAILS_SHOWN}`)
}

function cellsOf(row: Row): string[] {
  const mark = row.skipped ? '–' : isClean(row) ? '✓' : '✗'
  const name = `${mark} ${row.name}${row.skipped ? ` (пропущен: ${row.skipped})` : ''}`
  const { lost, duplicated, charges, failed, stuck, errors, seconds } = row
  const counts = [lost, duplicated, charges, failed, stuck, errors].map(String)
  return [row.id, name, ...counts, seconds === null ? '' : seconds.toFixed(1)]
}
