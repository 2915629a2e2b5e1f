import type { Statistics } from '#contract/statistics.ts'
import { csvText } from '#web/lib/csv.ts'

/** The charts' days as CSV; money in whole units, a column per currency. */
export function seriesCsv({ series }: Pick<Statistics, 'series'>): string {
  const currencies = [
    ...new Set(series.flatMap(({ revenue, refunds }) => [...revenue, ...refunds]).map((s) => s.currency)),
  ]
  const sum = (sums: { currency: string; amount: number }[], currency: string) =>
    (sums.find((each) => each.currency === currency)?.amount ?? 0) / 100
  const head = ['День', 'Активные люди', 'Новые люди', 'Вопросы', 'Ответы', 'Ошибки', 'Списано символов', 'Платежи']
  const more = ['Отклонённые платежи', 'Подписки', ...currencies.flatMap((c) => [`Выручка, ${c}`, `Возвраты, ${c}`])]
  return csvText(
    [...head, ...more],
    series.map((day) => [
      day.day,
      day.active,
      day.fresh,
      day.messages,
      day.answers,
      day.failed,
      day.charged,
      day.paid,
      day.unpaid,
      day.subscribers,
      ...currencies.flatMap((currency) => [sum(day.revenue, currency), sum(day.refunds, currency)]),
    ]),
  )
}
