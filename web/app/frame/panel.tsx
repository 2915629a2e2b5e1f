import { SquarePen } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { SessionUser } from '#contract/page.ts'
import { Balance } from '#web/features/billing/balance.tsx'
import { classNames } from '#web/lib/class-names.ts'
import { pageConfig } from '#web/lib/page-state.ts'
import { paths } from '#web/lib/paths.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Logo } from '#web/ui/logo.tsx'
import { NavList } from './nav-list.tsx'
import { adminNavigation, mainNavigation } from './navigation.ts'
import { newChatKeys } from './use-new-chat-shortcut.ts'
import { UserPlace } from './user-place.tsx'

interface PanelProps {
  user: SessionUser
  /** Icons only. */
  compact: boolean
  /** The button that folds or closes this panel. */
  toggle: ReactNode
}

export function Panel({ user, compact, toggle }: PanelProps) {
  return (
    <div className="flex h-full flex-col gap-3 p-3">
      <div className={classNames('flex h-10 items-center', compact ? 'justify-center' : 'justify-between pl-1.5')}>
        {!compact && (
          <Link href={paths.home()} className="flex rounded-sm">
            <Logo name={pageConfig().appName} />
          </Link>
        )}
        {toggle}
      </div>
      <Link
        href={paths.home()}
        title={`Новый чат (${newChatKeys})`}
        aria-keyshortcuts="Control+Shift+O Meta+Shift+O"
        className={compact ? buttonStyle('primary', 'icon') : buttonStyle('primary', 'md', 'w-full')}
      >
        <SquarePen size={18} aria-hidden="true" />
        <span className={compact ? 'sr-only' : undefined}>Новый чат</span>
      </Link>
      <nav aria-label="Разделы" className="-mx-3 min-h-0 flex-1 overflow-y-auto overflow-x-hidden px-3">
        <NavList label="Разделы" items={mainNavigation} compact={compact} />
        {user.role === 'admin' && (
          <div className="mt-3 border-t pt-3">
            <p className={compact ? 'sr-only' : 'px-2.5 pb-1.5 text-sm text-muted'}>Управление</p>
            <NavList label="Управление" items={adminNavigation} compact={compact} />
          </div>
        )}
      </nav>
      <Balance compact={compact} />
      <UserPlace user={user} compact={compact} />
    </div>
  )
}
