import { useEffect } from 'react'
import { createStore } from '#web/lib/create-store.ts'
import { lazy, useOnDemand } from '#web/lib/lazy.tsx'
import { isShortcut } from '#web/lib/shortcuts.ts'

const isOpen = createStore(false)

/** Opens the list of keys, from the menu and from the search. */
export const openShortcutsDialog = () => isOpen.set(true)
export const closeShortcutsDialog = () => isOpen.set(false)

const dialog = lazy(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog)

/** The list of keys; «?» opens it, but in a field and in a dialog it is a character. */
export function useShortcutsDialog() {
  const [Sheet, ask] = useOnDemand(dialog)
  const isWanted = isOpen.use()
  useEffect(() => {
    if (isWanted) ask()
  }, [isWanted, ask])
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (!isShortcut('keys', event) || isTyping(event.target) || document.querySelector('dialog[open]')) return
      event.preventDefault()
      openShortcutsDialog()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  return isWanted ? Sheet : null
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
