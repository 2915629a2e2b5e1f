import { useCallback, useEffect, useRef, useState } from 'react'
import { typeAhead } from '#web/features/search/type-ahead.ts'
import { lazy } from '#web/lib/lazy.tsx'
import { message } from '#web/lib/notify.ts'
import { isShortcut, withShortcut } from '#web/lib/shortcuts.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Search } from '#web/ui/icons.ts'
import { adminPages } from './navigation.ts'

const palette = lazy(async () => {
  const [{ FramePalette }] = await Promise.all([import('./palette.tsx'), adminPages.load()])
  return FramePalette
})

/** The search palette: loaded on first use; keys pressed while it loads are passed on to it. */
export function usePalette() {
  const [isOpen, setIsOpen] = useState(false)
  const [Palette, setPalette] = useState(palette.get)
  const typed = useRef('')
  const close = useCallback(() => setIsOpen(false), [])
  const open = useCallback(() => {
    typed.current = ''
    setIsOpen(true)
    palette.load().then(
      (loaded) => setPalette(() => loaded),
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

  const isLoading = isOpen && !Palette
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

  return { open, close, typed, Palette: isOpen ? Palette : null }
}

export function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <IconButton
      label={withShortcut('Поиск', 'search')}
      aria-keyshortcuts="Control+K Meta+K"
      aria-haspopup="dialog"
      icon={<Search size={20} aria-hidden="true" />}
      onClick={onClick}
      onPointerEnter={palette.preload}
      onFocus={palette.preload}
    />
  )
}
