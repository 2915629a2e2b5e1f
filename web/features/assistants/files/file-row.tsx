import type { ReactNode } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { withPrice } from '#web/lib/format.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { CircleAlert, FileText, RotateCcw, X } from '#web/ui/icons.ts'

interface FileRowProps {
  name: string
  note: string
  isFailed: boolean
  /** Progress from 0 to 1; null when nothing is running. */
  progress: number | null
  onRemove: () => void
  removeLabel?: string
  onRetry?: (() => void) | undefined
  onPay?: (() => void) | undefined
  price?: number | null | undefined
  children?: ReactNode
}

export function FileRow(props: FileRowProps) {
  const {
    name,
    note,
    isFailed,
    progress,
    onRemove,
    removeLabel = 'Убрать',
    onRetry,
    onPay,
    price = null,
    children,
  } = props
  const Icon = isFailed ? CircleAlert : FileText
  return (
    <li className="relative overflow-hidden rounded-md border bg-page">
      <div className="flex items-center gap-3 py-2 pr-1.5 pl-3">
        <Icon size={20} className={classNames('shrink-0', isFailed ? 'text-danger' : 'text-muted')} />
        <span className="min-w-0 flex-1 leading-tight">
          <span className="block truncate text-[15px]" title={name}>
            {name}
          </span>
          <span className={classNames('figures block text-sm text-pretty', isFailed ? 'text-danger' : 'text-muted')}>
            {note}
          </span>
          {onPay && (
            <Button
              size="sm"
              className="mt-2"
              aria-label={withPrice(`Оплатить: ${name}`, price, 'about')}
              onClick={onPay}
            >
              {withPrice('Оплатить', price, 'about')}
            </Button>
          )}
        </span>
        {onRetry && (
          <IconButton size="sm" label={`Повторить: ${name}`} icon={<RotateCcw size={17} />} onClick={onRetry} />
        )}
        <IconButton size="sm" label={`${removeLabel}: ${name}`} icon={<X size={18} />} onClick={onRemove} />
      </div>
      {children && <div className="px-3 pb-3 empty:hidden">{children}</div>}
      {progress !== null && (
        <span
          role="progressbar"
          aria-label={name}
          aria-valuenow={Math.round(progress * 100)}
          style={{ transform: `scaleX(${Math.max(progress, 0.03)})` }}
          className="absolute inset-x-0 bottom-0 h-0.5 origin-left bg-accent-ink transition-transform"
        />
      )}
    </li>
  )
}
