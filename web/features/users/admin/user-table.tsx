import { useQuery } from '@tanstack/react-query'
import type { UserRow } from '#contract/users-admin.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { formatDay, formatNumber } from '#web/lib/format.ts'
import { useUrlState } from '#web/lib/url-state.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { UserPlus } from '#web/ui/icons.ts'
import { Badge } from '#web/ui/table/badge.tsx'
import type { Column } from '#web/ui/table/columns.ts'
import { ServerList } from '#web/ui/table/server-list.tsx'
import type { RowSpec } from '#web/ui/table/table-row.tsx'
import { userListQuery } from './queries.ts'
import { UserChips } from './user-chips.tsx'
import { csvAddress, hasFilters, toUserQuery, userParams } from './user-filter.ts'
import { lastSeenLabel, personName } from './user-labels.ts'

const rowSpec: RowSpec<UserRow> = {
  key: ({ id }) => id,
  name: personName,
  href: ({ id }) => adminPaths.user(id),
  isDim: ({ banned }) => banned,
}

export function UserTable() {
  const { state, change, reset } = useUrlState(userParams)
  const people = useQuery(userListQuery(toUserQuery(state)))

  if (people.data?.total === 0 && !hasFilters(state)) return <NoUsers />
  return (
    <ServerList
      id="users"
      label="Пользователи"
      searchLabel="Почта, имя или номер"
      query={people}
      columns={userColumns}
      rowSpec={rowSpec}
      url={{ state, change }}
      csv={csvAddress(state)}
      chips={<UserChips state={state} change={change} />}
      onReset={reset}
    />
  )
}

function NoUsers() {
  return <EmptyState icon={<UserPlus />} title="Пока никого нет" text="Люди появятся здесь после первого входа." />
}

/** Without `text`: the server writes the CSV. */
const userColumns: Column<UserRow>[] = [
  {
    id: 'email',
    title: 'Почта',
    isSortable: true,
    cell: ({ email }) => <span className="sm:inline-block sm:min-w-44">{email}</span>,
    note: ({ role, banned }) => (
      <>
        {role === 'admin' && <Badge tone="accent">Администратор</Badge>}
        {banned && <Badge tone="danger">Заблокирован</Badge>}
      </>
    ),
  },
  { id: 'name', title: 'Имя', isSortable: true, cell: ({ name }) => name || null },
  { id: 'plan', title: 'Тариф', cell: ({ plan }) => plan?.name ?? null },
  {
    id: 'balance',
    title: 'Баланс',
    isSortable: true,
    isNumeric: true,
    cell: ({ balance }) => formatNumber(balance),
  },
  {
    id: 'spent',
    title: 'Расход, 30 дней',
    isNumeric: true,
    cell: ({ spent }) => (spent > 0 ? formatNumber(spent) : null),
  },
  {
    id: 'lastSeenAt',
    title: 'Заходил',
    isSortable: true,
    cell: ({ lastSeenAt }) => <span className="whitespace-nowrap">{lastSeenLabel(lastSeenAt)}</span>,
  },
  {
    id: 'createdAt',
    title: 'Регистрация',
    isMinor: true,
    isSortable: true,
    cell: ({ createdAt }) => <span className="whitespace-nowrap">{formatDay(createdAt)}</span>,
  },
  { id: 'id', title: 'Номер', isExtra: true, cell: ({ id }) => <span className="figures text-muted">{id}</span> },
]
