import { classNames } from '#web/lib/class-names.ts'

export type MeterTone = 'neutral' | 'warning' | 'danger'

const fills: Record<MeterTone, string> = { neutral: 'bg-accent-ink', warning: 'bg-warning', danger: 'bg-danger' }

interface MeterProps {
  /** From 0 to 1. */
  share: number
  tone?: MeterTone
  className?: string
}

/** Decorative: the value is always shown beside it. */
export function Meter({ share, tone = 'neutral', className }: MeterProps) {
  return (
    <span aria-hidden="true" className={classNames('block overflow-hidden rounded-full bg-line', className)}>
      {share > 0 && (
        <span
          style={{ width: `${Math.min(share, 1) * 100}%` }}
          className={classNames('block h-full min-w-1 rounded-full transition-[width]', fills[tone])}
        />
      )}
    </span>
  )
}
