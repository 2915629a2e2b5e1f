import { statisticLabels } from '#contract/statistic-labels.ts'
import { classNames } from '#web/lib/class-names.ts'
import { Card } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { Figure } from './figure.ts'
import { DeltaLine, FigureHint } from './figure-labels.tsx'

const gridStyle =
  'grid grid-cols-[repeat(auto-fill,minmax(min(100%,9.75rem),1fr))] gap-3 sm:grid-cols-[repeat(auto-fill,minmax(13rem,1fr))]'

export function FigureCards({ figures }: { figures: Figure[] }) {
  return (
    <dl className={gridStyle}>
      {figures.map(({ name, better, lines }) => (
        <Card key={name} className="flex flex-col gap-1 break-inside-avoid p-4!">
          <dt className="flex items-start justify-between gap-1 text-sm text-muted">
            {statisticLabels[name].title}
            <FigureHint name={name} />
          </dt>
          {lines.map(({ text, delta }) => (
            <dd key={text} className="flex flex-col gap-0.5">
              <span className="figures text-lg font-semibold sm:text-xl">{text}</span>
              <DeltaLine delta={delta} better={better} />
            </dd>
          ))}
        </Card>
      ))}
    </dl>
  )
}

interface FigureListProps {
  title: string
  figures: Figure[]
  className?: string
}

export function FigureList({ title, figures, className }: FigureListProps) {
  return (
    <Card className={classNames('break-inside-avoid p-4!', className)}>
      <h3 className="font-medium">{title}</h3>
      <dl className="mt-2 divide-y">
        {figures.map(({ name, better, lines }) => (
          <div key={name} className="flex items-start justify-between gap-3 py-2 last:pb-0">
            <dt className="min-w-0 text-sm text-muted">
              <span className="mr-1.5">{statisticLabels[name].title}</span>
              <FigureHint name={name} />
            </dt>
            <dd className="flex shrink-0 flex-col items-end gap-1 text-right whitespace-nowrap">
              {lines.map(({ text, delta }) => (
                <span key={text} className="flex flex-col items-end">
                  <span className="figures font-medium">{text}</span>
                  <DeltaLine delta={delta} better={better} />
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

export function StatisticsSkeleton() {
  return (
    <div className="flex flex-col gap-8" aria-busy="true">
      <div className={gridStyle}>
        {keys.map((key) => (
          <Skeleton key={key} className="h-24" />
        ))}
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        {keys.slice(0, 4).map((key) => (
          <Skeleton key={key} className="h-60" />
        ))}
      </div>
    </div>
  )
}
