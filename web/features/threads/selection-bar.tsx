import { Suspense, useState } from 'react'
import { findScreen } from '#contract/screens.ts'
import type { Thread } from '#contract/threads.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Archive, ArchiveRestore, FolderInput, Trash2, Undo2 } from '#web/ui/icons.ts'
import { SelectionBar } from '#web/ui/table/selection-bar.tsx'
import { MoveDialog } from './thread-menu.tsx'
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
  const [isMoving, setMoving] = useState(false)
  const then = (action: (threads: Thread[]) => void) => () => {
    action(threads)
    onClear()
  }
  return (
    <SelectionBar count={threads.length} label="Действия с выбранными чатами" className="mt-4" onClear={onClear}>
      <span className="flex flex-wrap items-center">
        {view !== 'trash' && findScreen(paths.projects()) && (
          <Button size="sm" variant="ghost" icon={<FolderInput size={18} />} onClick={() => setMoving(true)}>
            В проект
          </Button>
        )}
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
      {isMoving && (
        <Suspense>
          <MoveDialog
            threads={threads}
            onClose={() => {
              setMoving(false)
              onClear()
            }}
          />
        </Suspense>
      )}
    </SelectionBar>
  )
}
