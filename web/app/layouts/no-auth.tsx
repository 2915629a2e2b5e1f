import type { ReactNode } from 'react'
import { pageConfig } from '#web/lib/page-state.ts'
import { Logo } from '#web/ui/logo.tsx'
import { OfflineBanner } from '../offline-banner.tsx'

export function NoAuthLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <OfflineBanner />
      <header className="px-6 py-5">
        <Logo name={pageConfig().appName} />
      </header>
      <main id="main" tabIndex={-1} className="grid flex-1 place-items-center px-4 pb-20 outline-none">
        <div className="w-full max-w-sm">{children}</div>
      </main>
    </div>
  )
}
