import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { accountsQuery } from './account-queries.ts'
import { ChangePasswordForm } from './change-password-form.tsx'
import { CreatePasswordForm } from './create-password-form.tsx'
import { QueryError } from './query-error.tsx'

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
