import { Menu, SquarePen } from 'lucide-react'
import { Link } from 'wouter'
import { pageConfig } from '#web/lib/page-state.ts'
import { paths } from '#web/lib/paths.ts'
import { IconButton } from '#web/ui/button.tsx'
import { SearchButton } from './search-button.tsx'

interface MobileBarProps {
  onOpenMenu: () => void
  onSearch: () => void
}

export function MobileBar({ onOpenMenu, onSearch }: MobileBarProps) {
  return (
    <header className="flex h-14 items-center justify-between border-b bg-page px-2 frame:hidden">
      <IconButton label="Открыть меню" icon={<Menu size={22} aria-hidden="true" />} onClick={onOpenMenu} />
      <span className="pl-10 font-semibold">{pageConfig().appName}</span>
      <div className="flex">
        <SearchButton onClick={onSearch} />
        <Link
          href={paths.home()}
          aria-label="Новый чат"
          title="Новый чат"
          className="grid size-10 place-items-center rounded-md text-muted transition-colors hover:bg-hover hover:text-ink"
        >
          <SquarePen size={20} aria-hidden="true" />
        </Link>
      </div>
    </header>
  )
}
