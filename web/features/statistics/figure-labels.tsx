import { Popover } from 'radix-ui'
import { type StatisticLabel, statisticLabels } from '#contract/statistic-labels.ts'
import type { Sum } from '#contract/statistics.ts'
import { classNames } from '#web/lib/class-names.ts'
import { formatMoney } from '#web/lib/format.ts'
import { ArrowDown, ArrowUp, CircleHelp, Equal } from '#web/ui/icons.ts'
import type { Better, Delta } from './figure.ts'

const icons = { up: ArrowUp, down: ArrowDown, same: Equal }

/** The change as an arrow and text; colour is not the only sign. */
export function DeltaLine({ delta, better }: { delta: Delta | null; better: Better }) {
  if (!delta) return null
  const { direction, text } = delta
  const Icon = icons[direction]
  const isGood = (direction === 'up') === (better === 'more')
  const tone = direction === 'same' || better === null ? 'text-muted' : isGood ? 'text-success' : 'text-danger'
  return (
    <span className={classNames('flex items-center gap-1 text-[13px] leading-snug', tone)}>
      <Icon size={14} className="shrink-0" />
      {text}
    </span>
  )
}

/** Sums in several currencies, one per line; a dash if there are none. */
export function Sums({ sums }: { sums: Sum[] }) {
  if (sums.length === 0) return '—'
  return sums.map((sum) => (
    <span key={sum.currency} className="block whitespace-nowrap">
      {formatMoney(sum)}
    </span>
  ))
}

export function FigureHint({ name }: { name: StatisticLabel }) {
  const { title, text } = statisticLabels[name]
  return (
    <Popover.Root>
      <Popover.Trigger
        aria-label={`Как считается: ${title}`}
        title={text}
        data-screen-only=""
        className="-m-1 inline-grid size-6 shrink-0 place-items-center rounded-full text-muted hover:text-ink"
      >
        <CircleHelp size={15} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label={title}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 w-72 max-w-[calc(100vw-1rem)] rounded-md border bg-surface p-3 text-sm shadow-float outline-none"
        >
          <p className="font-medium">{title}</p>
          <p className="mt-1 text-muted">{text}</p>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
