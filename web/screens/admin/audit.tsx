import { AuditTable } from '#web/features/audit/audit-table.tsx'
import { ChainLight } from '#web/features/audit/chain-light.tsx'
import { PageHead } from '#web/ui/table/page-head.tsx'

export function AuditScreen() {
  return (
    <div className="flex flex-col gap-5">
      <PageHead
        title="Журнал"
        description="Каждое действие администраторов: кто, когда и что изменил. Записи нельзя ни исправить, ни удалить."
      >
        <ChainLight />
      </PageHead>
      <AuditTable />
    </div>
  )
}
