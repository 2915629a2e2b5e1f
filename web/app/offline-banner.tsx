import { useOnline } from '#web/lib/use-online.ts'
import { WifiOff } from '#web/ui/icons.ts'

/** `note` says which actions wait for the network. */
export function OfflineBanner({ note = 'Прочитать открытое можно, остальное подождёт связи.' }: { note?: string }) {
  const isOnline = useOnline()
  return (
    <div role="status">
      {!isOnline && (
        <p className="flex items-center justify-center gap-2 bg-warning-soft px-4 py-2 text-center text-sm text-warning">
          <WifiOff size={16} aria-hidden="true" className="shrink-0" />
          Нет интернета. {note}
        </p>
      )}
    </div>
  )
}
