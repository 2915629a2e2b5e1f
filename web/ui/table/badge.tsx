import type { ReactNode } from 'react'
import { classNames } from '#web/lib/class-names.ts'

export type BadgeTone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger'

const tones: Record<BadgeTone, string> = {
  neutral: 'bg-hover text-muted',
  accent: 'bg-accent-soft text-accent-ink',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
}

export function Badge({ tone = 'neutral', children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex rounded-lg px-2 py-0.5 text-[13px] leading-tight font-medium sm:whitespace-nowrap',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}
