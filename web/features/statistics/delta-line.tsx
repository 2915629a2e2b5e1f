import { ArrowDown, ArrowUp, Equal } from 'lucide-react'
import { classNames } from '#web/lib/class-names.ts'
import type { Delta } from './delta.ts'

/** Which way is good; without it a change is neither. */
export type Better = 'more' | 'less' | null

const icons = { up: ArrowUp, down: ArrowDown, same: Equal }

/** The comparison in an arrow and words; colour only repeats them. */
export function DeltaLine({ delta, better }: { delta: Delta | null; better: Better }) {
  if (!delta) return null
  const { direction, words } = delta
  const Icon = icons[direction]
  const isGood = (direction === 'up') === (better === 'more')
  const tone = direction === 'same' || better === null ? 'text-muted' : isGood ? 'text-success' : 'text-danger'
  return (
    <span className={classNames('flex items-center gap-1 text-[13px] leading-snug', tone)}>
      <Icon size={14} aria-hidden="true" className="shrink-0" />
      {words}
    </span>
  )
}
