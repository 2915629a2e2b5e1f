import type { DayFigures, Statistics } from '#contract/statistics.ts'
import { formatMoney, formatNumber, formatSymbols, plural } from '#web/lib/format.ts'
import { DayChart } from '#web/ui/chart/day-chart.tsx'

const people = (n: number) => `${formatNumber(n)} ${plural(n, 'человек', 'человека', 'человек')}`
const questions = (n: number) => `${formatNumber(n)} ${plural(n, 'вопрос', 'вопроса', 'вопросов')}`
const subscriptions = (n: number) => `${formatNumber(n)} ${plural(n, 'подписка', 'подписки', 'подписок')}`

export function Charts({ statistics }: { statistics: Statistics }) {
  const { series, people: counted, work, money, subscriptions: subs } = statistics
  const days = (of: (day: DayFigures) => number) => series.map((each) => ({ day: each.day, value: of(each) }))
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <DayChart
        title="Активные люди"
        days={days(({ active }) => active)}
        format={people}
        sum={`всего ${people(counted.active.now)}`}
      />
      <DayChart
        title="Новые люди"
        days={days(({ fresh }) => fresh)}
        format={people}
        sum={`всего ${people(counted.fresh.now)}`}
      />
      <DayChart
        title="Вопросы"
        days={days(({ messages }) => messages)}
        format={questions}
        sum={`всего ${questions(work.messages.now)}`}
      />
      <DayChart
        title="Списанные символы"
        days={days(({ charged }) => charged)}
        format={formatSymbols}
        sum={`всего ${formatSymbols(work.charged.now)}`}
      />
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
