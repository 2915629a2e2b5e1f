import { useState } from 'react'
import { PASSWORD_MIN } from '#contract/auth.ts'
import { Button } from '#web/ui/button.tsx'
import { AccountName, CurrentPasswordField, NewPasswordField } from '#web/ui/password-field.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { useChangePassword } from './account-queries.ts'
import { QueryErrorNote } from './query-error-note.tsx'

interface ChangePasswordFormProps {
  email: string
  onClose: () => void
}

export function ChangePasswordForm({ email, onClose }: ChangePasswordFormProps) {
  const change = useChangePassword()
  const [currentPassword, setCurrentPassword] = useState('')
  const [newPassword, setNewPassword] = useState('')
  const [revokeOtherSessions, setRevokeOtherSessions] = useState(true)
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate({ currentPassword, newPassword, revokeOtherSessions }, { onSuccess: onClose })
      }}
    >
      <AccountName email={email} />
      <CurrentPasswordField
        label="Нынешний пароль"
        value={currentPassword}
        onChange={setCurrentPassword}
        error={change.errors.password}
      />
      <NewPasswordField
        atLeast={PASSWORD_MIN}
        label="Новый пароль"
        value={newPassword}
        onChange={setNewPassword}
        error={change.errors.newPassword}
      />
      <Switch
        label="Выйти на остальных устройствах"
        hint="Там нужно будет войти с новым паролем."
        checked={revokeOtherSessions}
        onChange={setRevokeOtherSessions}
      />
      <QueryErrorNote errors={change.errors} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="ghost" onClick={onClose}>
          Не менять
        </Button>
        <Button type="submit" variant="primary" busy={change.isPending}>
          Сменить пароль
        </Button>
      </div>
    </form>
  )
}
