import { PromoTable } from '#web/features/promocodes/promo-table.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { PageHead } from '#web/ui/table/page-head.tsx'

export default function PromoCodesScreen() {
  return (
    <div className="flex flex-col gap-5">
      <PageHead
        title="Промокоды"
        description="Сами коды на сервере не хранятся, только их последние знаки. Найти код можно и целиком: введите его в поиск."
        add={{ label: 'Создать промокод', href: adminPaths.promoCodeAdd() }}
      />
      <PromoTable />
    </div>
  )
}
