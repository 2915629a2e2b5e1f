import { hasAnalytics, saveConsent, useConsent } from '#web/lib/analytics.ts'
import { Button } from '#web/ui/button.tsx'

/** Asks for consent once and only if analytics is configured; in the flow of the page, so that it covers nothing. */
export function ConsentStrip() {
  const consent = useConsent()
  if (!hasAnalytics() || consent !== null) return null
  return (
    <section
      data-screen-only
      aria-label="Статистика посещений"
      className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 border-b bg-surface px-4 py-2"
    >
      <p className="text-sm text-pretty">
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
