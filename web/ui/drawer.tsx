import { type ReactNode, useId } from 'react'
import { Modal } from './modal.tsx'

interface DrawerProps {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
}

export function Drawer({ open, onClose, title, children }: DrawerProps) {
  const titleId = useId()
  return (
    <Modal
      open={open}
      onClose={onClose}
      labelledBy={titleId}
      className="m-0 mr-auto h-dvh max-h-none w-[min(280px,85vw)] border-r bg-panel text-ink open:animate-[slide-in_160ms_ease-out]"
    >
      <h2 id={titleId} className="sr-only">
        {title}
      </h2>
      {children}
    </Modal>
  )
}
