import { CircleHelp } from 'lucide-react'
import { Popover } from 'radix-ui'
import { type StatisticLabel, statisticLabels } from '#contract/statistic-labels.ts'

/** How a figure is counted, beside its name. */
export function Meaning({ of }: { of: StatisticLabel }) {
  const { title, text } = statisticLabels[of]
  return (
    <Popover.Root>
      <Popover.Trigger
        aria-label={`Как считается: ${title}`}
        title={text}
        data-screen-only=""
        className="-m-1 inline-grid size-6 shrink-0 place-items-center rounded-full text-muted hover:text-ink"
      >
        <CircleHelp size={15} aria-hidden="true" />
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
