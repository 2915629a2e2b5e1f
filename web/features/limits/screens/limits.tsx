import { AccessSwitch } from '#web/features/api-keys/access-switch.tsx'
import { LimitTables } from '#web/features/limits/limit-tables.tsx'
import { PageHead } from '#web/ui/table/page-head.tsx'

export default function LimitsScreen() {
  return (
    <div className="flex flex-col gap-5">
      <PageHead
        title="Ограничения"
        description="Сколько раз за минуту, час или сутки одно и то же может сделать один человек, одна сеть или один адрес почты. Кто дошёл до предела, видит, когда сможет продолжить. Обычной работе ограничения не мешают."
      />
      <AccessSwitch />
      <LimitTables />
    </div>
  )
}
