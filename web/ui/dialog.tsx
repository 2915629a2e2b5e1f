import { X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { IconButton } from './button.tsx'
import { Modal } from './modal.tsx'

interface DialogProps {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
  footer?: ReactNode
}

export function Dialog({ open, onClose, title, children, footer }: DialogProps) {
  const titleId = useId()
  return (
    <Modal
      open={open}
      onClose={onClose}
      labelledBy={titleId}
      className="m-auto w-[min(32rem,calc(100vw-2rem))] rounded-lg border bg-surface text-ink open:animate-[rise_140ms_ease-out]"
    >
      <div className="relative flex max-h-[85dvh] flex-col">
        <h2 id={titleId} className="py-4 pr-14 pl-5 text-lg font-semibold">
          {title}
        </h2>
        <div className="overflow-y-auto px-5 pb-5">{children}</div>
        {footer && <div className="flex flex-wrap justify-end gap-2 border-t px-5 py-4">{footer}</div>}
        {/* Last in the focus order, so that the dialog opens with the focus in its first field. */}
        <IconButton
          label="Закрыть"
          icon={<X size={20} aria-hidden="true" />}
          onClick={onClose}
          className="absolute top-2.5 right-2.5"
        />
      </div>
    </Modal>
  )
}
