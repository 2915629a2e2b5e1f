import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { paths } from '#web/lib/paths.ts'

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)
export const newChatKeys = isApple ? '⇧⌘O' : 'Ctrl + Shift + O'

export function useNewChatShortcut() {
  const [, navigate] = useLocation()
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.code !== 'KeyO' || !event.shiftKey || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      navigate(paths.home())
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [navigate])
}
