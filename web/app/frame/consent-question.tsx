import { useQueryClient } from '@tanstack/react-query'
import { sendAgreed, useWaitsForConsent } from '#web/features/chat/sending/agreed.ts'
import { ConsentDialog } from '#web/features/legal/consent-dialog.tsx'

interface ConsentQuestionProps {
  userId: string
  /** A rejected call waits for the answer. */
  isAsked: boolean
  onDone: (agreed: boolean) => void
}

/** Apart from its host, because the first load has no use for it. */
export function ConsentQuestion({ userId, isAsked, onDone }: ConsentQuestionProps) {
  const client = useQueryClient()
  const isSending = useWaitsForConsent(userId)
  return (
    <ConsentDialog
      next={isSending ? 'send' : isAsked ? 'continue' : null}
      onDone={(agreed) => {
        onDone(agreed)
        if (agreed) sendAgreed(client, userId)
      }}
    />
  )
}
