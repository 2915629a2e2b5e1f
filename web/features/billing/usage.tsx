import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatSymbols } from '#web/lib/format.ts'
import { lastDays } from '#web/lib/last-days.ts'
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
  const days = usage.data && lastDays(usage.data, Number(period))
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
