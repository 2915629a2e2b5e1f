import { useState } from 'react'
import { message } from '#web/lib/notify.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useUpdateProfile } from './queries.ts'

export function NameForm({ name }: { name: string }) {
  const update = useUpdateProfile()
  const [draft, setDraft] = useState<string | null>(null)
  const typed = draft ?? name
  const isEmpty = typed.trim() === ''
  const isChanged = typed.trim() !== name
  return (
    <form
      noValidate
      className="flex flex-col items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (isEmpty || !isChanged) return
        update.mutate(
          { name: typed.trim() },
          {
            onSuccess: () => {
              setDraft(null)
              message.success('Имя сохранено')
            },
          },
        )
      }}
    >
      <div className="w-full">
        <TextField
          label="Имя"
          name="name"
          autoComplete="name"
          maxLength={100}
          value={typed}
          onChange={(event) => setDraft(event.target.value)}
          hint={name === '' ? 'Как к вам обращаться.' : null}
          error={isEmpty && isChanged ? 'Имя не может быть пустым.' : null}
        />
      </div>
      {isChanged && (
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" disabled={isEmpty} busy={update.isPending}>
            Сохранить имя
          </Button>
          <Button variant="ghost" onClick={() => setDraft(null)}>
            Отменить
          </Button>
        </div>
      )}
    </form>
  )
}
