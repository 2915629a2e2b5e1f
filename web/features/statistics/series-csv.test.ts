import { expect, test } from 'vitest'
import { seriesCsv } from './series-csv.ts'

const quiet = {
  active: 0,
  fresh: 0,
  messages: 0,
  answers: 0,
  failed: 0,
  charged: 0,
  paid: 0,
  unpaid: 0,
  subscribers: 3,
}

test('a spreadsheet has a line per day and columns per currency', () => {
  const text = seriesCsv({
    series: [
      { day: '2026-11-14', ...quiet, active: 2, messages: 7, revenue: [{ currency: 'BYN', amount: 990 }], refunds: [] },
      { day: '2026-11-15', ...quiet, revenue: [], refunds: [{ currency: 'RUB', amount: 5 }] },
    ],
  })
  expect(text.split('\r\n')).toEqual([
    '\uFEFFДень;Активные люди;Новые люди;Вопросы;Ответы;Ошибки;Списано символов;Платежи;Отклонённые платежи;Подписки;"Выручка, BYN";"Возвраты, BYN";"Выручка, RUB";"Возвраты, RUB"',
    '2026-11-14;2;0;7;0;0;0;0;0;3;9,9;0;0;0',
    '2026-11-15;0;0;0;0;0;0;0;0;3;0;0;0;0,05',
    '',
  ])
})
