import type { RefObject } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface OlderEdgeProps {
  sentinel: RefObject<HTMLDivElement | null>
  state: 'idle' | 'loading' | 'failed'
  load: () => Promise<void>
}

/** The place above the first message that is loaded. */
export function OlderEdge({ sentinel, state, load }: OlderEdgeProps) {
  return (
    <div ref={sentinel} className="px-4 py-3">
      <p className="hidden text-sm text-muted print:block">Более ранние сообщения не напечатаны.</p>
      <div data-screen-only className="min-h-16">
        {state === 'failed' && (
          <div className="flex flex-wrap items-center justify-center gap-3 text-sm text-muted">
            Не удалось загрузить более ранние сообщения.
            <Button size="sm" onClick={() => void load()}>
              Повторить
            </Button>
          </div>
        )}
        {/* Out of sight nothing moves: an idle page costs nothing. */}
        {state === 'loading' && <Skeleton className="h-16" />}
      </div>
    </div>
  )
}
