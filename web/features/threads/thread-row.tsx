import { memo, type ReactNode } from 'react'
import type { ThreadRow as Row } from '#contract/threads.ts'
import { classNames } from '#web/lib/class-names.ts'
import { paths } from '#web/lib/paths.ts'
import { Emblem } from '#web/ui/emblem.tsx'
import type { AssistantBadge } from './queries.ts'
import { MenuButton, RenameThread } from './thread-controls.tsx'

interface ThreadRowProps {
  thread: Row
  badge: AssistantBadge | undefined
  /** Distinguishes chats of one name. */
  hint: string | undefined
  isOpen: boolean
  isAnswering: boolean
  /** The row that Tab focuses; arrow keys move from it. */
  isTabStop: boolean
  isRenaming: boolean
  /** Replaces the plain button once the menu is loaded. */
  menu: ReactNode
  onMenu: (id: string) => void
  onRenamed: (thread: Row, title: string | null) => void
}

export const rowMenuStyle = 'size-8 focus-visible:-outline-offset-2'

/** A plain link: one click handler on the list serves thousands of rows. */
export const ThreadRow = memo(function ThreadRow(props: ThreadRowProps) {
  const { thread, badge, hint, isOpen, isAnswering, isTabStop, isRenaming, menu, onMenu, onRenamed } = props
  const { id, title } = thread
  const tabIndex = isTabStop ? 0 : -1
  return (
    <li
      data-thread={id}
      className={classNames(
        'group relative [contain-intrinsic-size:auto_36px] [content-visibility:auto]',
        hint ? 'h-13' : 'h-9',
      )}
    >
      {isRenaming ? (
        <RenameThread title={title} onDone={(next) => onRenamed(thread, next)} className="h-9 px-2.5 text-[15px]" />
      ) : (
        <>
          <a
            href={paths.thread(id)}
            title={[title, badge && `Ассистент «${badge.name}»`, hint].filter(Boolean).join('\n')}
            tabIndex={tabIndex}
            aria-current={isOpen ? 'page' : undefined}
            className={classNames(
              'flex h-full items-center gap-2 rounded-md px-2.5 text-[15px] transition-colors focus-visible:-outline-offset-2',
              isAnswering ? 'pr-8 pointer-coarse:pr-16' : 'pointer-coarse:pr-10',
              'group-hover:bg-hover group-hover:pr-10 group-focus-within:pr-10 group-has-data-[state=open]:bg-hover',
              isOpen ? 'bg-hover font-medium text-ink' : 'text-muted group-hover:text-ink',
            )}
          >
            {badge && <Emblem value={badge.avatar} size={20} />}
            <span className="min-w-0 flex-1">
              <span className="block truncate">{title}</span>
              {hint && (
                <span aria-hidden="true" className="figures block truncate text-[13px] font-normal text-muted">
                  {hint}
                </span>
              )}
            </span>
            {isAnswering && <span className="sr-only"> (пишется ответ)</span>}
          </a>
          {isAnswering && <Answering />}
          <span className="absolute top-0.5 right-0.5 opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 group-has-data-[state=open]:opacity-100 pointer-coarse:opacity-100">
            {menu || (
              <MenuButton title={title} tabIndex={tabIndex} className={rowMenuStyle} onClick={() => onMenu(id)} />
            )}
          </span>
        </>
      )}
    </li>
  )
})

/** Hidden while the menu button is shown. */
function Answering() {
  return (
    <span
      aria-hidden="true"
      className="absolute top-3.5 right-3.5 size-2 animate-[breathe_1.6s_steps(5)_infinite] rounded-full bg-accent-ink group-focus-within:hidden group-hover:hidden pointer-coarse:right-12"
    />
  )
}
