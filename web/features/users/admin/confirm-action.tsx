import type { ReactNode } from 'react'
import { callErrorText } from '#web/lib/error-text.ts'
import { Callout } from '#web/ui/callout.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

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
export function ConfirmAction({ children, isReady = true, call, ...dialog }: ConfirmActionProps) {
  return (
    <ConfirmDialog {...dialog} isBusy={call.isPending} isDisabled={!isReady || call.isSuccess}>
      {children}
      {call.error && <Callout tone="danger">{callErrorText(call.error)}</Callout>}
    </ConfirmDialog>
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
