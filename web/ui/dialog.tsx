import { type ReactNode, useId } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { X } from '#web/ui/icons.ts'
import { IconButton } from './button.tsx'
import { Modal } from './modal.tsx'

interface DialogProps {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
  footer?: ReactNode
}

export function Dialog({ isWide = false, ...props }: DialogProps & { isWide?: boolean }) {
  return <TitledModal {...props} style={isWide ? wideStyle : centredStyle} />
}

/** The classes in which titled modals differ. */
interface ModalStyle {
  modal: string
  frame: string
  title?: string
  body: string
  footer?: string
}

const centredStyle: ModalStyle = {
  modal: 'm-auto w-[min(32rem,calc(100vw-2rem))] rounded-lg border open:animate-[rise_140ms_ease-out]',
  frame: 'max-h-[85dvh]',
  body: 'px-5 pb-5',
  footer: 'justify-end',
}

const wideStyle: ModalStyle = {
  ...centredStyle,
  modal: 'm-auto w-[min(60rem,calc(100vw-2rem))] rounded-lg border open:animate-[rise_140ms_ease-out]',
}

/** A modal with a title, a scrolling body, buttons under it and a close button. */
export function TitledModal({ title, onClose, open, children, footer, style }: DialogProps & { style: ModalStyle }) {
  const titleId = useId()
  return (
    <Modal
      open={open}
      onClose={onClose}
      labelledBy={titleId}
      className={classNames('bg-surface text-ink', style.modal)}
    >
      <div className={classNames('relative flex flex-col', style.frame)}>
        <h2 id={titleId} className={classNames('py-4 pr-14 pl-5 text-lg font-semibold', style.title)}>
          {title}
        </h2>
        <div className={classNames('overflow-y-auto', style.body)}>{children}</div>
        {footer && <div className={classNames('flex flex-wrap gap-2 border-t px-5 py-4', style.footer)}>{footer}</div>}
        {/* Last in the focus order, so that the modal opens with the focus in its first field. */}
        <IconButton label="Закрыть" icon={<X size={20} />} onClick={onClose} className="absolute top-2.5 right-2.5" />
      </div>
    </Modal>
  )
}
