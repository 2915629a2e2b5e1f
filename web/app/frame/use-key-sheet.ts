import { useEffect } from 'react'
import { createStore } from '#web/lib/create-store.ts'
import { isShortcut } from '#web/lib/shortcuts.ts'
import { usePart } from '#web/lib/use-part.ts'

const isOpen = createStore(false)

/** Opens the list of keys, from the menu and from the search. */
export const openKeySheet = () => isOpen.set(true)
export const closeKeySheet = () => isOpen.set(false)

const loadSheet = async () => (await import('./key-sheet.tsx')).KeySheet

/** The list of keys; «?» opens it, but in a field and in a dialog it is a character. */
export function useKeySheet() {
  const [Sheet, ask] = usePart(loadSheet)
  const isWanted = isOpen.use()
  useEffect(() => {
    if (isWanted) ask()
  }, [isWanted, ask])
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (!isShortcut('keys', event) || isTyping(event.target) || document.querySelector('dialog[open]')) return
      event.preventDefault()
      openKeySheet()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  return isWanted ? Sheet : null
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
