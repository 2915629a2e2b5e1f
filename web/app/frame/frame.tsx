import { PanelLeftClose, PanelLeftOpen, X } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import type { SessionUser } from '#contract/page.ts'
import { ConsentStrip } from '#web/features/analytics/consent-strip.tsx'
import { useBalanceNotices } from '#web/features/billing/out-of-symbols.ts'
import { useDelivery, waitingLabel } from '#web/features/chat/outbox/use-delivery.ts'
import { useThreadListEvents } from '#web/features/threads/thread-events.ts'
import { classNames } from '#web/lib/class-names.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { ErrorPage } from '../error-page.tsx'
import { lazyPart } from '../lazy-part.ts'
import { OfflineBanner } from '../offline-banner.tsx'
import { MobileBar } from './mobile-bar.tsx'
import { Panel } from './panel.tsx'
import { ProofHost } from './proof-host.tsx'
import { useFolded } from './use-folded.ts'
import { useNewChatShortcut } from './use-new-chat-shortcut.ts'
import { usePalette } from './use-palette.ts'
import { useRealtimeEvents } from './use-realtime-events.ts'
import { useStart } from './use-start.ts'
import { useWide } from './use-wide.ts'

const { Component: ImpersonationBanner } = lazyPart(
  async () => (await import('./impersonation-banner.tsx')).ImpersonationBanner,
)

const { Component: FactorBanner } = lazyPart(async () => (await import('./factor-banner.tsx')).FactorBanner)

interface FrameProps {
  user: SessionUser
  children: ReactNode
}

export function Frame({ user, children }: FrameProps) {
  const [path] = useLocation()
  const [isFolded, toggleFolded] = useFolded()
  // Open for one address: following a link from the menu closes it.
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
  const waiting = useDelivery(user.id)
  useBalanceNotices()
  useNewChatShortcut()
  const failed = useStart()
  if (failed) return <ErrorPage error={failed} />

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
          {isWide && (
            <Panel
              user={user}
              compact={isFolded}
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
            compact={false}
            onSearch={search}
            onLeave={closeMenu}
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
        <ProofHost />
        <ConsentStrip />
        <div className="flex min-w-0 flex-1 flex-col">
          <div data-screen-only className="sticky top-0 z-30">
            <MobileBar onOpenMenu={() => setMenuAt(path)} onSearch={search} />
            {user.impersonated && (
              <Suspense fallback={null}>
                <ImpersonationBanner user={user} />
              </Suspense>
            )}
            {user.factorDays !== undefined && path.startsWith('/admin') && (
              <Suspense fallback={null}>
                <FactorBanner days={user.factorDays ?? 0} />
              </Suspense>
            )}
            <OfflineBanner note={waitingLabel(waiting)} />
          </div>
          <main id="main" tabIndex={-1} className="flex flex-1 flex-col outline-none">
            {children}
          </main>
        </div>
      </div>
    </>
  )
}
