import { Archive, ArchiveRestore, Trash2, Undo2, X } from 'lucide-react'
import type { Thread } from '#contract/threads.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import type { View } from './thread-pages.ts'
import type { ThreadActions } from './use-thread-actions.ts'

interface SelectionBarProps {
  view: View
  threads: Thread[]
  actions: ThreadActions
  onForever: (threads: Thread[]) => void
  onClear: () => void
}

const icon = { size: 18, 'aria-hidden': true } as const

/** Actions for the selected rows; sticks to the bottom of the list. */
export function SelectionBar({ view, threads, actions, onForever, onClear }: SelectionBarProps) {
  if (threads.length === 0) return null
  const then = (action: (threads: Thread[]) => void) => () => {
    action(threads)
    onClear()
  }
  return (
    <div
      role="toolbar"
      aria-label="Действия с выбранными чатами"
      className="sticky bottom-4 z-20 mx-auto mt-4 flex max-w-full flex-wrap items-center justify-center gap-x-2 rounded-lg border bg-surface p-1.5 shadow-float"
    >
      <span className="flex items-center">
        <IconButton size="sm" label="Снять выделение" icon={<X {...icon} />} onClick={onClear} />
        <span role="status" className="figures px-1.5 text-sm">
          Выбрано {formatNumber(threads.length)}
        </span>
      </span>
      <span className="flex items-center">
        {view === 'active' && (
          <Button size="sm" variant="ghost" icon={<Archive {...icon} />} onClick={then(actions.archive)}>
            В архив
          </Button>
        )}
        {view === 'archived' && (
          <Button size="sm" variant="ghost" icon={<ArchiveRestore {...icon} />} onClick={then(actions.restore)}>
            Вернуть
          </Button>
        )}
        {view === 'trash' ? (
          <>
            <Button size="sm" variant="ghost" icon={<Undo2 {...icon} />} onClick={then(actions.restore)}>
              Восстановить
            </Button>
            <Button size="sm" variant="ghost" icon={<Trash2 {...icon} />} onClick={() => onForever(threads)}>
              Удалить навсегда
            </Button>
          </>
        ) : (
          <Button size="sm" variant="ghost" icon={<Trash2 {...icon} />} onClick={then(actions.remove)}>
            Удалить
          </Button>
        )}
      </span>
    </div>
  )
}
