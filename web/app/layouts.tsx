import type { ReactNode } from 'react'
import type { Layout } from '#contract/screens.ts'
import { classNames } from '#web/lib/class-names.ts'
import { pageConfig } from '#web/lib/page-state.ts'
import { paths } from '#web/lib/paths.ts'
import { Link } from '#web/ui/link.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { pageColumn, readingWidth } from '#web/ui/page-column.ts'
import { OfflineBanner } from './offline-banner.tsx'

interface ColumnProps {
  layout: Exclude<Layout, 'no-auth'>
  /** Tables of admins take the whole width, and their forms begin on the same edge. */
  isAdmin?: boolean
  children: ReactNode
}

export function Column({ layout, isAdmin = false, children }: ColumnProps) {
  if (layout === 'default') return <div className="flex flex-1 flex-col">{children}</div>
  return (
    <div className={classNames(pageColumn, isAdmin && 'max-w-none!')}>
      {layout === 'container-2xl' ? <div className={readingWidth}>{children}</div> : children}
    </div>
  )
}

interface NoAuthLayoutProps {
  /** A text page starts at the top; otherwise the content is centred. Each screen sets its own width. */
  isTextPage: boolean
  children: ReactNode
}

export function NoAuthLayout({ isTextPage, children }: NoAuthLayoutProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <OfflineBanner />
      <header className={classNames('mx-auto w-full px-4 py-5', isTextPage ? 'max-w-[760px]' : 'max-w-[1092px]')}>
        {isTextPage ? (
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
        className={classNames('flex-1 outline-none', isTextPage ? 'pb-20' : 'grid items-center px-4 pb-6')}
      >
        {children}
      </main>
    </div>
  )
}
