import type { ReactNode } from 'react'
import type { Layout } from '#contract/screens.ts'
import { classNames } from '#web/lib/class-names.ts'
import { pageConfig } from '#web/lib/page-state.ts'
import { paths } from '#web/lib/paths.ts'
import { Link } from '#web/ui/link.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { OfflineBanner } from './offline-banner.tsx'

const columns: Record<Exclude<Layout, 'no-auth'>, string> = {
  default: 'flex-1 flex flex-col',
  'container-2xl': 'mx-auto w-full max-w-[672px] flex-1 px-4 py-6 frame:py-10',
  'container-full': 'w-full flex-1 px-4 py-6 frame:px-8 frame:py-8',
}

export function Column({ layout, children }: { layout: keyof typeof columns; children: ReactNode }) {
  return <div className={columns[layout]}>{children}</div>
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
      <header className="px-6 py-5">
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
