import type { Regression } from './compare.ts'
import { formatFigure } from './numbers.ts'
import type { ResultPart } from './results.ts'
import { goalText, isMet } from './table.ts'

const reasons: Record<Regression['reason'], string> = {
  grown: 'больше',
  slower: 'медленнее',
  goal: 'цель больше не достигнута',
  failed: 'больше не измеряется',
}

/** Which goals are not reached, and what has become worse; null when there is nothing to compare with. */
export function printSummary(parts: readonly ResultPart[], regressions: Regression[] | null): void {
  const rows = parts.flatMap(({ tables }) => tables.flatMap(({ title, rows }) => rows.map((row) => ({ title, row }))))
  const aims = rows.filter(({ row }) => row.goal)
  const missed = aims.filter(({ row }) => !isMet(row))
  console.log(`\nВсего целей: ${aims.length}, достигнуто ${aims.length - missed.length}.`)
  for (const { title, row } of missed)
    console.log(`  ✗ ${title} · ${row.what}: ${number(row.ours)}${timesFloor(row)}, цель ${goalText(row.goal)}`)
  for (const { part } of parts.filter(({ isCorrect }) => !isCorrect)) console.log(`  ✗ ${part}: часть не удалась`)
  if (!regressions) console.log('Сравнить не с чем: это первый запуск.')
  else if (regressions.length === 0) console.log('Хуже, чем в прошлый раз, ничего не стало.')
  else console.log(`Хуже, чем в прошлый раз: ${regressions.length}.`)
  for (const { table, what, before, now, reason } of regressions ?? [])
    console.log(`  ↓ ${table} · ${what}: было ${number(before)}, стало ${number(now)} (${reasons[reason]})`)
}

const timesFloor = ({ ours, floor }: ResultPart['tables'][number]['rows'][number]) =>
  ours !== null && floor ? ` (${formatFigure(ours / floor)} раз)` : ''

const number = (value: number | null) => formatFigure(value ?? undefined)
