import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmDialogProps {
  open?: boolean
  title: string
  /** What the action does. */
  children: ReactNode
  cancel?: string
  action: ReactNode
  isDanger?: boolean
  isBusy?: boolean
  isDisabled?: boolean
  onAction: () => void
  onClose: () => void
}

/** Says what an action does before it is done. */
export function ConfirmDialog({ open = true, cancel = 'Отмена', onClose, ...props }: ConfirmDialogProps) {
  const { title, children, action, isDanger, isBusy = false, isDisabled = false, onAction } = props
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {cancel}
          </Button>
          <Button variant={isDanger ? 'danger' : 'primary'} busy={isBusy} disabled={isDisabled} onClick={onAction}>
            {action}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">{children}</div>
    </Dialog>
  )
}
