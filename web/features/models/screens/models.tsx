import { ModelTable } from '#web/features/models/admin/model-table.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { PageHead } from '#web/ui/table/page-head.tsx'

export default function ModelsScreen() {
  return (
    <div className="flex flex-col gap-5">
      <PageHead
        title="Модели"
        description="Порядок тот же, что в выборе модели. Первую видимую текстовую получает новый пользователь."
        add={{ label: 'Добавить модель', href: adminPaths.modelAdd() }}
      />
      <ModelTable />
    </div>
  )
}
