import { Suspense, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { SessionUser } from '#contract/page.ts'
import { setRequirementDialog } from '#web/lib/call-requirements.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'

const ConsentQuestion = lazyComponent(async () => (await import('./consent-question.tsx')).ConsentQuestion)

/** Paths on which the dialog is not opened by itself: an owner must reach the documents, and anyone may read first. */
const pathsWithoutDialog = /^\/(admin|help)(\/|$)/

/** Asks for consents once when the page is opened, and whenever a call is rejected without them. */
export function ConsentHost({ user }: { user: SessionUser }) {
  const [path] = useLocation()
  const [isOpening, setIsOpening] = useState(user.lacksConsent === true)
  const [isAsked, setAsked] = useState(false)
  // A ref, because a call may be rejected while the consents of the sign-in page are being given.
  const answer = useRef<((agreed: boolean) => void) | null>(null)
  useEffect(() => {
    const ask = (done: (agreed: boolean) => void) => {
      answer.current = done
      setAsked(true)
    }
    setRequirementDialog('consent_required', () => new Promise<boolean>(ask))
    return () => setRequirementDialog('consent_required', null)
  }, [])
  if (!isAsked && (!isOpening || pathsWithoutDialog.test(path))) return null
  return (
    <Suspense fallback={null}>
      <ConsentQuestion
        userId={user.id}
        isAsked={isAsked}
        onDone={(agreed) => {
          setIsOpening(false)
          setAsked(false)
          answer.current?.(agreed)
          answer.current = null
        }}
      />
    </Suspense>
  )
}
