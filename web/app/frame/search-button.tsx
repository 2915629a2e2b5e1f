import { Search } from 'lucide-react'
import { IconButton } from '#web/ui/button.tsx'
import { preloadPalette } from './use-palette.ts'

const keys = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl + K'

export function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <IconButton
      label={`Поиск (${keys})`}
      aria-keyshortcuts="Control+K Meta+K"
      aria-haspopup="dialog"
      icon={<Search size={20} aria-hidden="true" />}
      onClick={onClick}
      onPointerEnter={preloadPalette}
      onFocus={preloadPalette}
    />
  )
}
