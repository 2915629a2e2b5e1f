import { useEffect } from 'react'
import { closeFind, findIsOpen, openFind } from '#web/lib/find-in-chat.ts'
import { Late, lazy } from '#web/lib/lazy.tsx'
import { isShortcut } from '#web/lib/shortcuts.ts'

const bar = lazy(async () => (await import('./find-bar.tsx')).FindBar)

interface FindHostProps {
  threadId: string
  /** The page no longer stays at the end of the chat. */
  onReach: () => void
}

/** The browser finds words only in the part of a chat that is loaded. A second press in the bar opens its own search. */
export function FindHost(props: FindHostProps) {
  const isOpen = findIsOpen.use()
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (!isShortcut('find', event) || findIsOpen.get() || document.querySelector('dialog[open]')) return
      event.preventDefault()
      openFind()
    }
    addEventListener('keydown', onKeyDown)
    return () => {
      removeEventListener('keydown', onKeyDown)
      closeFind()
    }
  }, [])
  return isOpen && <Late component={bar} props={props} />
}
