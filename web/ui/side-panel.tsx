import { X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { IconButton } from './button.tsx'
import { Modal } from './modal.tsx'

interface SidePanelProps {
  title: string
  onClose: () => void
  children: ReactNode
  /** Action buttons. */
  footer?: ReactNode
}

/** Details of a row beside the list; on phones they cover it. */
export function SidePanel({ title, onClose, children, footer }: SidePanelProps) {
  const titleId = useId()
  return (
    <Modal
      open
      onClose={onClose}
      labelledBy={titleId}
      className="m-0 ml-auto h-dvh max-h-none w-[min(36rem,100vw)] max-w-none border-l bg-surface text-ink open:animate-[appear_140ms_ease-out]"
    >
      <div className="relative flex h-full flex-col">
        <h2 id={titleId} className="border-b py-4 pr-14 pl-5 text-lg font-semibold wrap-anywhere">
          {title}
        </h2>
        <div className="flex-1 overflow-y-auto p-5">{children}</div>
        {footer && <div className="flex flex-wrap gap-2 border-t px-5 py-4">{footer}</div>}
        {/* Last in the focus order, so that the panel opens with the focus in its content. */}
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
