import { useQuery } from '@tanstack/react-query'
import { dayZoneOf } from '#contract/day-zone.ts'
import { findScreen, screens } from '#contract/screens.ts'
import type { Statistics } from '#contract/statistics.ts'
import { Dashboard } from '#web/features/statistics/dashboard.tsx'
import { StatisticsSkeleton } from '#web/features/statistics/figure-cards.tsx'
import { type Days, daysBefore, daysOf, periodParams } from '#web/features/statistics/period.ts'
import { PeriodPicker } from '#web/features/statistics/period-picker.tsx'
import { statisticsQuery } from '#web/features/statistics/queries.ts'
import { seriesCsv } from '#web/features/statistics/series-csv.ts'
import { SetupCard } from '#web/features/status/setup-list.tsx'
import { classNames } from '#web/lib/class-names.ts'
import { saveCsv } from '#web/lib/csv.ts'
import { formatDay } from '#web/lib/format.ts'
import { pageConfig } from '#web/lib/page-state.ts'
import { paths } from '#web/lib/paths.ts'
import { useUrlState } from '#web/lib/url-state.ts'
import { Button } from '#web/ui/button.tsx'
import { Download, Printer } from '#web/ui/icons.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { TextLink } from '#web/ui/text-link.tsx'

export default function StatisticScreen() {
  const { state, change } = useUrlState(periodParams)
  const days = daysOf(state)
  const query = useQuery(statisticsQuery(days))
  const { data: statistics } = query
  const isNew = statistics?.since === null
  return (
    <div className="flex flex-col gap-6">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="max-w-2xl">
          <h1 className="text-2xl font-semibold">Статистика</h1>
          <p className="mt-1 text-pretty text-muted">
            {isNew ? 'Кто пишет, сколько платят и во что это обходится.' : comparison(days)}{' '}
            <span data-screen-only="">
              <TextLink href={paths.help('owners/statistics')} inText>
                Как всё считается
              </TextLink>
            </span>
          </p>
        </div>
        {!isNew && <Actions statistics={statistics} />}
      </header>
      {findScreen(screens['admin-status'].path) && <SetupCard />}
      {!isNew && <PeriodPicker state={state} onChange={change} />}
      {query.error && !statistics && <QueryError title="Статистика не загрузилась" query={query} />}
      {!statistics && !query.error && <StatisticsSkeleton />}
      {statistics && (
        <div
          aria-busy={query.isPlaceholderData || undefined}
          className={classNames('transition-opacity', query.isPlaceholderData && 'opacity-60')}
        >
          <Dashboard statistics={statistics} />
        </div>
      )}
    </div>
  )
}

/** Known before the figures come, so that nothing below it moves when they do. */
function comparison(days: Days): string {
  return `${span(days)} в сравнении с такими же днями до этого: ${span(daysBefore(days))}. Дни считаются ${dayZoneOf(pageConfig().country)}.`
}

function span({ from, to }: Days): string {
  return from === to ? formatDay(from) : `${formatDay(from)} — ${formatDay(to)}`
}

function Actions({ statistics }: { statistics: Statistics | undefined }) {
  const save = ({ period: { from, to } }: Statistics, csv: string) => saveCsv(`statistika-${from}-${to}.csv`, csv)
  return (
    <div data-screen-only="" className="flex flex-wrap gap-2">
      <Button
        size="sm"
        icon={<Download size={16} />}
        disabled={!statistics}
        onClick={() => statistics && save(statistics, seriesCsv(statistics))}
      >
        CSV по дням
      </Button>
      <Button size="sm" disabled={!statistics} icon={<Printer size={16} />} onClick={() => window.print()}>
        Напечатать
      </Button>
    </div>
  )
}
