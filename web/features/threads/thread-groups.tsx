import { useId, useMemo, useState, useSyncExternalStore } from 'react'
import type { ThreadRow as Row } from '#contract/threads.ts'
import { groupByDay } from './day-groups.ts'
import { useOpenThreadId } from './open-thread.ts'
import { rowMenuStyle, ThreadRow } from './thread-row.tsx'
import { useRowKeys } from './use-row-keys.ts'
import { followRow, useRowTools } from './use-row-tools.tsx'
import { useToday } from './use-today.ts'

/** Which threads have an answer on its way, as far as this window knows. */
export interface Answering {
  subscribe: (onChange: () => void) => () => void
  isAnswering: (id: string) => boolean
}

interface ThreadGroupsProps {
  rows: Row[]
  answering: Answering
  onLeave: (() => void) | undefined
}

export function ThreadGroups({ rows, answering, onLeave }: ThreadGroupsProps) {
  const today = useToday()
  const groups = useMemo(() => groupByDay(rows, today), [rows, today])
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const openId = useOpenThreadId()
  const headings = useId()
  const answeringIds = useAnsweringIds(ids, answering)
  const [renamingId, setRenamingId] = useState<string | null>(null)
  const { tabStopId, focusRow, listProps } = useRowKeys(ids, openId, setRenamingId)
  const tools = useRowTools({ rows, menuStyle: rowMenuStyle, focusRow, onRename: setRenamingId, onLeave })

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens for the links inside, which may be thousands
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click
    <div {...listProps} onClick={(event) => followRow(event, onLeave)}>
      {groups.map(({ title, rows: rowsOfDay }, place) => (
        <div key={title} className="pt-4">
          <h2 id={`${headings}-${place}`} className="sticky top-0 z-10 bg-panel px-2.5 pb-1 text-[13px] text-muted">
            {title}
          </h2>
          <ul aria-labelledby={`${headings}-${place}`} className="flex flex-col gap-px">
            {rowsOfDay.map((thread) => (
              <ThreadRow
                key={thread.id}
                thread={thread}
                isOpen={thread.id === openId}
                isAnswering={answeringIds.has(thread.id)}
                isTabStop={thread.id === tabStopId}
                isRenaming={thread.id === renamingId}
                menu={tools.menuOf(thread)}
                onMenu={tools.onMenu}
                onRenamed={tools.onRenamed}
              />
            ))}
          </ul>
        </div>
      ))}
      {tools.dialog}
    </div>
  )
}

function useAnsweringIds(ids: string[], { subscribe, isAnswering }: Answering): ReadonlySet<string> {
  // As one text, for that is the same as before while nothing changes.
  const text = useSyncExternalStore(subscribe, () => ids.filter(isAnswering).join(' '))
  return useMemo(() => new Set(text.split(' ')), [text])
}
