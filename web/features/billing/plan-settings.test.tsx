import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { SingleSubscription } from '#contract/billing.ts'
import { modelsApi } from '#contract/models.ts'
import { type PlanChangeTerms, paymentsApi } from '#contract/payments.ts'
import { type Plan, plansApi } from '#contract/plans.ts'
import { usersApi } from '#contract/users.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aProfile } from '#web/testing/samples.ts'
import { PlanSettings } from './plan-settings.tsx'

const common = { description: '', currency: 'BYN', intervalDays: 30, active: true }
const start: Plan = { ...common, id: 'start', name: 'Старт', symbols: 500_000, price: 990, position: 0 }
const pro: Plan = { ...common, id: 'pro', name: 'Про', symbols: 2_000_000, price: 2990, position: 1 }

const at = '2026-12-15T12:00:00.000Z'
const paid: SingleSubscription = {
  ...aProfile().SingleSubscription,
  recurrent: true,
  plan: { id: 'start', name: 'Старт' },
  periodEnd: at,
  nextCharge: { amount: 990, currency: 'BYN', at },
  card: { brand: 'visa', last4: '1006' },
}
const upgrade: PlanChangeTerms = {
  when: 'now',
  amount: 2660,
  currency: 'BYN',
  symbols: 1_833_334,
  unused: { days: 10, amount: 330, symbols: 166_666 },
  plan: pro,
  next: { at, amount: 2990 },
}
const later: PlanChangeTerms = {
  ...upgrade,
  when: 'later',
  amount: 0,
  symbols: 0,
  unused: { days: 10, amount: 0, symbols: 0 },
  plan: start,
  next: { at, amount: 990 },
}

const button = (name: string | RegExp) => screen.getByRole('button', { name })
const text = () => document.body.textContent?.replace(/[\u202f\u00a0]/g, ' ') ?? ''

function open(balance: SingleSubscription, terms: PlanChangeTerms) {
  const server = new FakeServer()
    .on(plansApi.list, [start, pro])
    .on(paymentsApi.changeTerms, terms)
    .on(paymentsApi.options, { isOn: true, methods: [], once: [], isOnce: false, isPretence: false })
    .on(modelsApi.list, [])
    .on(modelsApi.usualCosts, [])
    .on(usersApi.me, aProfile())
  return { server, ...render(<PlanSettings balance={balance} />) }
}

test('a bigger plan shows its sum, unused days, symbols and next charge (S10.194)', async () => {
  const { user, server } = open(paid, upgrade)
  await user.click(button('Сменить тариф'))
  expect(await screen.findByRole('button', { name: /Сменить тариф за 26,60/ })).toBeTruthy()
  expect(screen.queryByRole('radio', { name: /Старт/ })).toBeNull()
  expect(text()).toContain('26,60 BYN: 29,90 BYN минус 3,30 BYN за неиспользованные 10 дней')
  expect(text()).toContain('1 833 334 символа сразу: 2 000 000 минус 166 666 за те же дни')
  expect(text()).toContain('15 декабря 2026')
  await user.click(button(/Сменить тариф за/))
  expect(screen.getByText(/Без согласия тариф не сменить/)).toBeTruthy()
  expect(server.calls(paymentsApi.changePlan)).toEqual([])
})

test('a smaller plan is scheduled and can be undone', async () => {
  const subscribed = { ...paid, plan: { id: 'pro', name: 'Про' } }
  const { user, server, rerender } = open(subscribed, later)
  const scheduled = { ...subscribed, nextPlan: { id: 'start', name: 'Старт' } }
  server.on(paymentsApi.consent, { id: 'c' })
  server.on(paymentsApi.changePlan, { redirect_url: null, SingleSubscription: scheduled })
  await user.click(button('Сменить тариф'))
  await user.click(await screen.findByRole('checkbox', { name: /Соглашаюсь/ }))
  await user.click(button(/Сменить тариф с 15 декабря/))
  expect(await screen.findByText('Смена тарифа назначена')).toBeTruthy()
  expect(server.calls(paymentsApi.changePlan)).toMatchObject([{ body: { planId: 'start', amount: 0 } }])
  rerender(<PlanSettings balance={scheduled} />)
  expect(screen.getByText(/— тариф «Старт»/)).toBeTruthy()
  server.on(paymentsApi.keepPlan, { SingleSubscription: subscribed })
  await user.click(button('Оставить «Про»'))
  expect(await screen.findByText('Тариф остаётся прежним')).toBeTruthy()
})

test('after the paid period the previous plan is selected (S10.196)', async () => {
  open({ ...paid, recurrent: false, nextCharge: null, plan: null, periodEnd: null, lastPlanId: 'pro' }, upgrade)
  expect(await screen.findByRole('radio', { name: /Про/, checked: true })).toBeTruthy()
  expect(screen.getByRole('button', { name: /Оформить подписку/ })).toBeTruthy()
})

test('after a cancellation the previous plan is selected, and paid days count (S10.196)', async () => {
  const { user } = open({ ...paid, recurrent: false, nextCharge: null, plan: { id: 'pro', name: 'Про' } }, upgrade)
  expect(screen.getByText(/оплаченные дни зачтутся/)).toBeTruthy()
  await user.click(button('Подписаться снова'))
  expect(await screen.findByRole('radio', { name: /Про/, checked: true })).toBeTruthy()
  expect(await screen.findByRole('button', { name: /Подписаться за 26,60/ })).toBeTruthy()
})

test('a declined renewal says when it is tried again (S10.921)', () => {
  open({ ...paid, isDeclined: true }, upgrade)
  expect(screen.getByText('Банк отклонил списание')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'смените способ оплаты' }).getAttribute('href')).toBe('/profile#method')
})

test.each([
  ['canceled', /Продление отменено, символы доступны до 15 декабря/],
  ['unsaved', /способ оплаты не сохранился, символы доступны до 15 декабря/],
  ['once', /куплена на один период и сама не продлится, символы/],
  ['ended', /Подписка больше не продлится, символы/],
] as const)('a plan that is %s says why it ends (S10.1160)', async (endReason, sentence) => {
  open({ ...paid, recurrent: false, nextCharge: null, endReason }, upgrade)
  expect(text()).toMatch(sentence)
  expect(text()).toContain('Списаний не будет.')
  expect(text()).not.toContain('Следующее списание')
})
