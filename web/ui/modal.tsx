import { type ReactNode, useLayoutEffect, useState } from 'react'
import { OpenModalContext } from './open-modal.ts'

interface ModalProps {
  open: boolean
  onClose: () => void
  labelledBy: string
  className: string
  children: ReactNode
}

const CONTROLS = 'input, textarea, select, button, a[href], [contenteditable], [tabindex]'

/** The page does not scroll behind a dialog. With `:has` every change of the page would be checked for dialogs. */
function markPage() {
  const page = document.documentElement
  const isOpen = document.querySelector('dialog[open]') !== null
  // The room of the scroll bar, which goes with it: the page keeps its width, and the backdrop covers the window.
  if (isOpen && !page.hasAttribute('data-dialog'))
    page.style.setProperty('--scrollbar', `${innerWidth - document.body.offsetWidth}px`)
  page.toggleAttribute('data-dialog', isOpen)
}

/** Browsers give the first focus to a part that scrolls, in which nothing can be typed or pressed. */
function focusFirstControl(dialog: HTMLDialogElement) {
  if (dialog.querySelector(':focus')?.matches(CONTROLS)) return
  dialog.querySelector<HTMLElement>(`:is(${CONTROLS}):not(:disabled)`)?.focus()
}

/** The native dialog: it traps focus, closes on Esc and restores focus. */
export function Modal({ open, onClose, labelledBy, className, children }: ModalProps) {
  const [dialog, setDialog] = useState<HTMLDialogElement | null>(null)
  useLayoutEffect(() => {
    if (!open || !dialog) return
    dialog.showModal()
    markPage()
    focusFirstControl(dialog)
    return () => {
      dialog.close()
      markPage()
    }
  }, [open, dialog])

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click on the backdrop closes it; the keyboard uses Esc
    <dialog
      // Only while it is open: a closed one, such as the menu of each page, would render the page twice at its start.
      ref={open ? setDialog : null}
      aria-labelledby={labelledBy}
      className={className}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog) onClose()
      }}
      // A browser closes a dialog by itself when Esc is pressed twice.
      onClose={markPage}
    >
      <OpenModalContext value={dialog}>{open && children}</OpenModalContext>
    </dialog>
  )
}
