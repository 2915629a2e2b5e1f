import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { NewPasswordForm, PasswordField } from '#web/ui/form/password-field.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { AccountFormFooter, AccountName } from './account-form.tsx'
import { accountsQuery, useChangePassword, useCreatePassword } from './account-queries.ts'
import { EndKeysSwitch, useHasKeys } from './end-keys-switch.tsx'

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

interface PasswordFormProps {
  email: string
  onClose: () => void
}

function ChangePasswordForm({ email, onClose }: PasswordFormProps) {
  const change = useChangePassword()
  const [currentPassword, setCurrentPassword] = useState('')
  const [revokeOtherSessions, setRevokeOtherSessions] = useState(true)
  const hasKeys = useHasKeys()
  const [endApiKeys, setEndApiKeys] = useState(true)
  return (
    <NewPasswordForm
      call={change}
      label="Новый пароль"
      submit="Сменить пароль"
      onSubmit={(newPassword) =>
        change.mutate(
          { currentPassword, newPassword, revokeOtherSessions, ...(hasKeys && { endApiKeys }) },
          { onSuccess: onClose },
        )
      }
      footer={
        <>
          <Switch
            label="Выйти на остальных устройствах"
            hint="Там нужно будет войти с новым паролем."
            checked={revokeOtherSessions}
            onChange={setRevokeOtherSessions}
          />
          {hasKeys && <EndKeysSwitch checked={endApiKeys} onChange={setEndApiKeys} />}
          <AccountFormFooter call={change} submit="Сменить пароль" cancel={{ label: 'Не менять', onClick: onClose }} />
        </>
      }
    >
      <AccountName email={email} />
      <PasswordField
        label="Нынешний пароль"
        value={currentPassword}
        onChange={setCurrentPassword}
        error={change.errors.password}
      />
    </NewPasswordForm>
  )
}

function CreatePasswordForm({ email, onClose }: PasswordFormProps) {
  const create = useCreatePassword()
  return (
    <NewPasswordForm
      call={create}
      label="Пароль"
      submit="Создать пароль"
      footer={
        <AccountFormFooter call={create} submit="Создать пароль" cancel={{ label: 'Не создавать', onClick: onClose }} />
      }
      onSubmit={(newPassword) => create.mutate(newPassword, { onSuccess: onClose })}
    >
      <AccountName email={email} />
    </NewPasswordForm>
  )
}
