import { ShieldAlert } from 'lucide-react'
import { plural } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { TextLink } from '#web/ui/text-link.tsx'

/** Only for an administrator who has to add a second factor. */
export function FactorBanner({ days }: { days: number }) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 bg-warning-soft px-4 py-2 text-sm text-warning"
    >
      <span className="inline-flex items-center gap-2">
        <ShieldAlert size={16} aria-hidden="true" className="shrink-0" />
        <span>
          {days > 0
            ? `Администратору нужен второй шаг входа. Осталось: ${days}\u00a0${plural(days, 'день', 'дня', 'дней')}, потом управление закроется.`
            : 'Управление закрыто, пока вы не включите второй шаг входа.'}
        </span>
      </span>
      <TextLink href={paths.profile('second-factor')}>Настроить</TextLink>
    </div>
  )
}
