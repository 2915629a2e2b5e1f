import type { ReactNode } from 'react'
import { callErrorText } from '#web/lib/error-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

interface ConfirmActionProps {
  title: string
  /** The effects of the action. */
  children: ReactNode
  action: string
  isDanger?: boolean
  isReady?: boolean
  call: { isPending: boolean; isSuccess: boolean; error: Error | null }
  onAction: () => void
  onClose: () => void
}

/** Confirms an action: shows its effects first, and the error if it fails. */
export function ConfirmAction(props: ConfirmActionProps) {
  const { title, children, action, isDanger, isReady = true, call, onAction, onClose } = props
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Отмена
          </Button>
          <Button
            variant={isDanger ? 'danger' : 'primary'}
            busy={call.isPending}
            disabled={!isReady || call.isSuccess}
            onClick={onAction}
          >
            {action}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {children}
        {call.error && <Callout tone="danger">{callErrorText(call.error)}</Callout>}
      </div>
    </Dialog>
  )
}

export function Consequences({ lines }: { lines: string[] }) {
  return (
    <ul className="list-disc space-y-1 pl-5">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}
