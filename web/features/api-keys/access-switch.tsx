import { useQuery } from '@tanstack/react-query'
import { Card } from '#web/ui/card.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { accessQuery, useSetAccess } from './queries.ts'

/** The owner's switch of all keys. */
export function AccessSwitch() {
  const access = useQuery(accessQuery)
  const set = useSetAccess()
  if (!access.data) return access.isError ? <QueryError query={access} /> : <Skeleton className="h-20 rounded-md" />
  return (
    <Card>
      <Switch
        label="Ключи API для всех"
        hint="Выключите, и программы людей сразу получат отказ на всех серверах. Сами ключи останутся."
        checked={access.data.isOn}
        disabled={set.isPending}
        onChange={(isOn) => set.mutate(isOn)}
      />
    </Card>
  )
}
