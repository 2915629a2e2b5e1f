import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type Statistics, statisticsApi } from '#contract/statistics.ts'
import { setupSteps, statusApi } from '#contract/status.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import StatisticScreen from './statistic.tsx'

const none = { now: 0, before: 0 }
const noShare = { now: null, before: null }

const nothing: Statistics = {
  period: { from: '2026-11-01', to: '2026-11-02' },
  before: { from: '2026-10-30', to: '2026-10-31' },
  since: null,
  people: {
    ...{ active: none, daily: none, weekly: none, monthly: none, fresh: none, converted: none },
    conversion: noShare,
  },
  work: { messages: none, answers: none, failed: none, charged: none },
  money: {
    ...{ revenue: [], refunds: [], arpu: [], cost: [], kinds: [] },
    ...{ paid: none, declined: none, abandoned: none },
  },
  subscriptions: {
    ...{ live: none, mrr: [], started: none, renewals: none, canceled: none, ended: none },
    churn: noShare,
  },
  ...{ models: [], users: [], symbols: [], failures: [], warnings: [] },
  series: ['2026-11-01', '2026-11-02'].map((day) => ({
    ...{ day, active: 0, fresh: 0, messages: 0, answers: 0, failed: 0, charged: 0, paid: 0, unpaid: 0 },
    ...{ subscribers: 0, revenue: [], refunds: [] },
  })),
  owed: { at: '2026-11-02T09:00:00.000Z', grants: [] },
  promo: { uses: none, orders: none, revenue: [], discount: [] },
  queue: { waiting: 0, running: 0, failed: 0, oldest: null },
  ledger: null,
}
const steps = setupSteps.map((name) => ({ name, isDone: false, text: '', at: null }))

test('a new installation has the first steps, not thirty zeros (S10.1559)', async () => {
  new FakeServer().on(statisticsApi.get, nothing).on(statusApi.setup, steps)
  render(<StatisticScreen />, { path: '/admin/statistic' })
  expect(await screen.findByText('Цифр пока нет')).toBeTruthy()
  expect(await screen.findByText('0 из 8')).toBeTruthy()
  expect(screen.queryByText('Активные люди')).toBeNull()
  expect(screen.queryByText(/Выберите другой период/)).toBeNull()
  expect(screen.queryByRole('button', { name: 'CSV по дням' })).toBeNull()
})

test.each([
  ['RU', 'по Москве'],
  ['BY', 'по Минску'],
])('days of an installation in %s are counted %s (S10.1552)', async (country, zone) => {
  const done = steps.map((step) => ({ ...step, isDone: true }))
  new FakeServer().on(statisticsApi.get, { ...nothing, since: '2026-01-01' }).on(statusApi.setup, done)
  render(<StatisticScreen />, { path: '/admin/statistic', config: { country } })
  expect(await screen.findByText(new RegExp(`Дни считаются ${zone}`))).toBeTruthy()
  expect(await screen.findByText('За период ничего не было')).toBeTruthy()
  expect(screen.queryByText(/Готово к продажам/)).toBeNull()
})
