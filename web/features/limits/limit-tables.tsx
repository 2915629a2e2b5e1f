import { useQuery } from '@tanstack/react-query'
import { type LimitRate, type LimitRule, type LimitTotal, limitsApi } from '#contract/limits.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { formatDateTime, formatNumber, plural } from '#web/lib/format.ts'
import { notify } from '#web/lib/notify.ts'
import { textParam, useUrlState } from '#web/lib/url-state.ts'
import { Callout } from '#web/ui/callout.tsx'
import { Section } from '#web/ui/section.tsx'
import { Badge } from '#web/ui/table/badge.tsx'
import type { Column } from '#web/ui/table/columns.ts'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { SearchBox } from '#web/ui/table/search-box.tsx'
import type { RowSpec } from '#web/ui/table/table-row.tsx'
import { NothingFound, TableState } from '#web/ui/table/table-state.tsx'

type Limit = LimitRate | LimitTotal

const params = { query: textParam() }

export function LimitTables() {
  const { state, change, reset } = useUrlState(params)
  const found = useQuery(limitsQuery)
  const wanted = state.query.trim().toLowerCase()
  const matches = ({ name, title }: Limit | LimitRule) => name.includes(wanted) || title.toLowerCase().includes(wanted)
  const rates = found.data?.rates.filter(matches)
  const totals = found.data?.totals.filter(matches)
  const rules = found.data?.rules.filter(matches)
  return (
    <div className="flex flex-col gap-6">
      <Callout tone="info" title="Изменение пределов">
        <p>
          Числа задаёт переменная <code>LIMITS</code>: сколько раз и за сколько секунд, а для места и соединений —
          сколько всего. Новые числа действуют после перезапуска сервера.
        </p>
        {found.data && (
          <code className="mt-2 block text-sm wrap-anywhere">
            {settingExample([...found.data.rates, ...found.data.totals])}
          </code>
        )}
      </Callout>
      <div className="flex flex-wrap gap-2">
        <SearchBox label="Ограничение или имя" value={state.query} onChange={(query) => change({ query })} />
      </div>
      <TableState
        query={found}
        isEmpty={rates?.length === 0 && totals?.length === 0 && rules?.length === 0}
        empty={<NothingFound onReset={reset} />}
      >
        {rates?.length !== 0 && (
          <Section id="rates" title="Частота" description={found.data && <Since since={found.data.since} />}>
            <DataTable label="Частота" columns={rateColumns} rows={rates} rowSpec={rowSpec} />
          </Section>
        )}
        {totals?.length !== 0 && (
          <Section id="totals" title="Количество">
            <DataTable label="Количество" columns={totalColumns} rows={totals} rowSpec={rowSpec} />
          </Section>
        )}
        {rules?.length !== 0 && (
          <Section id="rules" title="Правила для одного человека">
            <DataTable label="Правила для одного человека" columns={ruleColumns} rows={rules} rowSpec={ruleRowSpec} />
          </Section>
        )}
      </TableState>
    </div>
  )
}

function Since({ since }: { since: string }) {
  return <>Отказы каждый процесс считает сам, с запуска; этот работает с {formatDateTime(since)}.</>
}

function Setting({ text }: { text: string }) {
  const copy = async () => {
    if (await copyText(text)) notify.success({ id: text, title: `Скопировано: ${text}` })
  }
  return (
    <button
      type="button"
      aria-label={`Скопировать ${text}`}
      onClick={() => void copy()}
      className="rounded-xs text-left font-mono text-[13px] wrap-anywhere hover:text-accent-ink sm:whitespace-nowrap"
    >
      {text}
    </button>
  )
}

const rowSpec: RowSpec<Limit> = { key: ({ name }) => name, name: ({ title }) => title }

const per: Column<Limit> = {
  id: 'per',
  title: 'Для кого',
  cell: (limit) => <span className="sm:whitespace-nowrap">{perLabel[limit.per]}</span>,
}
const others: Column<Limit>[] = [
  { id: 'hour', title: 'Отказов за час', isNumeric: true, cell: ({ refused }) => formatNumber(refused.hour) },
  { id: 'day', title: 'За сутки', isNumeric: true, cell: ({ refused }) => formatNumber(refused.day) },
  { id: 'setting', title: 'Настройка', cell: (limit) => <Setting text={settingOf(limit)} /> },
]

const rateColumns: Column<LimitRate>[] = [
  {
    id: 'title',
    title: 'Ограничение',
    cell: ({ title }) => title,
    note: ({ usual }) => usual && <Badge tone="accent">Изменено, обычно {formatRate(usual)}</Badge>,
  },
  per,
  {
    id: 'rate',
    title: 'Предел',
    cell: (limit) => <span className="figures sm:whitespace-nowrap">{formatRate(limit)}</span>,
  },
  ...others,
]

const totalColumns: Column<LimitTotal>[] = [
  {
    id: 'title',
    title: 'Ограничение',
    cell: ({ title }) => title,
    note: ({ usual }) => usual !== null && <Badge tone="accent">Изменено, обычно {formatNumber(usual)}</Badge>,
  },
  per,
  { id: 'most', title: 'Предел', isNumeric: true, cell: ({ most }) => formatNumber(most) },
  ...others,
]

const ruleRowSpec: RowSpec<LimitRule> = { key: ({ name }) => name, name: ({ title }) => title }

const ruleColumns: Column<LimitRule>[] = [
  { id: 'title', title: 'Ограничение', cell: ({ title }) => title },
  { id: 'most', title: 'Предел', isNumeric: true, cell: ({ most }) => formatNumber(most) },
  {
    id: 'setting',
    title: 'Настройка',
    cell: ({ setting, most }) => (setting ? <Setting text={`${setting}=${most}`} /> : 'Не меняется'),
  },
]

const perLabel: Record<LimitRate['per'] | LimitTotal['per'], string> = {
  user: 'На человека',
  network: 'На сеть',
  address: 'На адрес почты',
  process: 'На процесс',
}

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

/** «за минуту», «за 10 минут», «за сутки»: in the largest unit that divides it. */
export function periodLabel(seconds: number): string {
  if (seconds === DAY) return 'за сутки'
  if (seconds % DAY === 0) return `за ${counted(seconds / DAY, 'сутки', 'суток', 'суток')}`
  if (seconds % HOUR === 0) return `за ${counted(seconds / HOUR, 'час', 'часа', 'часов')}`
  if (seconds % MINUTE === 0) return `за ${counted(seconds / MINUTE, 'минуту', 'минуты', 'минут')}`
  return `за ${counted(seconds, 'секунду', 'секунды', 'секунд')}`
}

const counted = (n: number, one: string, few: string, many: string) =>
  n === 1 ? one : `${formatNumber(n)} ${plural(n, one, few, many)}`

export const formatRate = ({ points, seconds }: Pick<LimitRate, 'points' | 'seconds'>) =>
  `${formatNumber(points)} ${periodLabel(seconds)}`

const settingOf = (limit: LimitRate | LimitTotal) =>
  'points' in limit ? `${limit.name}=${limit.points}/${limit.seconds}` : `${limit.name}=${limit.most}`

/** The setting with all changed limits, or an example when nothing is changed. */
export function settingExample(limits: (LimitRate | LimitTotal)[]): string {
  const changed = limits.filter(({ usual }) => usual !== null).map(settingOf)
  return `LIMITS="${changed.length > 0 ? changed.join(', ') : 'sends=60/60, stored-prompts=5000'}"`
}

const REFRESH_MS = 30_000

const limitsQuery = callQuery(['limits'], limitsApi.list, {}, { refetchInterval: REFRESH_MS })
