import { Button } from '#web/ui/button.tsx'

/** The list could not be loaded: said in its place. */
export function FailedList({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-col items-start gap-2 px-2.5 pt-4 text-sm text-muted">
      Чаты не загрузились. Проверьте связь.
      <Button size="sm" onClick={onRetry}>
        Повторить
      </Button>
    </div>
  )
}
