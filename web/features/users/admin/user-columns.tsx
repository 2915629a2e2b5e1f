import type { UserRow } from '#contract/users-admin.ts'
import { formatDay, formatNumber } from '#web/lib/format.ts'
import { Badge } from '#web/ui/table/badge.tsx'
import type { Column } from '#web/ui/table/column.ts'
import { lastSeenLabel } from './user-labels.ts'

/** Without `text`: the server writes the CSV. */
export const userColumns: Column<UserRow>[] = [
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
    isFigure: true,
    cell: ({ balance }) => formatNumber(balance),
  },
  {
    id: 'spent',
    title: 'Расход, 30 дней',
    isFigure: true,
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
    isSortable: true,
    cell: ({ createdAt }) => <span className="whitespace-nowrap">{formatDay(createdAt)}</span>,
  },
  { id: 'id', title: 'Номер', isExtra: true, cell: ({ id }) => <span className="figures text-muted">{id}</span> },
]
