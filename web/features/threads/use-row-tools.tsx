import { type MouseEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import type { ThreadRow as Row } from '#contract/threads.ts'
import { usePart } from '#web/lib/use-part.ts'
import { MenuButton } from './menu-button.tsx'
import { loadShareDialog, loadThreadMenu } from './parts.ts'
import { useThreadActions } from './use-thread-actions.ts'

interface RowToolsOptions {
  rows: Row[]
  menuStyle: string
  focusRow: (id: string) => void
  onRename: (id: string | null) => void
  onLeave?: (() => void) | undefined
}

/** What is done to a row of any list: one menu and one dialog serve them all, loaded when first asked for. */
export function useRowTools({ rows, menuStyle, focusRow, onRename, onLeave }: RowToolsOptions) {
  const { rename } = useThreadActions()
  const [menuId, setMenuId] = useState<string | null>(null)
  const [ThreadMenu, askForMenu] = usePart(loadThreadMenu)
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
      // Unless the field was left for something else.
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
          // It begins open, so it must not be there when the row appears in its new place.
          setMenuId(null)
          if (isGone) onLeave?.()
          else followFocus(thread.id)
        }}
      />
    )
  return { onMenu, onRenamed, menuOf, dialog: sharing.dialog }
}

/** Whoever moves a row goes with it, though in its new place it is another element. */
function useMovedFocus(rows: Row[], focusRow: (id: string) => void) {
  const moved = useRef<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the moment that the rows are others
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
  const [ShareDialog, ask] = usePart(loadShareDialog)
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

/** Follows the link of a row within the page; with a key held down the browser decides. */
export function followRow(event: MouseEvent, onLeave?: () => void) {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  const address = link.pathname + link.search
  if (location.pathname + location.search !== address) navigate(address)
  onLeave?.()
}
