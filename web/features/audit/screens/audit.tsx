import { AuditTable } from '#web/features/audit/audit-table.tsx'
import { ChainStatus } from '#web/features/audit/chain-status.tsx'
import { PageHead } from '#web/ui/table/page-head.tsx'

export default function AuditScreen() {
  return (
    <div className="flex flex-col gap-5">
      <PageHead
        title="Журнал"
        description="Каждое действие администраторов: кто, когда и что изменил. Записи нельзя ни исправить, ни удалить."
      >
        <ChainStatus />
      </PageHead>
      <AuditTable />
    </div>
  )
}
