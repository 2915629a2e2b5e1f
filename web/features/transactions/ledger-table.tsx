import { useQuery } from '@tanstack/react-query'
import type { LedgerEntry, LedgerTotals } from '#contract/transactions-admin.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { formatMoney, formatNumber } from '#web/lib/format.ts'
import { useUrlState } from '#web/lib/url-state.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ReceiptText } from '#web/ui/icons.ts'
import { Badge } from '#web/ui/table/badge.tsx'
import type { Column } from '#web/ui/table/columns.ts'
import { ServerList } from '#web/ui/table/server-list.tsx'
import type { RowSpec } from '#web/ui/table/table-row.tsx'
import { TotalsStrip } from '#web/ui/table/totals-strip.tsx'
import { DateCell, moneyFigures, type OperationLabels, personColumn, SymbolsCell } from './cells.tsx'
import { EntryPanel } from './entry-panel.tsx'
import { LedgerChips } from './ledger-chips.tsx'
import { hasFilters, ledgerCsvAddress, ledgerFilter, ledgerParams, noFilter } from './ledger-filter.ts'
import { ledgerQuery, ledgerTotalsQuery } from './queries.ts'

export function LedgerTable({ labels }: { labels: OperationLabels }) {
  const { state, change } = useUrlState(ledgerParams)
  const { page, size, sort } = state
  const filter = ledgerFilter(state)
  const entries = useQuery(ledgerQuery({ page, size, sort, ...filter }))
  const totals = useQuery(ledgerTotalsQuery(filter))
  const { data: models = [] } = useQuery(modelsQuery)
  const columns = ledgerColumns(labels, (id) => models.find((model) => model.id === id)?.name ?? id)
  const rowSpec: RowSpec<LedgerEntry> = {
    key: ({ id }) => id,
    name: (entry) => `${labels.name(entry.kind)} ${entry.id}`,
    onOpen: ({ id }) => change({ entry: id, page }),
  }

  if (entries.data?.total === 0 && !hasFilters(state)) return <NoEntries />
  return (
    <>
      <ServerList
        id="ledger"
        label="Операции"
        searchLabel="Почта или ключ"
        query={entries}
        columns={columns}
        rowSpec={rowSpec}
        url={{ state, change }}
        csv={ledgerCsvAddress(state)}
        chips={<LedgerChips state={state} change={change} labels={labels} models={models} />}
        onReset={() => change(noFilter)}
      >
        <TotalsStrip
          label="Итоги по отбору"
          figures={totals.data && figures(totals.data)}
          isBusy={totals.isPlaceholderData}
        />
      </ServerList>
      {state.entry && (
        <EntryPanel
          id={state.entry}
          labels={labels}
          onClose={() => change({ entry: '', page })}
          onPerson={(user) => change({ ...noFilter, user, entry: '' })}
        />
      )}
    </>
  )
}

function figures({ entries, came, went, money }: LedgerTotals) {
  return [
    { name: 'Операций', value: formatNumber(entries) },
    { name: 'Пришло символов', value: formatNumber(came) },
    { name: 'Ушло символов', value: formatNumber(went) },
    ...moneyFigures(
      'Поступило',
      money.map(({ currency, came: amount }) => ({ currency, amount })),
    ),
    ...moneyFigures(
      'Возвращено',
      money.map(({ currency, went: amount }) => ({ currency, amount })),
    ),
  ]
}

function NoEntries() {
  return (
    <EmptyState
      icon={<ReceiptText />}
      title="Операций пока нет"
      text="Здесь появится каждое начисление и каждое списание символов: за что, сколько и сколько осталось."
    />
  )
}

/** Without `text`: the server writes the CSV. */
function ledgerColumns(labels: OperationLabels, modelName: (id: string) => string): Column<LedgerEntry>[] {
  return [
    {
      id: 'kind',
      title: 'Операция',
      cell: ({ kind }) => labels.name(kind),
      note: ({ disputed }) => disputed && <Badge tone="warning">оспорена</Badge>,
    },
    { id: 'createdAt', title: 'Время', isSortable: true, cell: ({ createdAt }) => <DateCell at={createdAt} /> },
    personColumn,
    {
      id: 'symbols',
      title: 'Символы',
      isSortable: true,
      isNumeric: true,
      cell: ({ symbols }) => <SymbolsCell symbols={symbols} />,
    },
    {
      id: 'balanceAfter',
      title: 'Остаток',
      isNumeric: true,
      isMinor: true,
      cell: ({ balanceAfter }) => formatNumber(balanceAfter),
    },
    {
      id: 'amount',
      title: 'Деньги',
      isNumeric: true,
      cell: ({ amount, currency }) => (amount !== null && currency ? formatMoney({ amount, currency }) : null),
    },
    { id: 'modelId', title: 'Модель', isMinor: true, cell: ({ modelId }) => (modelId ? modelName(modelId) : null) },
    { id: 'input', title: 'Вход', isNumeric: true, isExtra: true, cell: ({ input }) => figure(input) },
    { id: 'output', title: 'Выход', isNumeric: true, isExtra: true, cell: ({ output }) => figure(output) },
    { id: 'note', title: 'Комментарий', isWide: true, isExtra: true, cell: ({ note }) => note },
    { id: 'key', title: 'Ключ', isExtra: true, cell: ({ key }) => <span className="wrap-anywhere">{key}</span> },
    { id: 'id', title: 'Номер', isExtra: true, isNumeric: true, cell: ({ id }) => id },
  ]
}

const figure = (value: number | null) => (value === null ? null : formatNumber(value))
