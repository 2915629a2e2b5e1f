import { type ReactNode, Suspense, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'
import type { SessionUser } from '#contract/page.ts'
import { MobileBarBalance } from '#web/features/billing/balance.tsx'
import { useRememberChat } from '#web/features/billing/chat-return.ts'
import { useBalanceNotices } from '#web/features/billing/out-of-symbols.ts'
import { usePickUp, waitingLabel } from '#web/features/chat/sending/pick-up.ts'
import { useThreadListEvents } from '#web/features/threads/thread-events.ts'
import { classNames } from '#web/lib/class-names.ts'
import { Late, lazy } from '#web/lib/lazy.tsx'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { pageConfig } from '#web/lib/page-state.ts'
import { paths } from '#web/lib/paths.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { Menu, PanelLeftClose, PanelLeftOpen, SquarePen, X } from '#web/ui/icons.ts'
import { Link } from '#web/ui/link.tsx'
import { mobileBarSlot } from '#web/ui/mobile-bar-slot.ts'
import { ErrorPage } from '../error-page.tsx'
import { OfflineBanner } from '../offline-banner.tsx'
import { ConsentHost } from './consent-host.tsx'
import { useFirstData } from './first-data.ts'
import { Panel } from './panel.tsx'
import { ProofHost } from './proof-host.tsx'
import { useNewChatShortcut } from './use-new-chat-shortcut.ts'
import { SearchButton, usePalette } from './use-palette.tsx'
import { usePendingQuestion } from './use-pending-question.ts'
import { closeShortcutsDialog, useShortcutsDialog } from './use-shortcuts-dialog.ts'
import { useRealtimeEvents, useStart } from './use-start.ts'

const ImpersonationBanner = lazyComponent(async () => (await import('./banners.tsx')).ImpersonationBanner)

const SecondFactorBanner = lazyComponent(async () => (await import('./banners.tsx')).SecondFactorBanner)

const consentStrip = lazy(async () => (await import('#web/features/analytics/consent-strip.tsx')).ConsentStrip)

function hasCounters(): boolean {
  const { url, yandexMetrikaId } = pageConfig().analytics
  return url !== null || yandexMetrikaId !== null
}

interface FrameProps {
  user: SessionUser
  children: ReactNode
}

export function Frame({ user, children }: FrameProps) {
  useFirstData()
  const [path] = useLocation()
  const [isFolded, toggleFolded] = useFolded()
  // The address at which the menu was opened: navigation closes it.
  const [menuAt, setMenuAt] = useState<string | null>(null)
  const closeMenu = () => setMenuAt(null)
  const isWide = useWide()
  const { Palette, ...palette } = usePalette()
  const search = () => {
    closeMenu()
    palette.open()
  }
  useRealtimeEvents()
  useThreadListEvents()
  const waiting = usePickUp(user.id)
  usePendingQuestion(user)
  useBalanceNotices()
  useRememberChat()
  useNewChatShortcut()
  const ShortcutsDialog = useShortcutsDialog()
  const failed = useStart(user)
  // Help needs no profile, and the button of this error may lead to the page about support.
  if (failed)
    return path.startsWith(`${paths.help()}/`) ? <main id="main">{children}</main> : <ErrorPage error={failed} />

  return (
    <>
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-surface px-4 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        К содержанию
      </a>
      <div className="flex min-h-dvh">
        <aside
          data-screen-only
          aria-label="Панель"
          className={classNames(
            'sticky top-0 hidden h-dvh shrink-0 border-r bg-panel transition-[width] frame:block',
            isFolded ? 'w-16' : 'w-[280px]',
          )}
        >
          {isWide !== false && (
            <Panel
              user={user}
              isCompact={isFolded}
              onSearch={search}
              toggle={
                <IconButton
                  label={isFolded ? 'Развернуть панель' : 'Свернуть панель'}
                  aria-expanded={!isFolded}
                  icon={isFolded ? <PanelLeftOpen size={20} /> : <PanelLeftClose size={20} />}
                  onClick={toggleFolded}
                />
              }
            />
          )}
        </aside>
        <Drawer open={menuAt === path} onClose={closeMenu} title="Меню">
          <Panel
            user={user}
            isCompact={false}
            onSearch={search}
            onNavigate={closeMenu}
            toggle={<IconButton label="Закрыть меню" icon={<X size={20} />} onClick={closeMenu} />}
          />
        </Drawer>
        {Palette && (
          <Palette
            typed={palette.typed.current}
            panel={isWide ? { isFolded, toggle: toggleFolded } : null}
            onClose={palette.close}
          />
        )}
        {ShortcutsDialog && <ShortcutsDialog onClose={closeShortcutsDialog} />}
        <ProofHost />
        <ConsentHost user={user} />
        <div className="flex min-w-0 flex-1 flex-col">
          <div data-screen-only data-frame-bar className="sticky top-0 z-30">
            {!isWide && <MobileBar onOpenMenu={() => setMenuAt(path)} onSearch={search} />}
            {user.impersonated && (
              <Suspense fallback={null}>
                <ImpersonationBanner user={user} />
              </Suspense>
            )}
            {user.factorDays !== undefined && path.startsWith('/admin') && (
              <Suspense fallback={null}>
                <SecondFactorBanner days={user.factorDays ?? 0} />
              </Suspense>
            )}
            <OfflineBanner note={waitingLabel(waiting)} />
          </div>
          {hasCounters() && <Late component={consentStrip} props={{}} />}
          <main id="main" tabIndex={-1} className="flex flex-1 flex-col outline-none">
            {children}
          </main>
        </div>
      </div>
    </>
  )
}

const KEY = 'panel-folded'

/** Whether the panel shows icons only; remembered in this browser, and read by boot.js for the shell. */
function useFolded(): [isFolded: boolean, toggle: () => void] {
  const [isFolded, setFolded] = useState(() => localStorage.getItem(KEY) === 'yes')
  function toggle() {
    setFolded(!isFolded)
    localStorage.setItem(KEY, isFolded ? 'no' : 'yes')
  }
  return [isFolded, toggle]
}

/** The `frame` breakpoint of styles.css: wider windows show the panel beside the page. */
const wide = matchMedia('(min-width: 900px)')

function subscribe(onChange: () => void) {
  wide.addEventListener('change', onChange)
  return () => wide.removeEventListener('change', onChange)
}

/** Null in the shell, which is drawn before the width is known: styles hide what does not fit. */
function useWide(): boolean | null {
  return useSyncExternalStore<boolean | null>(
    subscribe,
    () => wide.matches,
    () => null,
  )
}

interface MobileBarProps {
  onOpenMenu: () => void
  onSearch: () => void
}

/** A screen may put its title and menu into the slot, in place of the product's name and the search. */
function MobileBar({ onOpenMenu, onSearch }: MobileBarProps) {
  return (
    <header className="flex h-14 items-center gap-0.5 border-b bg-page px-1 short:h-11 frame:hidden">
      <IconButton label="Открыть меню" icon={<Menu size={22} aria-hidden="true" />} onClick={onOpenMenu} />
      <div ref={mobileBarSlot.set} className="peer flex min-w-0 flex-1 items-center empty:hidden" />
      <span className="hidden flex-1 truncate pl-1 font-semibold peer-empty:block">{pageConfig().appName}</span>
      <MobileBarBalance />
      <span className="hidden peer-empty:contents">
        <SearchButton onClick={onSearch} />
      </span>
      <Link
        href={paths.home()}
        aria-label="Новый чат"
        title="Новый чат"
        className="grid size-11 shrink-0 place-items-center rounded-md text-muted transition-colors hover:bg-hover hover:text-ink peer-has-[input]:hidden"
      >
        <SquarePen size={20} aria-hidden="true" />
      </Link>
    </header>
  )
}
