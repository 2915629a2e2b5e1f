import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import type { SessionUser } from '#contract/page.ts'
import { sendAgreed, useWaitsForConsent } from '#web/features/chat/sending/pick-up.ts'
import { setRequirementDialog } from '#web/lib/call-requirements.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'

const ConsentDialog = lazyComponent(async () => (await import('#web/features/legal/consent-dialog.tsx')).ConsentDialog)

/** Paths on which the dialog is not opened by itself: an owner must reach the documents, and anyone may read first. */
const pathsWithoutDialog = /^\/(admin|help)(\/|$)/

/** Asks for consents once when the page is opened, and whenever a call is rejected without them. */
export function ConsentHost({ user }: { user: SessionUser }) {
  const client = useQueryClient()
  const [path] = useLocation()
  const isSending = useWaitsForConsent(user.id)
  const [isOpening, setIsOpening] = useState(user.lacksConsent === true)
  const [answer, setAnswer] = useState<{ done: (agreed: boolean) => void } | null>(null)
  useEffect(() => {
    setRequirementDialog('consent_required', () => new Promise<boolean>((done) => setAnswer({ done })))
    return () => setRequirementDialog('consent_required', null)
  }, [])
  if (!answer && (!isOpening || pathsWithoutDialog.test(path))) return null
  return (
    <Suspense fallback={null}>
      <ConsentDialog
        next={isSending ? 'send' : answer ? 'continue' : null}
        onDone={(agreed) => {
          setIsOpening(false)
          setAnswer(null)
          answer?.done(agreed)
          if (agreed) sendAgreed(client, user.id)
        }}
      />
    </Suspense>
  )
}
