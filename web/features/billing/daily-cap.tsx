import { useState } from 'react'
import type { SingleSubscription } from '#contract/billing.ts'
import { formatNumber, formatSymbols } from '#web/lib/format.ts'
import { message } from '#web/lib/notify.ts'
import { Button } from '#web/ui/button.tsx'
import { DailyCapForm } from './daily-cap-form.tsx'
import { useSetDailyCap } from './queries.ts'
import { ErrorNote } from './query-error.tsx'

export function DailyCap({ balance }: { balance: SingleSubscription }) {
  const { dailyCap, spentToday } = balance
  const [isEditing, setIsEditing] = useState(false)
  const clear = useSetDailyCap()
  if (isEditing) return <DailyCapForm dailyCap={dailyCap} onClose={() => setIsEditing(false)} />
  return (
    <div className="flex flex-col gap-3 border-t pt-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="figures">
          <h3 className="text-sm font-medium">Предел на день</h3>
          <p className="mt-1">
            {dailyCap === null
              ? `Не задан. Сегодня потрачено ${formatSymbols(spentToday)}.`
              : `Сегодня потрачено ${formatNumber(spentToday)} из ${formatNumber(dailyCap)}.`}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" onClick={() => setIsEditing(true)}>
            {dailyCap === null ? 'Задать предел' : 'Изменить'}
          </Button>
          {dailyCap !== null && (
            <Button
              size="sm"
              variant="ghost"
              busy={clear.isPending}
              onClick={() => clear.mutate(null, { onSuccess: () => message.success('Предел снят') })}
            >
              Снять предел
            </Button>
          )}
        </div>
      </div>
      <ErrorNote text={clear.errors.form} />
    </div>
  )
}
