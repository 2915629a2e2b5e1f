import { LimitTables } from '#web/features/limits/limit-tables.tsx'
import { PageHead } from '#web/ui/table/page-head.tsx'

export function LimitsScreen() {
  return (
    <div className="flex flex-col gap-5">
      <PageHead
        title="Ограничения"
        about="Сколько чего можно бесплатно: кто упёрся в ограничение, читает, когда оно закончится. Обычной работе они не мешают."
      />
      <LimitTables />
    </div>
  )
}
