import { ratingReasons } from '#contract/ratings.ts'
import { statisticLabels } from '#contract/statistic-labels.ts'
import type { ModelFigures, Times } from '#contract/statistics.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { formatNumber } from '#web/lib/format.ts'
import type { Column } from '#web/ui/table/columns.ts'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { formatMs, formatShare } from './figure.ts'
import { Sums } from './figure-labels.tsx'

const rowSpec = {
  key: ({ id }: ModelFigures) => id,
  name: ({ id, name }: ModelFigures) => name ?? id,
  href: ({ id }: ModelFigures) => adminPaths.model(id),
  isDim: ({ name }: ModelFigures) => name === null,
}

function TwoLines({ first, second }: { first: string; second: string }) {
  return (
    <>
      {first}
      <span className="block text-[13px] text-muted">{second}</span>
    </>
  )
}

const times = (measured: Times) =>
  measured ? <TwoLines first={formatMs(measured.p50)} second={formatMs(measured.p95)} /> : '—'
const shareOf = (part: number, whole: number) => formatShare(whole > 0 ? part / whole : null)

/** «👍 92 % · 120», below it what is criticised most. */
function Ratings({ good = 0, bad = 0, reasons = [] }: Partial<ModelFigures['ratings']>) {
  const all = good + bad
  if (all === 0) return '—'
  const top = reasons
    .slice(0, 2)
    .map(({ reason, count }) => `${ratingReasons[reason].toLowerCase()} ${formatNumber(count)}`)
  return <TwoLines first={`👍 ${shareOf(good, all)} из ${formatNumber(all)}`} second={top.join(', ')} />
}

function columns(all: number): Column<ModelFigures>[] {
  return [
    {
      id: 'name',
      title: 'Модель',
      cell: ({ id, name }) => <span className="sm:whitespace-nowrap">{name ?? `${id} (удалена)`}</span>,
    },
    {
      id: 'answers',
      title: 'Ответы',
      isNumeric: true,
      cell: ({ answers, failed }) => (
        <TwoLines
          first={formatNumber(answers)}
          second={`ошибок ${formatNumber(failed)} · ${shareOf(failed, answers)}`}
        />
      ),
    },
    {
      id: 'charged',
      title: 'Символы',
      isNumeric: true,
      cell: ({ charged }) => <TwoLines first={formatNumber(charged)} second={shareOf(charged, all)} />,
    },
    {
      id: 'earned',
      title: statisticLabels.earned.title,
      isNumeric: true,
      cell: ({ earned }) => <Sums sums={earned} />,
    },
    { id: 'cost', title: 'Расходы', isNumeric: true, cell: ({ cost }) => <Sums sums={cost} /> },
    {
      id: 'margin',
      title: statisticLabels.margin.title,
      isNumeric: true,
      cell: ({ margin }) => <Sums sums={margin} />,
    },
    {
      id: 'first',
      title: statisticLabels.firstToken.title,
      isNumeric: true,
      cell: ({ firstToken }) => times(firstToken),
    },
    {
      id: 'ratings',
      title: statisticLabels.ratings.title,
      isNumeric: true,
      cell: ({ ratings }) => <Ratings {...ratings} />,
    },
    { id: 'total', title: statisticLabels.total.title, isNumeric: true, cell: ({ total }) => times(total) },
  ]
}

export function ModelTable({ models }: { models: ModelFigures[] }) {
  if (models.length === 0) return <p className="text-muted">За этот период модели не отвечали.</p>
  const all = models.reduce((sum, { charged }) => sum + charged, 0)
  return <DataTable label="Модели" columns={columns(all)} rows={models} rowSpec={rowSpec} />
}
