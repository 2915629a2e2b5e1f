import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { explainOperation, operationName } from '#web/features/billing/operation-labels.ts'
import { EventTable } from '#web/features/transactions/event-table.tsx'
import { LedgerTable } from '#web/features/transactions/ledger-table.tsx'
import { OrderTable } from '#web/features/transactions/order-table.tsx'
import { openEventsQuery } from '#web/features/transactions/queries.ts'
import { formatNumber } from '#web/lib/format.ts'
import { PageHead } from '#web/ui/table/page-head.tsx'
import { TabPanel, Tabs } from '#web/ui/tabs.tsx'

const labels = { name: operationName, explain: explainOperation }
const ids = ['operations', 'orders', 'events'] as const
type TabId = (typeof ids)[number]

export default function TransactionsScreen() {
  const [params, setParams] = useSearchParams()
  const { data: open } = useQuery(openEventsQuery)
  const tab = ids.find((id) => id === params.get('tab')) ?? 'operations'
  // Filters are dropped when switching: the lists have different ones.
  const show = (id: TabId) => setParams(id === 'operations' ? {} : { tab: id })
  return (
    <div className="flex flex-col gap-5">
      <PageHead
        title="Транзакции"
        description="Каждое движение символов и денег. Записи нельзя изменить: возврат и исправление ложатся новой строкой."
      />
      <div>
        <Tabs label="Что показать" tabs={tabs(open?.total ?? 0)} value={tab} onChange={show} />
        <TabPanel id={tab}>
          {tab === 'operations' && <LedgerTable labels={labels} />}
          {tab === 'orders' && <OrderTable />}
          {tab === 'events' && <EventTable />}
        </TabPanel>
      </div>
    </div>
  )
}

function tabs(openEvents: number) {
  return [
    { id: 'operations', label: 'Операции' },
    { id: 'orders', label: 'Заказы' },
    {
      id: 'events',
      label: (
        <>
          События оплаты
          {openEvents > 0 && (
            <span className="ml-2 rounded-full bg-warning-soft px-2 py-0.5 text-sm text-warning">
              {formatNumber(openEvents)}
              <span className="sr-only"> неразобранных</span>
            </span>
          )}
        </>
      ),
    },
  ] as const
}
