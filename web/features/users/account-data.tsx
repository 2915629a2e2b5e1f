import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addressOf } from '#contract/endpoint.ts'
import type { Profile } from '#contract/users.ts'
import { usersApi } from '#contract/users.ts'
import { formatSymbols } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { PasswordField } from '#web/ui/form/password-field.tsx'
import { Download } from '#web/ui/icons.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { AccountForm, AccountName } from './account-form.tsx'
import { accountsQuery, useDeleteAccount } from './account-queries.ts'
import { EmailSentNote } from './email-sent-note.tsx'

export function DeleteAccount({ profile }: { profile: Profile }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <p className="text-pretty text-muted">Аккаунт и всё, что в нём есть, исчезнет навсегда.</p>
      <Button variant="danger" onClick={() => setIsOpen(true)}>
        Удалить аккаунт
      </Button>
      <Dialog open={isOpen} onClose={() => setIsOpen(false)} title="Удалить аккаунт?">
        <DeleteAccountForm profile={profile} onClose={() => setIsOpen(false)} />
      </Dialog>
    </div>
  )
}

interface DeleteAccountFormProps {
  profile: Profile
  onClose: () => void
}

function DeleteAccountForm({ profile, onClose }: DeleteAccountFormProps) {
  const accounts = useQuery(accountsQuery)
  const deletion = useDeleteAccount()
  const [password, setPassword] = useState('')
  if (accounts.isError) return <QueryError query={accounts} />
  if (!accounts.data) return <Skeleton className="h-40" />
  if (deletion.data === 'email-sent')
    return (
      <EmailSentNote title="Проверьте почту" onClose={onClose}>
        Мы отправили письмо на {profile.email}. Откройте ссылку в нём в этом же браузере, и аккаунт удалится. Ссылка
        действует сутки; если передумали, ничего делать не нужно.
      </EmailSentNote>
    )

  const hasPassword = accounts.data.some(({ providerId }) => providerId === 'credential')
  return (
    <AccountForm
      call={deletion}
      submit={hasPassword ? 'Удалить навсегда' : 'Отправить письмо'}
      isDanger
      isReady={!hasPassword || password !== ''}
      cancel={{ label: 'Оставить аккаунт', onClick: onClose }}
      onSubmit={() => deletion.mutate(hasPassword ? { password } : {})}
    >
      <Losses symbols={profile.SingleSubscription.availableTokens} />
      {hasPassword ? (
        <>
          <AccountName email={profile.email} />
          <PasswordField label="Ваш пароль" value={password} onChange={setPassword} error={deletion.errors.password} />
        </>
      ) : (
        <p className="wrap-anywhere">
          Пароля у вас нет, поэтому пришлём письмо на {profile.email}: аккаунт удалится по ссылке в нём.
        </p>
      )}
    </AccountForm>
  )
}

function Losses({ symbols }: { symbols: number }) {
  return (
    <div>
      <p>Вернуть его будет нельзя. Пропадут:</p>
      <ul className="mt-2 list-disc space-y-1 pl-5">
        <li>профиль, настройки и всё, что вы создали;</li>
        {symbols > 0 && <li>остаток на балансе: {formatSymbols(symbols)};</li>}
        <li>вход на всех устройствах.</li>
      </ul>
      <p className="mt-2">
        <TextLink href={paths.help('account/after-deletion')}>Что остаётся после удаления</TextLink>
      </p>
    </div>
  )
}

export function OwnData({ userId }: { userId: string }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <div className="max-w-88">
        <p className="text-pretty text-muted">Один файл JSON: профиль, чаты, промпты, операции, платежи и согласия.</p>
        <p className="mt-1">
          <TextLink href={paths.imports()}>Перенести чаты из другого сервиса</TextLink>
        </p>
      </div>
      <a
        href={addressOf(usersApi.export, { params: { id: userId } })}
        download
        className={buttonStyle('secondary', 'md')}
      >
        <Download size={18} />
        Скачать мои данные
      </a>
    </div>
  )
}
