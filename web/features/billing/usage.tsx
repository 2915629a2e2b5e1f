import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Card } from '#web/ui/card.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { usageQuery } from './queries.ts'
import { QueryError } from './query-error.tsx'
import { UsageChart } from './usage-chart.tsx'
import { usageDays } from './usage-days.ts'
import { UsageTable } from './usage-table.tsx'

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
  return (
    <Card className="flex flex-col gap-4">
      <Segmented label="За какое время" value={period} options={periods} onChange={setPeriod} />
      {usage.isError && <QueryError query={usage} />}
      {!days && !usage.isError && <Skeleton className="h-44" />}
      {days && (
        <>
          <UsageChart key={period} days={days} />
          <UsageTable days={days} />
        </>
      )}
    </Card>
  )
}
