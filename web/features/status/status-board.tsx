import { useQuery } from '@tanstack/react-query'
import { findScreen, screens } from '#contract/screens.ts'
import type { RetiringModel, Status, StatusInstance, StatusPart } from '#contract/status.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { formatDate, formatDateTime } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Card } from '#web/ui/card.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Section } from '#web/ui/section.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Badge, type BadgeTone } from '#web/ui/table/badge.tsx'
import type { Column } from '#web/ui/table/columns.ts'
import { DataTable } from '#web/ui/table/data-table.tsx'
import type { RowSpec } from '#web/ui/table/table-row.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { factOf, partTexts, problemsIn } from './part-texts.ts'
import { statusQuery, useCheckLedger } from './queries.ts'
import { SetupSteps } from './setup-list.tsx'

export function StatusBoard() {
  const found = useQuery(statusQuery)
  const { data, error } = found
  return (
    <div className="flex flex-col gap-6">
      {error && (
        <div className="flex flex-col gap-2">
          <QueryError query={found} title="Состояние сейчас неизвестно" />
          <p className="text-sm text-muted">
            Без базы данных не работает ничего, кроме уже открытых страниц: проверьте её первой, потом журнал сервера.
            {data && ` Ниже то, что было известно ${formatDateTime(data.at)}.`}
          </p>
        </div>
      )}
      {data ? <StatusDetails status={data} isStale={error !== null} /> : !error && <Loading />}
    </div>
  )
}

function Loading() {
  return (
    <div className="flex flex-col gap-4" role="status" aria-label="Загрузка">
      <Skeleton className="h-20 w-full" />
      <Skeleton className="h-96 w-full" />
    </div>
  )
}

/** Warnings that belong to no part. */
const adviceTitles: Record<string, string> = { support: 'Поддержка', pdftoppm: 'Чтение сканов' }
const adviceOf = ({ warnings }: Status) => warnings.filter(({ name }) => name in adviceTitles)

function StatusDetails({ status, isStale }: { status: Status; isStale: boolean }) {
  const problems = problemsIn(status)
  return (
    <>
      {!isStale && <Summary status={status} problems={problems} />}
      {adviceOf(status).map(({ name, message }) => (
        <Callout key={name} tone="warning" title={adviceTitles[name] ?? ''}>
          {message}
        </Callout>
      ))}
      {problems.length > 0 && (
        <div className="grid gap-4 lg:grid-cols-2">
          {problems.map((part) => (
            <Problem key={part.name} part={part} warnings={status.warnings} />
          ))}
        </div>
      )}
      {status.retiring?.length > 0 && <Retiring models={status.retiring} />}
      <Section id="setup" title="Готово к продажам">
        <SetupSteps />
      </Section>
      <Section id="parts" title="Все части">
        <ul className="divide-y rounded-md border bg-surface">
          {status.parts.map((part) => (
            <li key={part.name} className="flex items-center justify-between gap-4 px-4 py-3">
              <span className="min-w-0">
                <span className="font-medium">{partTexts[part.name].title}</span>
                <span className="block text-[15px] wrap-anywhere text-muted">{factOf(part)}</span>
              </span>
              <StateBadge state={part.state} />
            </li>
          ))}
        </ul>
      </Section>
      <Section id="instances" title="Запущенные серверы">
        <DataTable label="Запущенные серверы" columns={columnsFor(status)} rows={status.instances} rowSpec={rowSpec} />
      </Section>
    </>
  )
}

