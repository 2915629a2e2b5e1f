import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatSymbols } from '#web/lib/format.ts'
import { DayChart } from '#web/ui/chart/day-chart.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { usageQuery } from './queries.ts'

const periods = [
  { value: '7', label: '7 дней' },
  { value: '30', label: '30 дней' },
  { value: '90', label: '90 дней' },
] as const
type Period = (typeof periods)[number]['value']

export function Usage() {
  const [period, setPeriod] = useState<Period>('30')
  const usage = useQuery(usageQuery(Number(period)))
  const days = usage.data && usageDays(usage.data, Number(period))
  const total = days?.reduce((sum, { symbols }) => sum + symbols, 0) ?? 0
  return (
    <div className="flex flex-col gap-3">
      <Segmented label="За какое время" value={period} options={periods} onChange={setPeriod} />
      {usage.isError && <QueryError query={usage} />}
      {!days && !usage.isError && <Skeleton className="h-64 rounded-md" />}
      {days && (
        <DayChart
          key={period}
          title="Списано символов"
          days={days.map(({ day, symbols }) => ({ day, value: symbols }))}
          format={formatSymbols}
          sum={`Всего ${formatSymbols(total)}`}
        />
      )}
    </div>
  )
}

interface DayUse {
  /** «2026-11-15». */
  day: string
  symbols: number
}

const DAY_MS = 24 * 60 * 60_000
/** The server counts days in UTC+3 (Minsk and Moscow). */
const ZONE_MS = 3 * 60 * 60_000

/** One entry per day up to today, oldest first; a missing day has zero symbols. */
export function usageDays(rows: readonly DayUse[], count: number, now = Date.now()): DayUse[] {
  const spent = new Map(rows.map(({ day, symbols }) => [day, symbols]))
  return Array.from({ length: count }, (_, i) => {
    const day = new Date(now + ZONE_MS - (count - 1 - i) * DAY_MS).toISOString().slice(0, 10)
    return { day, symbols: spent.get(day) ?? 0 }
  })
}
