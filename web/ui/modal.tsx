import { type ReactNode, useLayoutEffect, useState } from 'react'
import { LayerContext } from './layer.ts'

interface ModalProps {
  open: boolean
  onClose: () => void
  labelledBy: string
  className: string
  children: ReactNode
}

/** The native dialog: it traps focus, closes on Esc and restores focus. */
export function Modal({ open, onClose, labelledBy, className, children }: ModalProps) {
  const [dialog, setDialog] = useState<HTMLDialogElement | null>(null)
  useLayoutEffect(() => {
    if (!open || !dialog) return
    dialog.showModal()
    return () => dialog.close()
  }, [open, dialog])

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click on the backdrop closes it; the keyboard uses Esc
    <dialog
      ref={setDialog}
      aria-labelledby={labelledBy}
      className={className}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog) onClose()
      }}
    >
      <LayerContext value={dialog}>{open && children}</LayerContext>
    </dialog>
  )
}
