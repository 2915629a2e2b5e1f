import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { navigate } from 'wouter/use-browser-location'
import type { ThreadRow as Row } from '#contract/threads.ts'
import { useOnDemand } from '#web/lib/lazy.tsx'
import { MenuButton, shareDialog, threadMenu } from './thread-controls.tsx'
import { useThreadActions } from './use-thread-actions.ts'

interface RowToolsOptions {
  rows: Row[]
  menuStyle: string
  focusRow: (id: string) => void
  onRename: (id: string | null) => void
  onNavigate?: (() => void) | undefined
}

/** The menu and the share dialog of a list: one of each serves all rows, loaded on the first click. */
export function useRowTools({ rows, menuStyle, focusRow, onRename, onNavigate }: RowToolsOptions) {
  const { rename } = useThreadActions()
  const [menuId, setMenuId] = useState<string | null>(null)
  const [ThreadMenu, askForMenu] = useOnDemand(threadMenu)
  const sharing = useSharing(rows, focusRow)
  const followFocus = useMovedFocus(rows, focusRow)

  const onMenu = useCallback(
    (id: string) => {
      setMenuId(id)
      askForMenu()
    },
    [askForMenu],
  )
  const onRenamed = useCallback(
    (thread: Row, title: string | null) => {
      onRename(null)
      setMenuId(null)
      if (title !== null) rename(thread, title)
      // Unless another element took the focus.
      setTimeout(() => document.activeElement === document.body && focusRow(thread.id))
    },
    [rename, focusRow, onRename],
  )
  const menuOf = (thread: Row): ReactNode =>
    ThreadMenu &&
    thread.id === menuId && (
      <ThreadMenu
        thread={thread}
        trigger={<MenuButton title={thread.title} className={menuStyle} />}
        onRename={() => onRename(thread.id)}
        onShare={() => sharing.start(thread.id)}
        onMoved={(isGone) => {
          // The menu mounts open, so it must be unmounted before the row appears at its new position.
          setMenuId(null)
          if (isGone) onNavigate?.()
          else followFocus(thread.id)
        }}
      />
    )
  return { onMenu, onRenamed, menuOf, dialog: sharing.dialog }
}

/** Moves the focus to the row at its new position, where it is another element. */
function useMovedFocus(rows: Row[], focusRow: (id: string) => void) {
  const moved = useRef<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the rows change
  useEffect(() => {
    if (moved.current && document.activeElement === document.body) focusRow(moved.current)
    moved.current = null
  }, [rows, focusRow])
  return (id: string) => {
    moved.current = id
    setTimeout(() => focusRow(id))
  }
}

function useSharing(rows: Row[], focusRow: (id: string) => void) {
  const [id, setId] = useState<string | null>(null)
  const [ShareDialog, ask] = useOnDemand(shareDialog)
  const thread = rows.find((row) => row.id === id)
  return {
    start(threadId: string) {
      setId(threadId)
      ask()
    },
    dialog: ShareDialog && thread && (
      <ShareDialog
        thread={thread}
        onClose={() => {
          setId(null)
          focusRow(thread.id)
        }}
      />
    ),
  }
}

/** Opens the link of a row within the page; with a modifier key the browser handles the click. */
export function followRow(event: MouseEvent, onNavigate?: () => void) {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  const address = link.pathname + link.search
  if (location.pathname + location.search !== address) navigate(address)
  onNavigate?.()
}

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

/** Keyboard in a long list of links: one Tab stop, arrow keys between rows, F2 to rename. */
export function useRowKeys(ids: string[], startId: string | null, onRename: (id: string) => void) {
  const list = useRef<HTMLDivElement>(null)
  const [focusedId, setFocusedId] = useState<string | null>(null)
  const tabStopId = [focusedId, startId].find((id) => id !== null && ids.includes(id)) ?? ids[0]
  const focusRow = useCallback((id: string) => {
    list.current?.querySelector<HTMLElement>(`[data-thread="${CSS.escape(id)}"] a`)?.focus()
  }, [])

  function onKeyDown(event: KeyboardEvent) {
    const id = event.target instanceof HTMLAnchorElement ? rowOf(event.target) : null
    if (!id) return
    const next = ids[ids.indexOf(id) + (steps[event.key] ?? Number.NaN)]
    if (event.key === 'F2') onRename(id)
    else if (next) focusRow(next)
    else return
    event.preventDefault()
  }

  return {
    tabStopId,
    focusRow,
    listProps: { ref: list, onKeyDown, onFocus: (event: FocusEvent) => setFocusedId(rowOf(event.target)) },
  }
}

function rowOf(element: Element): string | null {
  return element.closest<HTMLElement>('[data-thread]')?.dataset.thread ?? null
}
