import { type CSSProperties, type ReactNode, useId } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { IconButton } from '#web/ui/button.tsx'
import { X } from '#web/ui/icons.ts'
import { Modal } from '#web/ui/modal.tsx'

interface FullScreenProps {
  title: string
  /** Otherwise only screen readers read the title. */
  isTitled?: boolean
  onClose: () => void
  className: string
  children: ReactNode
}

/** An image with its panel below it, beside it in wide windows. */
export const besidePanel = 'flex-col overflow-y-auto md:flex-row md:overflow-hidden'

/** As large as fits into the nearest container with a size, and never enlarged. */
export const insideContainer = ({ width, height }: { width: number; height: number }): CSSProperties => ({
  aspectRatio: `${width} / ${height}`,
  width: `min(100cqw, ${width}px, calc(100cqh * ${width / height}))`,
})

/** A window over the whole page. */
export function FullScreen({ title, isTitled = false, onClose, className, children }: FullScreenProps) {
  const titleId = useId()
  return (
    <Modal
      open
      onClose={onClose}
      labelledBy={titleId}
      className="m-0 h-dvh max-h-none w-screen max-w-none bg-page text-ink open:animate-[appear_140ms_ease-out]"
    >
      <div className={classNames('flex size-full', className)}>
        <h2 id={titleId} className={isTitled ? 'fixed top-4 left-5 font-semibold' : 'sr-only'}>
          {title}
        </h2>
        {/* First in the dialog, so that it gets the focus and Enter pressed twice spends nothing. */}
        <IconButton
          label="Закрыть"
          icon={<X size={20} />}
          onClick={onClose}
          className="fixed top-2.5 right-2.5 z-10 bg-surface/80"
        />
        {children}
      </div>
    </Modal>
  )
}
