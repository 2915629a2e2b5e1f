import type { Thread } from '#contract/threads.ts'
import { Button } from '#web/ui/button.tsx'
import { Archive, ArchiveRestore, Trash2, Undo2 } from '#web/ui/icons.ts'
import { SelectionBar } from '#web/ui/table/selection-bar.tsx'
import type { View } from './thread-pages.ts'
import type { ThreadActions } from './use-thread-actions.ts'

interface ThreadSelectionBarProps {
  view: View
  threads: Thread[]
  actions: ThreadActions
  onForever: (threads: Thread[]) => void
  onClear: () => void
}

export function ThreadSelectionBar({ view, threads, actions, onForever, onClear }: ThreadSelectionBarProps) {
  const then = (action: (threads: Thread[]) => void) => () => {
    action(threads)
    onClear()
  }
  return (
    <SelectionBar count={threads.length} label="Действия с выбранными чатами" className="mt-4" onClear={onClear}>
      <span className="flex items-center">
        {view === 'active' && (
          <Button size="sm" variant="ghost" icon={<Archive size={18} />} onClick={then(actions.archive)}>
            В архив
          </Button>
        )}
        {view === 'archived' && (
          <Button size="sm" variant="ghost" icon={<ArchiveRestore size={18} />} onClick={then(actions.restore)}>
            Вернуть
          </Button>
        )}
        {view === 'trash' ? (
          <>
            <Button size="sm" variant="ghost" icon={<Undo2 size={18} />} onClick={then(actions.restore)}>
              Восстановить
            </Button>
            <Button size="sm" variant="ghost" icon={<Trash2 size={18} />} onClick={() => onForever(threads)}>
              Удалить навсегда
            </Button>
          </>
        ) : (
          <Button size="sm" variant="ghost" icon={<Trash2 size={18} />} onClick={then(actions.remove)}>
            Удалить
          </Button>
        )}
      </span>
    </SelectionBar>
  )
}
