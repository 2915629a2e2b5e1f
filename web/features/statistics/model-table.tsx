import { statisticWords } from '#contract/statistic-words.ts'
import type { ModelFigures, Times } from '#contract/statistics.ts'
import { formatNumber } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import type { Column } from '#web/ui/table/column.ts'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { sayMs, sayShare } from './delta.ts'
import { Sums } from './money-words.tsx'

const kind = {
  key: ({ id }: ModelFigures) => id,
  name: ({ id, name }: ModelFigures) => name ?? id,
  href: ({ id }: ModelFigures) => paths.adminModel(id),
  isDim: ({ name }: ModelFigures) => name === null,
}

const times = (told: Times) => (told ? `${sayMs(told.p50)} · ${sayMs(told.p95)}` : '—')

function columns(all: number): Column<ModelFigures>[] {
  return [
    { id: 'name', title: 'Модель', cell: ({ id, name }) => name ?? `${id} (удалена)` },
    { id: 'answers', title: 'Ответы', isFigure: true, cell: ({ answers }) => formatNumber(answers) },
    { id: 'charged', title: 'Символы', isFigure: true, cell: ({ charged }) => formatNumber(charged) },
    { id: 'share', title: 'Доля', isFigure: true, cell: ({ charged }) => sayShare(all > 0 ? charged / all : null) },
    { id: 'earned', title: statisticWords.earned.title, isFigure: true, cell: ({ earned }) => <Sums sums={earned} /> },
    { id: 'cost', title: 'Расходы', isFigure: true, cell: ({ cost }) => <Sums sums={cost} /> },
    { id: 'margin', title: statisticWords.margin.title, isFigure: true, cell: ({ margin }) => <Sums sums={margin} /> },
    {
      id: 'failed',
      title: statisticWords.failed.title,
      isFigure: true,
      cell: ({ failed, answers }) => `${formatNumber(failed)} · ${sayShare(answers > 0 ? failed / answers : null)}`,
    },
    { id: 'first', title: 'До первых слов', isFigure: true, cell: ({ firstToken }) => times(firstToken) },
    { id: 'total', title: 'Весь ответ', isFigure: true, cell: ({ total }) => times(total) },
  ]
}

export function ModelTable({ models }: { models: ModelFigures[] }) {
  if (models.length === 0) return <p className="text-muted">За этот период модели не отвечали.</p>
  const all = models.reduce((sum, { charged }) => sum + charged, 0)
  return <DataTable label="Модели" columns={columns(all)} rows={models} kind={kind} />
}
