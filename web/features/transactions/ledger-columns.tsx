import type { LedgerEntry } from '#contract/transactions-admin.ts'
import { formatMoney, formatNumber } from '#web/lib/format.ts'
import { Badge } from '#web/ui/table/badge.tsx'
import type { Column } from '#web/ui/table/column.ts'
import { Change, Person, When } from './cells.tsx'
import type { OperationLabels } from './labels.ts'

/** Without `text`: the server writes the CSV. */
export function ledgerColumns(words: OperationLabels, modelName: (id: string) => string): Column<LedgerEntry>[] {
  return [
    {
      id: 'kind',
      title: 'Операция',
      cell: ({ kind }) => words.name(kind),
      note: ({ disputed }) => disputed && <Badge tone="warning">оспорена</Badge>,
    },
    { id: 'createdAt', title: 'Когда', isSortable: true, cell: ({ createdAt }) => <When at={createdAt} /> },
    { id: 'email', title: 'Пользователь', cell: ({ userId, email }) => <Person id={userId} email={email} /> },
    {
      id: 'symbols',
      title: 'Символы',
      isSortable: true,
      isFigure: true,
      cell: ({ symbols }) => <Change symbols={symbols} />,
    },
    { id: 'balanceAfter', title: 'Стало', isFigure: true, cell: ({ balanceAfter }) => formatNumber(balanceAfter) },
    {
      id: 'amount',
      title: 'Деньги',
      isFigure: true,
      cell: ({ amount, currency }) => (amount !== null && currency ? formatMoney({ amount, currency }) : null),
    },
    { id: 'modelId', title: 'Модель', cell: ({ modelId }) => (modelId ? modelName(modelId) : null) },
    { id: 'input', title: 'Вход', isFigure: true, isExtra: true, cell: ({ input }) => figure(input) },
    { id: 'output', title: 'Выход', isFigure: true, isExtra: true, cell: ({ output }) => figure(output) },
    { id: 'note', title: 'Комментарий', isWide: true, isExtra: true, cell: ({ note }) => note },
    { id: 'key', title: 'Ключ', isExtra: true, cell: ({ key }) => <span className="wrap-anywhere">{key}</span> },
    { id: 'id', title: 'Номер', isExtra: true, isFigure: true, cell: ({ id }) => id },
  ]
}

const figure = (value: number | null) => (value === null ? null : formatNumber(value))
