import { PlanTable } from '#web/features/plans/plan-table.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { PageHead } from '#web/ui/table/page-head.tsx'

export default function PlansScreen() {
  return (
    <div className="flex flex-col gap-5">
      <PageHead
        title="Тарифы"
        description="Подписки, которые видят пользователи, в том же порядке. Первый из тех, что в продаже, предлагается по умолчанию."
        add={{ label: 'Добавить тариф', href: adminPaths.planAdd() }}
      />
      <PlanTable />
    </div>
  )
}
