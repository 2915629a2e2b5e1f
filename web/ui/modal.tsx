import { type ReactNode, useLayoutEffect, useRef } from 'react'

interface ModalProps {
  open: boolean
  onClose: () => void
  labelledBy: string
  className: string
  children: ReactNode
}

/** The browser's own modal: it traps focus, closes on Esc and gives focus back. */
export function Modal({ open, onClose, labelledBy, className, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    if (!open || !element) return
    element.showModal()
    return () => element.close()
  }, [open])

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the backdrop is the pointer's way out; the keyboard's is Esc
    <dialog
      ref={dialog}
      aria-labelledby={labelledBy}
      className={className}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      {open && children}
    </dialog>
  )
}