/** What providers will switch off, and what people get instead. */
function Retiring({ models }: { models: RetiringModel[] }) {
  return (
    <Section id="retiring" title="Модели, которые отключат">
      <ul className="divide-y rounded-md border bg-surface">
        {models.map(({ id, name, retiresOn, successor }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-3">
            <span className="min-w-0">
              <TextLink href={adminPaths.model(id)}>{name}</TextLink>
              <span className="block text-[15px] text-muted">
                {formatDate(`${retiresOn}T12:00`)}
                {successor ? `, потом отвечает «${successor}»` : ', замена не выбрана'}
              </span>
            </span>
            {!successor && <Badge tone="danger">Без замены</Badge>}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Summary({ status, problems }: { status: Status; problems: StatusPart[] }) {
  const when = `Проверено ${formatDateTime(status.at)}. Обновляется каждые 15 секунд.`
  const inState = (state: StatusPart['state']) => problems.filter((part) => part.state === state).map(titleOf)
  const down = inState('down')
  const others = [...inState('degraded'), ...adviceOf(status).map(({ name }) => adviceTitles[name])]
  const said = [
    ...(down.length > 0 ? [`Не работает: ${down.join(', ')}`] : []),
    ...(others.length > 0 ? [`Требует внимания: ${others.join(', ')}`] : []),
  ]
  const tone = down.length > 0 ? 'danger' : others.length > 0 ? 'warning' : 'success'
  return (
    <Callout tone={tone} title={said.join('. ') || 'Всё работает'}>
      {when}
    </Callout>
  )
}

const titleOf = ({ name }: StatusPart) => partTexts[name].title

function Problem({ part, warnings }: { part: StatusPart; warnings: Status['warnings'] }) {
  const texts = partTexts[part.name]
  const noted = part.name === 'storage' ? warnings.filter(({ name }) => name.startsWith('storage')) : []
  const lack = part.lack && texts.lack?.[part.lack]
  const { symptom, action } = lack ?? texts
  const advice = noted.length > 0 ? noted.map(({ message }) => message).join(' ') : action
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <h3 className="font-medium">{texts.title}</h3>
        <StateBadge state={part.state} />
      </div>
      <p className="wrap-anywhere">{factOf(part)}</p>
      <dl className="flex flex-col gap-2 text-[15px]">
        {part.since && <Line name="С какого времени">{formatDateTime(part.since)}</Line>}
        <Line name="Что заметно">{symptom}</Line>
        <Line name="Что делать">{advice}</Line>
      </dl>
      {part.name === 'ledger' && findScreen(screens['admin-statistic'].path) && <CheckLedger />}
    </Card>
  )
}

function CheckLedger() {
  const { mutate, isPending } = useCheckLedger()
  return (
    <Button size="sm" busy={isPending} onClick={() => mutate()} className="w-fit">
      Сверить сейчас
    </Button>
  )
}

function Line({ name, children }: { name: string; children: string }) {
  return (
    <div className="gap-4 sm:flex">
      <dt className="shrink-0 text-muted sm:w-36">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  )
}

const states: Record<Exclude<StatusPart['state'], 'off'>, { tone: BadgeTone; label: string }> = {
  ok: { tone: 'success', label: 'В порядке' },
  degraded: { tone: 'warning', label: 'Требует внимания' },
  down: { tone: 'danger', label: 'Не работает' },
}

function StateBadge({ state }: Pick<StatusPart, 'state'>) {
  if (state === 'off') return null
  const { tone, label } = states[state]
  return (
    <span className="shrink-0">
      <Badge tone={tone}>{label}</Badge>
    </span>
  )
}

const rowSpec: RowSpec<StatusInstance> = { key: ({ id }) => id, name: ({ name }) => name }

const serviceNames: Record<string, string> = {
  redis: 'Redis',
  storage: 'хранилище файлов',
  mail: 'почта',
  models: 'модели',
  clock: 'часы',
}

function columnsFor({ instances }: Status): Column<StatusInstance>[] {
  const hasSeveral = new Set(instances.map(({ build }) => build)).size > 1
  return [
    { id: 'name', title: 'Сервер', cell: ({ name }) => <span className="wrap-anywhere">{name}</span> },
    {
      id: 'build',
      title: 'Сборка',
      cell: ({ build }) =>
        hasSeveral ? <Badge tone="warning">{build ?? 'Прежняя'}</Badge> : <code>{build ?? 'Прежняя'}</code>,
    },
    { id: 'started', title: 'Запущен', cell: ({ startedAt }) => formatDateTime(startedAt) },
    { id: 'seen', title: 'Последний сигнал', cell: ({ seenAt }) => formatDateTime(seenAt) },
    {
      id: 'outages',
      title: 'Неполадки',
      cell: ({ outages }) => outages.map((part) => serviceNames[part] ?? part).join(', ') || 'Нет',
    },
  ]
}
