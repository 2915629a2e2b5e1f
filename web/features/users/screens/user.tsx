import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { ApiError } from '#contract/errors.ts'
import { GrantList } from '#web/features/billing/grant-list.tsx'
import { operationName } from '#web/features/billing/operation-labels.ts'
import { userCardQuery } from '#web/features/users/admin/queries.ts'
import { UserCardView } from '#web/features/users/admin/user-card.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { FormLoading, ItemNotFound } from '#web/ui/form/form-loading.tsx'

export default function UserScreen({ params: { id = '' } }: { params: Record<string, string> }) {
  const [, navigate] = useLocation()
  const user = useQuery(userCardQuery(id))
  if (user.error instanceof ApiError && user.error.status === 404)
    return (
      <ItemNotFound
        title="Такого пользователя нет"
        back={{ label: 'К списку пользователей', href: adminPaths.users() }}
      />
    )
  return (
    <div className="flex flex-col gap-4">
      <BackLink href={adminPaths.users()}>Пользователи</BackLink>
      {user.data ? (
        <UserCardView
          key={id}
          user={user.data}
          grants={<GrantList grants={user.data.grants} hasDates />}
          nameOf={operationName}
          onDeleted={() => navigate(adminPaths.users(), { replace: true })}
        />
      ) : (
        <FormLoading query={user} />
      )}
    </div>
  )
}
