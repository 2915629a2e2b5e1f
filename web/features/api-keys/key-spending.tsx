import { useQuery } from '@tanstack/react-query'
import { type ApiKey, type KeySpending as DaySpending, KEY_SPENDING_DAYS } from '#contract/api-keys.ts'
import { formatSymbols } from '#web/lib/format.ts'
import { lastDays } from '#web/lib/last-days.ts'
import { DayChart } from '#web/ui/chart/day-chart.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { keySpendingQuery } from './queries.ts'

/** Symbols by day, a part of each bar for each key. */
export function KeySpending({ keys }: { keys: ApiKey[] }) {
  const spending = useQuery(keySpendingQuery)
  if (!spending.data)
    return spending.isError ? <QueryError query={spending} /> : <Skeleton className="h-64 rounded-md" />
  const days = lastDays(spending.data, KEY_SPENDING_DAYS)
  const total = days.reduce((sum, { symbols }) => sum + symbols, 0)
  return (
    <DayChart
      title="Списано по ключам"
      days={days.map(({ day, symbols }) => ({ day, value: symbols }))}
      series={seriesOf(spending.data, keys)}
      format={formatSymbols}
      sum={`За ${KEY_SPENDING_DAYS} дней ${formatSymbols(total)}`}
    />
  )
}

/** More lines than this could not be told apart. */
const MOST_KEYS = 5

/** The keys that spent most, each by day, and the others together. Keys of one name differ by their end. */
export function seriesOf(rows: readonly DaySpending[], keys: readonly ApiKey[], now = Date.now()) {
  const totals = new Map<string, number>()
  for (const { keyId, symbols } of rows) totals.set(keyId, (totals.get(keyId) ?? 0) + symbols)
  const ids = [...totals].sort(([, one], [, other]) => other - one).map(([id]) => id)
  const named = ids.length > MOST_KEYS + 1 ? ids.slice(0, MOST_KEYS) : ids
  const valuesOf = (of: (keyId: string) => boolean) =>
    lastDays(
      rows.filter(({ keyId }) => of(keyId)),
      KEY_SPENDING_DAYS,
      now,
    ).map(({ symbols }) => symbols)
  const nameOf = (id: string) => {
    const key = keys.find((one) => one.id === id)
    if (!key) return `удалённый …${id.slice(-4)}`
    const isTwice = keys.some((one) => one.id !== id && one.name === key.name)
    return isTwice ? `${key.name} …${key.lastFour}` : key.name
  }
  const series = named.map((id) => ({ name: nameOf(id), values: valuesOf((keyId) => keyId === id) }))
  if (named.length === ids.length) return series
  return [...series, { name: 'остальные ключи', values: valuesOf((keyId) => !named.includes(keyId)) }]
}
