import { Suspense, useEffect, useState } from 'react'
import { askForRequirement, setRequirementDialog } from '#web/lib/call-requirements.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'

const ProofDialog = lazyComponent(async () => (await import('#web/features/auth/proof-dialog.tsx')).ProofDialog)

/** Shows the identity check. Links marked `data-fresh` require it before they download their file. */
export function ProofHost() {
  const [answer, setAnswer] = useState<{ done: (proven: boolean) => void } | null>(null)
  useEffect(() => {
    setRequirementDialog('proof_required', () => new Promise<boolean>((done) => setAnswer({ done })))
    document.addEventListener('click', askBeforeDownload, true)
    return () => {
      setRequirementDialog('proof_required', null)
      document.removeEventListener('click', askBeforeDownload, true)
    }
  }, [])
  if (!answer) return null
  return (
    <Suspense fallback={null}>
      <ProofDialog
        onDone={(proven) => {
          setAnswer(null)
          answer.done(proven)
        }}
      />
    </Suspense>
  )
}

function askBeforeDownload(event: MouseEvent) {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-fresh]') : null
  if (!link || link.dataset.fresh === 'proven') return
  event.preventDefault()
  void ensureFreshProof().then((proven) => {
    if (!proven) return
    link.dataset.fresh = 'proven'
    link.click()
    link.dataset.fresh = ''
  })
}

async function ensureFreshProof(): Promise<boolean> {
  const { isProofFresh } = await import('#web/lib/is-proof-fresh.ts')
  return (await isProofFresh()) || askForRequirement('proof_required')
}
