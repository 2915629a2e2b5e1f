import type { UserRow } from '#contract/user-desk.ts'
import { formatDate, formatNumber } from '#web/lib/format.ts'
import { Badge } from '#web/ui/table/badge.tsx'
import type { Column } from '#web/ui/table/column.ts'
import { seenWords } from './user-words.ts'

/** The server makes the spreadsheet: here are only cells. */
export const userColumns: Column<UserRow>[] = [
  {
    id: 'email',
    title: 'Почта',
    isSortable: true,
    cell: ({ email }) => email,
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
    title: 'Потрачено за 30 дней',
    isFigure: true,
    cell: ({ spent }) => (spent > 0 ? formatNumber(spent) : null),
  },
  {
    id: 'lastSeenAt',
    title: 'Заходил',
    isSortable: true,
    cell: ({ lastSeenAt }) => seenWords(lastSeenAt),
  },
  { id: 'createdAt', title: 'Регистрация', isSortable: true, cell: ({ createdAt }) => formatDate(createdAt) },
  { id: 'id', title: 'Номер', isExtra: true, cell: ({ id }) => <span className="figures text-muted">{id}</span> },
]
