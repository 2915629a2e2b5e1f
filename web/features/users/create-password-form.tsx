import { useState } from 'react'
import { PASSWORD_MIN } from '#contract/auth.ts'
import { Button } from '#web/ui/button.tsx'
import { AccountName, NewPasswordField } from '#web/ui/password-field.tsx'
import { useCreatePassword } from './account-queries.ts'
import { QueryErrorNote } from './query-error-note.tsx'

interface CreatePasswordFormProps {
  email: string
  onClose: () => void
}

export function CreatePasswordForm({ email, onClose }: CreatePasswordFormProps) {
  const create = useCreatePassword()
  const [newPassword, setNewPassword] = useState('')
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate(newPassword, { onSuccess: onClose })
      }}
    >
      <AccountName email={email} />
      <NewPasswordField
        atLeast={PASSWORD_MIN}
        label="Пароль"
        value={newPassword}
        onChange={setNewPassword}
        error={create.errors.newPassword}
      />
      <QueryErrorNote errors={create.errors} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="ghost" onClick={onClose}>
          Не создавать
        </Button>
        <Button type="submit" variant="primary" busy={create.isPending}>
          Создать пароль
        </Button>
      </div>
    </form>
  )
}
