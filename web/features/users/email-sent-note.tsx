import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { MailboxLink } from './mailbox-link.tsx'

interface EmailSentNoteProps {
  title: string
  children: ReactNode
  onClose: () => void
}

/** Replaces a form whose answer is an email. */
export function EmailSentNote({ title, children, onClose }: EmailSentNoteProps) {
  return (
    <div role="status">
      <Callout
        tone="info"
        title={title}
        action={
          <>
            <MailboxLink />
            <Button size="sm" onClick={onClose}>
              Понятно
            </Button>
          </>
        }
      >
        <span className="wrap-anywhere">{children}</span>
      </Callout>
    </div>
  )
}
