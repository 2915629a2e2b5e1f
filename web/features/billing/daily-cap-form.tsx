import { useState } from 'react'
import { message } from '#web/lib/notify.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useSetDailyCap } from './queries.ts'
import { ErrorNote } from './query-error.tsx'

interface DailyCapFormProps {
  dailyCap: number | null
  onClose: () => void
}

export function DailyCapForm({ dailyCap, onClose }: DailyCapFormProps) {
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
      <TextField
        label="Предел на день, символов"
        inputMode="numeric"
        autoComplete="off"
        autoFocus
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        hint="Когда дневной расход дойдёт до него, ответы остановятся до полуночи по Минску и Москве."
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
