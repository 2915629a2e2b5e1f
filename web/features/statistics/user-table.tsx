import type { UserFigures } from '#contract/statistics.ts'
import { formatNumber } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import type { Column } from '#web/ui/table/column.ts'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { Sums } from './money-words.tsx'

interface Row extends UserFigures {
  place: number
}

const columns: Column<Row>[] = [
  {
    id: 'user',
    title: 'Человек',
    cell: ({ user }) => user?.email ?? 'Аккаунт удалён',
    note: ({ user }) => user && <span className="w-full text-[13px] text-muted">{user.name}</span>,
  },
  { id: 'messages', title: 'Вопросы', isFigure: true, cell: ({ messages }) => formatNumber(messages) },
  { id: 'charged', title: 'Символы', isFigure: true, cell: ({ charged }) => formatNumber(charged) },
  { id: 'cost', title: 'Расходы', isFigure: true, cell: ({ cost }) => <Sums sums={cost} /> },
  { id: 'earned', title: 'Заработано', isFigure: true, cell: ({ earned }) => <Sums sums={earned} /> },
  { id: 'margin', title: 'Маржа', isFigure: true, cell: ({ margin }) => <Sums sums={margin} /> },
]

const kind = {
  key: ({ place }: Row) => String(place),
  name: ({ user }: Row) => user?.email ?? 'Аккаунт удалён',
  href: ({ user }: Row) => (user ? paths.adminUser(user.id) : paths.adminUsers()),
  isDim: ({ user }: Row) => user === null,
}

export function UserTable({ users }: { users: UserFigures[] }) {
  if (users.length === 0) return <p className="text-muted">За этот период никто ничего не потратил.</p>
  const rows = users.map((user, place) => ({ ...user, place }))
  return <DataTable label="Люди с самыми дорогими ответами" columns={columns} rows={rows} kind={kind} />
}
