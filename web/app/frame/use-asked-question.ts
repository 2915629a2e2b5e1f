import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { SessionUser } from '#contract/page.ts'
import { hasAskedQuestion } from '#web/lib/asked-question-key.ts'

/** Sends the question of the sign-in page; its code is loaded only when there is one. */
export function useAskedQuestion({ id, impersonated }: SessionUser): void {
  const client = useQueryClient()
  useEffect(() => {
    if (impersonated || !hasAskedQuestion()) return
    // Without a connection it waits for the next visit.
    import('#web/features/chat/asked-question/send-asked-question.ts')
      .then(({ sendAskedQuestion }) => sendAskedQuestion(client, id))
      .catch(() => undefined)
  }, [client, id, impersonated])
}
