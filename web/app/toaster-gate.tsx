import { type ComponentType, useEffect, useState } from 'react'
import { isToasterWanted } from '#web/lib/notify.ts'

/** Not `React.lazy`: failing to load it offline must not break the page. */
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
