import { type ReactNode, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import type { SessionUser } from '#contract/page.ts'
import { findScreen, screens } from '#contract/screens.ts'
import { Balance } from '#web/features/billing/balance.tsx'
import { getRun, subscribeRuns } from '#web/features/chat/state/runs.ts'
import { ThreadList } from '#web/features/threads/thread-list.tsx'
import { useProfile } from '#web/features/users/queries.ts'
import { classNames } from '#web/lib/class-names.ts'
import type { NavItem } from '#web/lib/feature.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { pageConfig } from '#web/lib/page-state.ts'
import { paths } from '#web/lib/paths.ts'
import { withShortcut } from '#web/lib/shortcuts.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { ArrowLeft, SlidersHorizontal, SquarePen } from '#web/ui/icons.ts'
import { Link } from '#web/ui/link.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { NavList } from './nav-list.tsx'
import { panelPages } from './navigation.ts'
import { SearchButton } from './use-palette.tsx'
import { UserButton } from './user-button.tsx'

const AdminNav = lazyComponent(async () => (await import('./admin-nav.tsx')).loadAdminNav())
const PanelProjects = lazyComponent(
  async () => (await import('#web/features/threads/panel-projects.tsx')).PanelProjects,
)
const WaitingDisputes = lazyComponent(
  async () => (await import('#web/features/disputes/waiting-disputes.tsx')).WaitingDisputes,
)

/** The one way from the chats to the admin screens, which have a navigation of their own. */
const adminEntry = (): NavItem => ({
  href: screens[findScreen(screens['admin-statistic'].path) ? 'admin-statistic' : 'admin-users'].path,
  label: 'Управление',
  Icon: SlidersHorizontal,
  keywords: '',
  ...(findScreen(screens['admin-disputes'].path) && { Badge: WaitingDisputes }),
})

const answering = { subscribe: subscribeRuns, isAnswering: (id: string) => getRun(id) !== undefined }

interface PanelProps {
  user: SessionUser
  /** Icons only. */
  isCompact: boolean
  toggle: ReactNode
  onSearch: () => void
  /** Closes the panel after navigation on a small screen. */
  onNavigate?: () => void
}

export function Panel({ user, isCompact, toggle, onSearch, onNavigate }: PanelProps) {
  const [path] = useLocation()
  const isAdmin = user.role === 'admin'
  const { hasProjects, openProjects = 0 } = useProfile().data ?? {}
  const isAdminSpace = isAdmin && path.startsWith('/admin')
  // The room of the projects while they are loaded, so that the chats below do not move.
  const place = [...Array(openProjects).keys()].map((n) => (
    <div key={n} className="mt-px h-9 first:mt-10 pointer-coarse:h-11" />
  ))
  return (
    <div className="flex h-full flex-col gap-3 p-3">
      <div className={classNames('flex h-10 items-center', isCompact ? 'justify-center' : 'justify-between pl-1.5')}>
        {!isCompact && (
          <Link href={paths.home()} className="flex rounded-sm">
            <Logo name={pageConfig().appName} />
          </Link>
        )}
        {toggle}
      </div>
      <div className={classNames('flex gap-1', isCompact && 'flex-col gap-3')}>
        {isAdminSpace ? (
          <Link
            href={paths.threads()}
            title={isCompact ? 'К чатам' : undefined}
            className={isCompact ? buttonStyle('secondary', 'icon') : buttonStyle('secondary', 'md', 'flex-1')}
            onClick={onNavigate}
          >
            <ArrowLeft size={18} aria-hidden="true" />
            <span className={isCompact ? 'sr-only' : undefined}>К чатам</span>
          </Link>
        ) : (
          <Link
            href={paths.home()}
            title={withShortcut('Новый чат', 'newChat')}
            aria-keyshortcuts="Control+Shift+O Meta+Shift+O"
            className={isCompact ? buttonStyle('primary', 'icon') : buttonStyle('primary', 'md', 'flex-1')}
            onClick={onNavigate}
          >
            <SquarePen size={18} aria-hidden="true" />
            <span className={isCompact ? 'sr-only' : undefined}>Новый чат</span>
          </Link>
        )}
        <SearchButton onClick={onSearch} />
      </div>
      <div
        data-panel-area
        className="-mx-3 min-h-0 flex-1 overflow-y-auto overflow-x-hidden px-3 [scrollbar-color:transparent_transparent] hover:[scrollbar-color:var(--scroll)_transparent] focus-within:[scrollbar-color:var(--scroll)_transparent] mask-[linear-gradient(to_bottom,black_calc(100%-1rem),transparent)]"
      >
        {isAdminSpace ? (
          <Suspense fallback={null}>
            <AdminNav isCompact={isCompact} />
          </Suspense>
        ) : (
          <>
            <nav aria-label="Разделы">
              <NavList
                label="Разделы"
                items={[...panelPages(), ...(isAdmin ? [adminEntry()] : [])]}
                isCompact={isCompact}
              />
            </nav>
            {!isCompact && (
              <nav aria-label="Чаты">
                {hasProjects && findScreen(screens.projects.path) && (
                  <Suspense fallback={place}>
                    <PanelProjects onNavigate={onNavigate} place={place} />
                  </Suspense>
                )}
                <ThreadList answering={answering} {...(onNavigate && { onNavigate })} />
              </nav>
            )}
          </>
        )}
      </div>
      <Balance isCompact={isCompact} />
      <UserMenuButton user={user} isCompact={isCompact} />
    </div>
  )
}

const UserMenu = lazyComponent(async () => (await import('./user-menu.tsx')).UserMenu)

/** The menu is heavy and rarely opened: a plain button is shown until the first click loads it. */
function UserMenuButton({ user, isCompact }: { user: SessionUser; isCompact: boolean }) {
  const [isOpen, setIsOpen] = useState(false)
  const button = (
    <UserButton
      user={user}
      isCompact={isCompact}
      onPointerEnter={UserMenu.preload}
      onFocus={UserMenu.preload}
      onClick={() => setIsOpen(true)}
    />
  )
  if (!isOpen) return button
  return (
    <Suspense fallback={button}>
      <UserMenu user={user} isCompact={isCompact} />
    </Suspense>
  )
}
