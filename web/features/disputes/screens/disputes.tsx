import { operationName } from '#web/features/billing/operation-labels.ts'
import { DisputeTable } from '#web/features/disputes/dispute-table.tsx'
import { PageHead } from '#web/ui/table/page-head.tsx'

export default function DisputesScreen() {
  return (
    <div className="flex flex-col gap-5">
      <PageHead
        title="Оспоренные списания"
        description="Пользователи пишут, с каким списанием не согласны. Давние сверху: их ждут дольше всех."
      />
      <DisputeTable kindLabels={operationName} />
    </div>
  )
}
