import { useEffect } from 'react'
import type { SessionUser } from '#contract/page.ts'
import { hasAsked } from '#web/lib/asked-key.ts'

/** Delivers the question of the sign-in page; its code is loaded only when there is one. */
export function useAskedQuestion({ id, impersonated }: SessionUser): void {
  useEffect(() => {
    if (impersonated || !hasAsked()) return
    // Without a connection it waits for the next visit.
    import('#web/features/chat/asked-question/deliver-asked.ts')
      .then(({ deliverAsked }) => deliverAsked(id))
      .catch(() => undefined)
  }, [id, impersonated])
}
