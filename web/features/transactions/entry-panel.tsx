import { useQuery } from '@tanstack/react-query'
import type { LedgerCard } from '#contract/transactions-admin.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { chargeOfOperation } from '#web/lib/charge.ts'
import { formatDateTime, formatMoney, formatSymbols } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { ChargeSum } from '#web/ui/charge-sum.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Link } from '#web/ui/link.tsx'
import { SidePanel } from '#web/ui/side-panel.tsx'
import { Badge } from '#web/ui/table/badge.tsx'
import { type OperationLabels, PersonLink, SymbolsCell } from './cells.tsx'
import { PanelState } from './panel-parts.tsx'
import { entryQuery } from './queries.ts'

interface EntryPanelProps {
  id: string
  labels: OperationLabels
  onClose: () => void
  onPerson: (userId: string) => void
}

export function EntryPanel({ id, labels, onClose, onPerson }: EntryPanelProps) {
  const entry = useQuery(entryQuery(id))
  const { data } = entry
  return (
    <SidePanel
      title={data ? labels.name(data.kind) : 'Операция'}
      onClose={onClose}
      footer={data && <Button onClick={() => onPerson(data.userId)}>Все операции пользователя</Button>}
    >
      {data ? <EntryDetails entry={data} labels={labels} /> : <PanelState query={entry} />}
    </SidePanel>
  )
}

const linkStyle = 'rounded-xs text-accent-ink underline underline-offset-2 hover:no-underline'

function EntryDetails({ entry, labels }: { entry: LedgerCard; labels: OperationLabels }) {
  const { symbols, amount, currency, disputed, note, parts } = entry
  const charge = chargeOfOperation(entry)
  return (
    <div className="flex flex-col gap-6">
      <div>
        <p className="figures text-3xl font-semibold">
          <SymbolsCell symbols={symbols} />
        </p>
        <p className="figures mt-2 text-pretty">{labels.explain(entry)}</p>
        {charge && (
          <div className="mt-4">
            <ChargeSum charge={charge} />
          </div>
        )}
        {disputed && (
          <p className="mt-2">
            <Badge tone="warning">Пользователь оспорил это списание</Badge>
          </p>
        )}
      </div>
      <Facts
        facts={[
          { name: 'Когда', value: formatDateTime(entry.createdAt) },
          { name: 'Пользователь', value: <PersonLink id={entry.userId} email={entry.email} /> },
          amount !== null && currency !== null && { name: 'Деньги', value: formatMoney({ amount, currency }) },
          { name: 'Комментарий', value: note },
          { name: 'Модель', value: entry.modelId },
          { name: 'Сообщение', value: entry.messageId },
          { name: 'Чат', value: entry.threadId },
          { name: 'Номер', value: entry.id },
          { name: 'Ключ', value: entry.key },
        ]}
      />
      <Parts parts={parts} isGain={symbols > 0} labels={labels} />
    </div>
  )
}

interface PartsProps {
  parts: LedgerCard['parts']
  isGain: boolean
  labels: OperationLabels
}

/** The grants of this operation, in the order they expire. */
function Parts({ parts, isGain, labels }: PartsProps) {
  return (
    <section>
      <h3 className="font-semibold">{isGain ? 'Куда зачислено' : 'Откуда взято'}</h3>
      <ul className="mt-2 rounded-md border">
        {parts.map(({ kind, symbols, note, orderId }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change, and two may be alike
          <li key={index} className="flex flex-wrap justify-between gap-x-4 border-b px-4 py-2.5 last:border-0">
            <span>
              {kind ? labels.name(kind) : 'Символы'}
              {note && <span className="block text-sm text-muted wrap-anywhere">{note}</span>}
            </span>
            <span className="flex flex-col items-end">
              <span className="figures">{formatSymbols(Math.abs(symbols))}</span>
              {orderId && (
                <Link href={`${adminPaths.transactions()}?tab=orders&order=${orderId}`} className={linkStyle}>
                  Заказ
                </Link>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
