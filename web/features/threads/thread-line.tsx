import { memo, type ReactNode } from 'react'
import type { Thread, ThreadRow } from '#contract/threads.ts'
import { classNames } from '#web/lib/class-names.ts'
import { formatDateTime, formatTimeOrDay } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Pin, Trash2, Undo2 } from '#web/ui/icons.ts'
import { MarkedText } from '#web/ui/marked-text.tsx'
import { MenuButton, RenameThread } from './thread-controls.tsx'
import { formatTrashTimeLeft } from './thread-dates.ts'

export interface LineActions {
  toggle: (id: string, withShift: boolean) => void
  menu: (id: string) => void
  renamed: (thread: ThreadRow, title: string | null) => void
  restore: (threads: Thread[]) => void
  removeForever: (threads: Thread[]) => void
}

interface ThreadLineProps {
  thread: ThreadRow
  isSelected: boolean
  isRenaming: boolean
  /** Replaces the plain button once the menu is loaded. */
  menu: ReactNode
  on: LineActions
}

export const lineMenuStyle = 'size-10'

/** A row of the threads page: the checkbox selects it, a click anywhere else opens it. */
export const ThreadLine = memo(function ThreadLine({ thread, isSelected, isRenaming, menu, on }: ThreadLineProps) {
  const { id, title } = thread
  return (
    <li
      data-thread={id}
      className={classNames(
        'group relative flex items-center border-b transition-colors [contain-intrinsic-size:auto_65px] [content-visibility:auto]',
        isSelected ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      <label className="relative z-10 grid size-11 shrink-0 place-items-center">
        <input
          type="checkbox"
          aria-label={`Выбрать «${title}»`}
          checked={isSelected}
          onChange={({ nativeEvent }) => on.toggle(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
          className="size-5 accent-accent focus-visible:outline-offset-1"
        />
      </label>
      <div className="min-w-0 flex-1 py-2.5 pl-1">
        {isRenaming ? (
          <RenameThread title={title} onDone={(next) => on.renamed(thread, next)} className="h-9 px-2 font-medium" />
        ) : (
          <Title thread={thread} />
        )}
        <Details thread={thread} />
      </div>
      <div className="relative z-10 flex shrink-0 items-center pr-1">
        {thread.deletedAt ? (
          <TrashActions thread={thread} on={on} />
        ) : (
          menu || <MenuButton title={title} className={lineMenuStyle} onClick={() => on.menu(id)} />
        )}
      </div>
    </li>
  )
})

function Title({ thread: { id, title, pinned, archived, deletedAt, found } }: { thread: ThreadRow }) {
  if (deletedAt) return <p className="truncate font-medium leading-6">{title}</p>
  return (
    <p className="flex items-center gap-1.5 font-medium leading-6">
      {pinned && !archived && <Pin size={15} aria-label="Закреплён" className="shrink-0 text-muted" />}
      {/* The link covers the whole row. */}
      <a
        href={paths.thread(id, found?.messageId)}
        className="truncate after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-accent-ink"
      >
        {found && !found.messageId ? <MarkedText parts={found.fragment} /> : title}
      </a>
    </p>
  )
}

function Details({ thread: { found, updatedAt, deletedAt, firstWords } }: { thread: ThreadRow }) {
  return (
    <>
      {found?.messageId && (
        <p className="line-clamp-2 text-pretty text-[15px] leading-6 text-muted wrap-anywhere">
          <MarkedText parts={found.fragment} />
        </p>
      )}
      <p className="figures truncate text-sm leading-5 text-muted">
        {deletedAt ? (
          formatTrashTimeLeft(deletedAt)
        ) : (
          <time dateTime={updatedAt} title={formatDateTime(updatedAt)}>
            {formatTimeOrDay(updatedAt)}
          </time>
        )}
        {/* Distinguishes chats of one name. */}
        {firstWords && ` · ${firstWords}`}
      </p>
    </>
  )
}

function TrashActions({ thread, on }: { thread: ThreadRow; on: LineActions }) {
  return (
    <>
      <IconButton label="Восстановить" icon={<Undo2 size={20} />} onClick={() => on.restore([thread])} />
      <IconButton label="Удалить навсегда" icon={<Trash2 size={20} />} onClick={() => on.removeForever([thread])} />
    </>
  )
}
