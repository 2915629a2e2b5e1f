import { QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { isToasterWanted } from '#web/lib/notify.ts'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { createQueryClient } from './query-client.ts'
import { Router } from './router.tsx'
import { preloadLinks } from './screen-parts.ts'

export function App() {
  useEffect(preloadLinks, [])
  return (
    <Providers>
      <Router />
    </Providers>
  )
}

function Providers({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <ProgressBar />
      {children}
      <ToasterGate />
    </QueryClientProvider>
  )
}

/** Not a lazy component: without a connection it cannot be loaded, and that must not take the page down with it. */
export function ToasterGate() {
  const isWanted = isToasterWanted.use()
  const [Toaster, setToaster] = useState<ComponentType | null>(null)
  useEffect(() => {
    if (!isWanted) return
    loadToaster().then(
      (part) => setToaster(() => part),
      // The next toast tries again.
      () => isToasterWanted.set(false),
    )
  }, [isWanted])
  return Toaster && <Toaster />
}

async function loadToaster() {
  const { Toaster } = await import('#web/ui/toaster.tsx')
  return Toaster
}
