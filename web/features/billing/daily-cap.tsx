import { useState } from 'react'
import type { SingleSubscription } from '#contract/billing.ts'
import { dayZoneOf } from '#contract/day-zone.ts'
import { formatNumber, formatSymbols } from '#web/lib/format.ts'
import { message } from '#web/lib/notify.ts'
import { pageConfig } from '#web/lib/page-state.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/callout.tsx'
import { SymbolsField } from '#web/ui/form/unit-field.tsx'
import { useSetDailyCap } from './queries.ts'

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

interface DailyCapFormProps {
  dailyCap: number | null
  onClose: () => void
}

function DailyCapForm({ dailyCap, onClose }: DailyCapFormProps) {
  const save = useSetDailyCap()
  const [typed, setTyped] = useState(dailyCap === null ? '' : String(dailyCap))
  const [error, setError] = useState<string | null>(null)

  function submit() {
    const symbols = Number(typed.replace(/\s/g, ''))
    if (!Number.isInteger(symbols) || symbols < 1) return setError('Нужно целое число больше нуля.')
    setError(null)
    save.mutate(symbols, {
      onSuccess: () => {
        message.success('Предел сохранён')
        onClose()
      },
    })
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-3 border-t pt-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <SymbolsField
        label="Предел на день"
        autoFocus
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        hint={`Когда дневной расход дойдёт до него, ответы остановятся до полуночи ${dayZoneOf(pageConfig().country)}.`}
        error={error}
      />
      <ErrorNote text={save.errors.form} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={save.isPending}>
          Сохранить предел
        </Button>
        <Button variant="ghost" onClick={onClose}>
          Отменить
        </Button>
      </div>
    </form>
  )
}
