import { hasAnalytics, saveConsent, useConsent } from '#web/lib/analytics.ts'
import { Button } from '#web/ui/button.tsx'

/** Asks for consent once, without blocking, and only if analytics is configured. */
export function ConsentStrip() {
  const consent = useConsent()
  if (!hasAnalytics() || consent !== null) return null
  return (
    <section
      data-screen-only
      aria-label="Статистика посещений"
      className="fixed inset-x-3 bottom-3 z-20 mx-auto flex max-w-xl flex-wrap items-center gap-x-4 gap-y-3 rounded-md border bg-surface p-4 shadow-float"
    >
      <p className="min-w-56 flex-1 text-sm text-pretty">
        Можно считать, какими разделами вы пользуетесь? Тексты чатов и файлы в статистику не попадают.
      </p>
      <div className="flex gap-2">
        <Button size="sm" onClick={() => saveConsent('no')}>
          Не считать
        </Button>
        <Button size="sm" variant="primary" onClick={() => saveConsent('yes')}>
          Разрешить
        </Button>
      </div>
    </section>
  )
}
