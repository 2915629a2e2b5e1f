import { Suspense, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { setRequirementDialog } from '#web/lib/call-requirements.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'

const ConsentDialog = lazyComponent(async () => (await import('#web/features/legal/consent-dialog.tsx')).ConsentDialog)

/** Paths on which the dialog is not opened by itself: an owner must reach the documents, and anyone may read first. */
const pathsWithoutDialog = /^\/(admin|help)(\/|$)/

/** Asks for consents once when the page is opened, and whenever a call is rejected without them. */
export function ConsentHost({ isDue }: { isDue: boolean }) {
  const [path] = useLocation()
  const [isOpening, setIsOpening] = useState(isDue)
  const [answer, setAnswer] = useState<{ done: (agreed: boolean) => void } | null>(null)
  useEffect(() => {
    setRequirementDialog('consent_required', () => new Promise<boolean>((done) => setAnswer({ done })))
    return () => setRequirementDialog('consent_required', null)
  }, [])
  if (!answer && (!isOpening || pathsWithoutDialog.test(path))) return null
  return (
    <Suspense fallback={null}>
      <ConsentDialog
        onDone={(agreed) => {
          setIsOpening(false)
          setAnswer(null)
          answer?.done(agreed)
        }}
      />
    </Suspense>
  )
}
