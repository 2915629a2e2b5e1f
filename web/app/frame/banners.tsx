import { useMutation } from '@tanstack/react-query'
import { authAdminApi } from '#contract/auth-admin.ts'
import type { SessionUser } from '#contract/page.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { api } from '#web/lib/api.ts'
import { plural } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Eye, ShieldAlert } from '#web/ui/icons.ts'
import { TextLink } from '#web/ui/text-link.tsx'

/**
 * Shown in an impersonated session; the way back leads to that user's page. It reloads the page, so that neither
 * cached data nor realtime subscriptions of the other user stay.
 */
export function ImpersonationBanner({ user }: { user: SessionUser }) {
  const goBack = useMutation({
    mutationFn: () => api(authAdminApi.stopImpersonating, {}),
    onSuccess: () => location.assign(adminPaths.user(user.id)),
  })
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 bg-warning-soft px-4 py-2 text-sm text-warning"
    >
      <span className="inline-flex items-center gap-2">
        <Eye size={16} aria-hidden="true" className="shrink-0" />
        <span className="wrap-anywhere">
          Вы смотрите глазами пользователя {user.name || user.email}: здесь можно только смотреть
        </span>
      </span>
      <Button size="sm" busy={goBack.isPending || goBack.isSuccess} onClick={() => goBack.mutate()}>
        Вернуться
      </Button>
    </div>
  )
}

/** Shown to administrators who must add a second factor. */
export function SecondFactorBanner({ days }: { days: number }) {
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
      <TextLink href={paths.profileAccount('second-factor')}>Настроить</TextLink>
    </div>
  )
}
