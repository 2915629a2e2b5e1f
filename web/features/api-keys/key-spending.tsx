import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiKey, KEY_SPENDING_DAYS } from '#contract/api-keys.ts'
import { formatSymbols } from '#web/lib/format.ts'
import { lastDays } from '#web/lib/last-days.ts'
import { DayChart } from '#web/ui/chart/day-chart.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { keySpendingQuery } from './queries.ts'

const ALL = ''

/** Symbols by day, of all keys or of one. */
export function KeySpending({ keys }: { keys: ApiKey[] }) {
  const [keyId, setKeyId] = useState(ALL)
  const spending = useQuery(keySpendingQuery)
  if (!spending.data)
    return spending.isError ? <QueryError query={spending} /> : <Skeleton className="h-64 rounded-md" />
  const rows = spending.data.filter((row) => keyId === ALL || row.keyId === keyId)
  const days = lastDays(rows, KEY_SPENDING_DAYS)
  const total = days.reduce((sum, { symbols }) => sum + symbols, 0)
  const options = [{ value: ALL, label: 'Все ключи' }, ...keys.map(({ id, name }) => ({ value: id, label: name }))]
  return (
    <div className="flex flex-col gap-3">
      <div className="w-full sm:w-72">
        <SelectField
          label="Чей расход"
          value={keyId}
          options={options}
          onChange={(event) => setKeyId(event.target.value)}
        />
      </div>
      <DayChart
        key={keyId}
        title="Списано по ключам"
        days={days.map(({ day, symbols }) => ({ day, value: symbols }))}
        format={formatSymbols}
        sum={`За ${KEY_SPENDING_DAYS} дней ${formatSymbols(total)}`}
      />
    </div>
  )
}
