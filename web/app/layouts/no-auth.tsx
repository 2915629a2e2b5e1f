import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { classNames } from '#web/lib/class-names.ts'
import { pageConfig } from '#web/lib/page-state.ts'
import { paths } from '#web/lib/paths.ts'
import { Logo } from '#web/ui/logo.tsx'
import { OfflineBanner } from '../offline-banner.tsx'

interface NoAuthLayoutProps {
  /** A text instead of a form: it begins at the top and is as wide as it likes. */
  toRead: boolean
  children: ReactNode
}

export function NoAuthLayout({ toRead, children }: NoAuthLayoutProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <OfflineBanner />
      <header className="px-6 py-5">
        {toRead ? (
          <Link href={paths.signIn()} className="inline-flex rounded-sm">
            <Logo name={pageConfig().appName} />
          </Link>
        ) : (
          <Logo name={pageConfig().appName} />
        )}
      </header>
      <main
        id="main"
        tabIndex={-1}
        className={classNames('flex-1 pb-20 outline-none', !toRead && 'grid place-items-center px-4')}
      >
        {toRead ? children : <div className="w-full max-w-sm">{children}</div>}
      </main>
    </div>
  )
}
