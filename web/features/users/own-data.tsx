import { Download } from 'lucide-react'
import { fillPath } from '#contract/endpoint.ts'
import { USER_EXPORT } from '#contract/users-admin.ts'
import { buttonStyle } from '#web/ui/button-style.ts'

/** Exports all data of the user as one file. */
export function OwnData({ userId }: { userId: string }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <p className="max-w-88 text-pretty text-muted">
        Один файл JSON: профиль, чаты, промпты, операции, платежи и согласия.
      </p>
      <a href={fillPath(USER_EXPORT, { id: userId })} download className={buttonStyle('secondary', 'md')}>
        <Download size={18} aria-hidden="true" />
        Скачать мои данные
      </a>
    </div>
  )
}
