import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import { toasterHost } from '#web/lib/toaster-host.ts'

/** Not a lazy component: without a connection it cannot be loaded, and that must not take the page down with it. */
export function ToasterGate() {
  const isWanted = useSyncExternalStore(toasterHost.subscribe, toasterHost.isWanted)
  const [Toaster, setToaster] = useState<ComponentType | null>(null)
  useEffect(() => {
    if (!isWanted) return
    loadToaster().then((part) => setToaster(() => part), toasterHost.giveUp)
  }, [isWanted])
  return Toaster && <Toaster />
}

async function loadToaster() {
  const { Toaster } = await import('#web/ui/toaster.tsx')
  return Toaster
}
