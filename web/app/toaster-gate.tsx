import { lazy, Suspense, useSyncExternalStore } from 'react'
import { toasterHost } from '#web/lib/toaster-host.ts'

const Toaster = lazy(async () => ({ default: (await import('#web/ui/toaster.tsx')).Toaster }))

/** Most visits see no notice, so the toaster is loaded with the first one. */
export function ToasterGate() {
  const isWanted = useSyncExternalStore(toasterHost.subscribe, toasterHost.isWanted)
  if (!isWanted) return null
  return (
    <Suspense fallback={null}>
      <Toaster />
    </Suspense>
  )
}
