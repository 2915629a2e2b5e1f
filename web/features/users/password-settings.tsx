import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PASSWORD_MIN } from '#contract/auth.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { AccountName, CurrentPasswordField, NewPasswordField } from '#web/ui/password-field.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { AccountError } from './account-error.tsx'
import { accountsQuery, useChangePassword, useCreatePassword } from './account-queries.ts'

export function PasswordSettings({ email }: { email: string }) {
  const accounts = useQuery(accountsQuery)
  const [isOpen, setIsOpen] = useState(false)
  if (accounts.isError) return <QueryError query={accounts} />
  if (!accounts.data) return <Skeleton className="h-10" />

  const hasPassword = accounts.data.some(({ providerId }) => providerId === 'credential')
  const Form = hasPassword ? ChangePasswordForm : CreatePasswordForm
  const invitation = hasPassword ? 'Сменить пароль' : 'Создать пароль'
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <p className="text-pretty text-muted">
        {hasPassword ? 'Пароль задан.' : 'Пароля нет: вы входите по ссылке из письма.'}
      </p>
      <Button onClick={() => setIsOpen(true)}>{invitation}</Button>
      <Dialog open={isOpen} onClose={() => setIsOpen(false)} title={invitation}>
        <Form email={email} onClose={() => setIsOpen(false)} />
      </Dialog>
    </div>
  )
}

interface ChangePasswordFormProps {
  email: string
  onClose: () => void
}

function ChangePasswordForm({ email, onClose }: ChangePasswordFormProps) {
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
      <AccountError errors={change.errors} />
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

interface CreatePasswordFormProps {
  email: string
  onClose: () => void
}

function CreatePasswordForm({ email, onClose }: CreatePasswordFormProps) {
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
      <AccountError errors={create.errors} />
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
