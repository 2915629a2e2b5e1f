import type { DayFigures, Statistics } from '#contract/statistics.ts'
import { formatMoney, formatNumber, formatSymbols, plural } from '#web/lib/format.ts'
import { DayChart } from '#web/ui/chart/day-chart.tsx'

const people = (n: number) => `${formatNumber(n)} ${plural(n, 'человек', 'человека', 'человек')}`
const questions = (n: number) => `${formatNumber(n)} ${plural(n, 'вопрос', 'вопроса', 'вопросов')}`
const subscriptions = (n: number) => `${formatNumber(n)} ${plural(n, 'подписка', 'подписки', 'подписок')}`

export function Charts({ statistics }: { statistics: Statistics }) {
  const { series, people: counted, work, money, subscriptions: subs } = statistics
  const days = (of: (day: DayFigures) => number) => series.map((each) => ({ day: each.day, value: of(each) }))
  const counts = [
    { title: 'Активные люди', name: 'active', format: people, total: counted.active },
    { title: 'Новые люди', name: 'fresh', format: people, total: counted.fresh },
    { title: 'Вопросы', name: 'messages', format: questions, total: work.messages },
    { title: 'Списанные символы', name: 'charged', format: formatSymbols, total: work.charged },
  ] as const
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {counts.map(({ title, name, format, total }) => (
        <DayChart
          key={name}
          title={title}
          days={days((day) => day[name])}
          format={format}
          sum={`всего ${format(total.now)}`}
        />
      ))}
      {money.revenue.map(({ currency, now }) => {
        const format = (amount: number) => formatMoney({ amount: amount * 100, currency })
        return (
          <DayChart
            key={currency}
            title={money.revenue.length > 1 ? `Выручка, ${currency}` : 'Выручка'}
            days={days(({ revenue }) => (revenue.find((sum) => sum.currency === currency)?.amount ?? 0) / 100)}
            format={format}
            sum={`всего ${formatMoney({ amount: now, currency })}`}
          />
        )
      })}
      <DayChart
        title="Действующие подписки"
        days={days(({ subscribers }) => subscribers)}
        format={subscriptions}
        sum={`в конце ${subscriptions(subs.live.now)}`}
      />
    </div>
  )
}
