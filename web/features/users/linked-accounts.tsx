import { useQuery } from '@tanstack/react-query'
import type { LinkedAccount } from '#contract/auth-schemas.ts'
import { formatDate } from '#web/lib/format.ts'
import { pageConfig } from '#web/lib/page-state.ts'
import { Button } from '#web/ui/button.tsx'
import { IconRow, RowSkeletons } from '#web/ui/icon-row.tsx'
import { KeyRound, Link2, Mail } from '#web/ui/icons.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { AccountError } from './account-form.tsx'
import { accountsQuery, useLinkAccount, useUnlinkAccount } from './account-queries.ts'

export function LinkedAccounts({ email }: { email: string }) {
  const accounts = useQuery(accountsQuery)
  const unlink = useUnlinkAccount()
  if (accounts.isError) return <QueryError query={accounts} />
  if (!accounts.data) return <RowSkeletons count={2} />

  const password = accounts.data.find(isPassword)
  const services = accounts.data.filter((account) => !isPassword(account))
  return (
    <div className="flex flex-col gap-4">
      <ul>
        <IconRow icon={<Mail size={20} />} title="Ссылка из письма" text={`Приходит на ${email}`} />
        {password && (
          <IconRow icon={<KeyRound size={20} />} title="Пароль" text={`Создан ${formatDate(password.createdAt)}`} />
        )}
        {services.map(({ id, providerId, accountId, createdAt }) => (
          <IconRow
            key={id}
            icon={<Link2 size={20} />}
            title={providerName(providerId)}
            text={`Привязан ${formatDate(createdAt)}`}
            action={
              <Button
                size="sm"
                aria-label={`Отвязать ${providerName(providerId)}`}
                busy={unlink.isPending && unlink.variables.accountId === accountId}
                onClick={() => unlink.mutate({ providerId, accountId })}
              >
                Отвязать
              </Button>
            }
          />
        ))}
      </ul>
      <AccountError errors={unlink.errors} />
      <LinkProviders linked={services.map(({ providerId }) => providerId)} />
    </div>
  )
}

function isPassword({ providerId }: LinkedAccount): boolean {
  return providerId === 'credential'
}

function providerName(id: string): string {
  return pageConfig().socialProviders.find((provider) => provider.id === id)?.name ?? id
}

function LinkProviders({ linked }: { linked: string[] }) {
  const link = useLinkAccount()
  const free = pageConfig().socialProviders.filter(({ id }) => !linked.includes(id))
  // After a success the browser is already navigating to the provider.
  const leavingFor = link.isPending || link.isSuccess ? link.variables : null
  if (free.length === 0) return null
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {free.map(({ id, name }) => (
          <Button
            key={id}
            size="sm"
            busy={leavingFor === id}
            disabled={leavingFor !== null}
            onClick={() => link.mutate(id)}
          >
            Привязать {name}
          </Button>
        ))}
      </div>
      <AccountError errors={link.errors} />
    </>
  )
}
