import { expect, test } from 'vitest'
import { PlanDraft } from '#contract/plans.ts'
import { aPlan } from '#web/testing/samples.ts'
import { changesTerms, newPlan, planFields, readPlan } from './plan-draft.ts'

const plan = aPlan({ description: 'Для работы', symbols: 2_000_000, price: 2990, position: 1 })

test('a plan is unchanged after a round trip through its form', () => {
  const { id: _, position: __, ...fields } = plan
  expect(readPlan(planFields(plan))).toEqual(fields)
})

test('roubles with kopecks become kopecks', () => {
  const body = readPlan({ ...newPlan, name: 'Старт', symbols: '500 000', price: '9,90' })
  expect(PlanDraft.parse(body)).toMatchObject({ symbols: 500_000, price: 990, currency: 'BYN', intervalDays: 30 })
})

test('an invalid value is an error of its field', () => {
  const { error } = PlanDraft.safeParse(readPlan({ ...newPlan, name: 'Старт', symbols: 'много', price: '9,999' }))
  expect(error?.issues.map(({ path, message }) => [path[0], message])).toEqual([
    ['symbols', 'Нужно целое число'],
    ['price', 'Нужна сумма до сотых, например 9,90'],
  ])
})

test('a zero price is an error of its field', () => {
  const { error } = PlanDraft.safeParse(readPlan({ ...planFields(plan), price: '0' }))
  expect(error?.issues.map(({ path, message }) => [path[0], message])).toEqual([
    ['price', 'Сумма должна быть больше нуля'],
  ])
})

test('another price needs a notice to subscribers, another name does not', () => {
  expect(changesTerms(plan, { ...plan, name: 'Иначе', active: false })).toBe(false)
  expect(changesTerms(plan, { ...plan, price: 1490 })).toBe(true)
  expect(changesTerms(plan, null)).toBe(false)
})
