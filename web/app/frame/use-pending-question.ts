import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { SessionUser } from '#contract/page.ts'
import { askedHere, hasPendingQuestion } from '#web/lib/pending-question-key.ts'

/** Sends the question of the sign-in page; its code is loaded only when there is one. */
export function usePendingQuestion({ id, impersonated }: SessionUser): void {
  const client = useQueryClient()
  useEffect(() => {
    if (impersonated || !(hasPendingQuestion() || askedHere())) return
    // Without a connection it waits for the next visit.
    import('#web/features/chat/pending-question/send-pending-question.ts')
      .then(({ sendPendingQuestion }) => sendPendingQuestion(client, id))
      .catch(() => undefined)
  }, [client, id, impersonated])
}
