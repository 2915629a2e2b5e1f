import { useCallback, useEffect, useRef, useState } from 'react'
import { typeAhead } from '#web/features/search/type-ahead.ts'
import { message } from '#web/lib/notify.ts'
import { isShortcut, withShortcut } from '#web/lib/shortcuts.ts'
import { preload } from '#web/lib/use-part.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Search } from '#web/ui/icons.ts'

const loadPalette = async () => (await import('./palette.tsx')).FramePalette
type FramePalette = Awaited<ReturnType<typeof loadPalette>>

function preloadPalette() {
  preload(loadPalette)
}

/** The search palette: loaded on first use; keys pressed while it loads are passed on to it. */
export function usePalette() {
  const [isOpen, setIsOpen] = useState(false)
  const [loaded, setLoaded] = useState<{ Palette: FramePalette } | null>(null)
  const typed = useRef('')
  const close = useCallback(() => setIsOpen(false), [])
  const open = useCallback(() => {
    typed.current = ''
    setIsOpen(true)
    loadPalette().then(
      (Palette) => setLoaded({ Palette }),
      () => {
        setIsOpen(false)
        message.error('Поиск не загрузился. Проверьте связь или обновите страницу.')
      },
    )
  }, [])

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (!isShortcut('search', event)) return
      event.preventDefault()
      if (isOpen) close()
      else open()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [isOpen, open, close])

  const isLoading = isOpen && !loaded
  useEffect(() => {
    if (!isLoading) return
    function onKeyDown(event: KeyboardEvent) {
      const text = typeAhead(typed.current, event)
      typed.current = text ?? ''
      if (text === null) close()
      event.preventDefault()
      event.stopPropagation()
    }
    addEventListener('keydown', onKeyDown, { capture: true })
    return () => removeEventListener('keydown', onKeyDown, { capture: true })
  }, [isLoading, close])

  return { open, close, typed, Palette: isOpen && loaded ? loaded.Palette : null }
}

export function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <IconButton
      label={withShortcut('Поиск', 'search')}
      aria-keyshortcuts="Control+K Meta+K"
      aria-haspopup="dialog"
      icon={<Search size={20} aria-hidden="true" />}
      onClick={onClick}
      onPointerEnter={preloadPalette}
      onFocus={preloadPalette}
    />
  )
}
