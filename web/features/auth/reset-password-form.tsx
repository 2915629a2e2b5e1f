import { useState } from 'react'
import { PASSWORD_MIN } from '#contract/auth.ts'
import { Button } from '#web/ui/button.tsx'
import { NewPasswordField } from '#web/ui/password-field.tsx'
import { FormError } from './form-error.tsx'
import { useResetPassword } from './queries.ts'

interface ResetPasswordFormProps {
  token: string
  onDone: () => void
}

export function ResetPasswordForm({ token, onDone }: ResetPasswordFormProps) {
  const reset = useResetPassword()
  const [newPassword, setNewPassword] = useState('')
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        reset.mutate({ newPassword, token }, { onSuccess: onDone })
      }}
    >
      <NewPasswordField
        atLeast={PASSWORD_MIN}
        label="Новый пароль"
        value={newPassword}
        onChange={setNewPassword}
        error={reset.errors.newPassword}
      />
      <FormError text={reset.errors.form} />
      <Button type="submit" variant="primary" busy={reset.isPending}>
        Сохранить пароль
      </Button>
    </form>
  )
}
