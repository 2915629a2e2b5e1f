import type { Statistics } from '#contract/statistics.ts'
import { formatDateTime, formatNumber, plural } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { CircleAlert, CircleCheck, CircleDashed } from '#web/ui/icons.ts'
import { TextLink } from '#web/ui/text-link.tsx'
import { FigureHint } from './figure-labels.tsx'
import { useReconcile } from './queries.ts'

const codes: Record<string, string> = {
  internal: 'Ошибка на нашем сервере',
  rate_limited: 'Слишком частые запросы',
  '': 'Без объяснения',
}

export function Health({ statistics }: { statistics: Statistics }) {
  const { ledger, queue, failures, models, warnings } = statistics
  return (
    <div className="grid gap-4 lg:grid-cols-3">
      {warnings.map(({ name, at, message }) => (
        <Card key={name} className="flex gap-2 break-inside-avoid p-4! lg:col-span-3">
          <CircleAlert size={20} className="shrink-0 text-danger" />
          <div>
            <p className="font-medium">{message}</p>
            <p className="text-sm text-muted">Замечено {formatDateTime(at)}</p>
          </div>
        </Card>
      ))}
      <LedgerHealth ledger={ledger} />
      <Queue queue={queue} />
      <Failures failures={failures} models={models} />
    </div>
  )
}

function LedgerHealth({ ledger }: Pick<Statistics, 'ledger'>) {
  const { mutate, isPending } = useReconcile()
  const Icon = ledger === null ? CircleDashed : ledger.ok ? CircleCheck : CircleAlert
  const tone = ledger === null ? 'text-muted' : ledger.ok ? 'text-success' : 'text-danger'
  return (
    <Card className="flex flex-col gap-2 break-inside-avoid p-4!">
      <h3 className="flex items-center gap-1.5 font-medium">
        Сверка учёта
        <FigureHint name="ledger" />
      </h3>
      <p className={`flex items-center gap-2 font-medium ${tone}`}>
        <Icon size={20} className="shrink-0" />
        {ledgerLabel(ledger)}
      </p>
      {ledger && <p className="text-sm text-muted">Проверено {formatDateTime(ledger.at)}</p>}
      {ledger && !ledger.ok && (
        <p className="text-sm">
          Какие именно, скажет команда <code>npm run reconcile</code>.{' '}
          <TextLink href={paths.help('owners/admin')} inText>
            Что делать
          </TextLink>
        </p>
      )}
      <Button size="sm" busy={isPending} onClick={() => mutate()} className="mt-auto w-fit" data-screen-only="">
        Сверить сейчас
      </Button>
    </Card>
  )
}

function ledgerLabel(ledger: Statistics['ledger']): string {
  if (ledger === null) return 'Сверки ещё не было'
  if (ledger.ok) return 'Сходится до символа'
  const { problems } = ledger
  return `Не сходится: ${formatNumber(problems)} ${plural(problems, 'нарушение', 'нарушения', 'нарушений')}`
}

function Queue({ queue }: Pick<Statistics, 'queue'>) {
  return (
    <Card className="break-inside-avoid p-4!">
      <h3 className="flex items-center gap-1.5 font-medium">
        Очередь задач
        <FigureHint name="queue" />
      </h3>
      <dl className="figures mt-2 divide-y text-sm">
        <Line name="Ждут" value={formatNumber(queue.waiting)} />
        <Line name="Выполняются" value={formatNumber(queue.running)} />
        <Line name="Не удались за сутки" value={formatNumber(queue.failed)} isBad={queue.failed > 0} />
        {queue.oldest && <Line name="Старшая ждёт с" value={formatDateTime(queue.oldest)} />}
      </dl>
    </Card>
  )
}

function Line({ name, value, isBad = false }: { name: string; value: string; isBad?: boolean }) {
  return (
    <div className="flex justify-between gap-3 py-2 last:pb-0">
      <dt className="text-muted">{name}</dt>
      <dd className={isBad ? 'font-medium text-danger' : 'font-medium'}>{value}</dd>
    </div>
  )
}

const MAX_SHOWN = 6

function Failures({ failures, models }: Pick<Statistics, 'failures' | 'models'>) {
  const rest = failures.slice(MAX_SHOWN).reduce((sum, { count }) => sum + count, 0)
  const nameOf = (id: string) => models.find((model) => model.id === id)?.name ?? id
  return (
    <Card className="break-inside-avoid p-4!">
      <h3 className="flex items-center gap-1.5 font-medium">
        Ошибки моделей
        <FigureHint name="failed" />
      </h3>
      {failures.length === 0 && <p className="mt-2 text-sm text-muted">За этот период ошибок не было.</p>}
      <ul className="mt-2 divide-y text-sm">
        {failures.slice(0, MAX_SHOWN).map(({ modelId, failure, count }) => (
          <li key={modelId + failure} className="flex justify-between gap-3 py-2 last:pb-0">
            <span>
              {codes[failure] ?? failure}
              <span className="block text-[13px] text-muted">{nameOf(modelId)}</span>
            </span>
            <span className="figures font-medium">{formatNumber(count)}</span>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="border-t pt-2 text-sm text-muted">Остальных видов вместе: {formatNumber(rest)}</p>}
    </Card>
  )
}
