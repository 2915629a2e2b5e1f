import { useState } from 'react'
import type { UserFigures } from '#contract/statistics.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import type { Column } from '#web/ui/table/columns.ts'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { Sums } from './figure-labels.tsx'

interface Row extends UserFigures {
  index: number
}

const columns: Column<Row>[] = [
  {
    id: 'user',
    title: 'Человек',
    cell: ({ user }) => user?.email ?? 'Аккаунт удалён',
    note: ({ user }) => user && <span className="w-full text-[13px] text-muted">{user.name}</span>,
  },
  { id: 'messages', title: 'Вопросы', isNumeric: true, cell: ({ messages }) => formatNumber(messages) },
  { id: 'charged', title: 'Символы', isNumeric: true, cell: ({ charged }) => formatNumber(charged) },
  { id: 'cost', title: 'Расходы', isNumeric: true, cell: ({ cost }) => <Sums sums={cost} /> },
  { id: 'earned', title: 'Заработано', isNumeric: true, cell: ({ earned }) => <Sums sums={earned} /> },
  { id: 'margin', title: 'Маржа', isNumeric: true, cell: ({ margin }) => <Sums sums={margin} /> },
]

const rowSpec = {
  key: ({ index }: Row) => String(index),
  name: ({ user }: Row) => user?.email ?? 'Аккаунт удалён',
  href: ({ user }: Row) => (user ? adminPaths.user(user.id) : adminPaths.users()),
  isDim: ({ user }: Row) => user === null,
}

const COLLAPSED_ROWS = 5

/** The first five; the others on request, because each is a card on a phone. */
export function UserTable({ users }: { users: UserFigures[] }) {
  const [isLong, setLong] = useState(false)
  if (users.length === 0) return <p className="text-muted">За этот период никто ничего не потратил.</p>
  const rows = users.map((user, index) => ({ ...user, index }))
  return (
    <div className="flex flex-col gap-3">
      <DataTable
        label="Люди с самыми дорогими ответами"
        columns={columns}
        rows={isLong ? rows : rows.slice(0, COLLAPSED_ROWS)}
        rowSpec={rowSpec}
      />
      {users.length > COLLAPSED_ROWS && (
        <Button size="sm" variant="ghost" onClick={() => setLong(!isLong)} className="w-fit" data-screen-only="">
          {isLong ? 'Только первые пять' : `Показать всех: ${formatNumber(users.length)}`}
        </Button>
      )}
    </div>
  )
}
