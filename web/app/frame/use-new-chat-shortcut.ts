import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { paths } from '#web/lib/paths.ts'
import { isShortcut } from '#web/lib/shortcuts.ts'

export function useNewChatShortcut() {
  const [, navigate] = useLocation()
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (!isShortcut('newChat', event)) return
      event.preventDefault()
      navigate(paths.home())
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [navigate])
}
