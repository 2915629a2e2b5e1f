import { expect, test } from 'vitest'
import { ApiError } from '#contract/errors.ts'
import { PlanDraft } from '#contract/plans.ts'
import { changedOnly, fieldErrorsOf, serverFieldErrors } from './field-errors.ts'

test('each field shows its first error, with the text of the contract', () => {
  const { error } = PlanDraft.safeParse({ name: ' ', symbols: Number.NaN, price: 0, currency: 'BYN' })
  expect(fieldErrorsOf(error?.issues ?? [])).toEqual({
    name: 'Заполните это поле',
    symbols: 'Нужно целое число',
    price: 'Сумма должна быть больше нуля',
  })
})

test('a server error stands beside its field with its status (S8.1, S10.1400)', () => {
  const refused = (field: string | undefined, message: string) =>
    new ApiError({ status: 400, code: 'bad_request', message, ...(field && { field }) })
  const fields = ['price', 'code']
  expect(serverFieldErrors(refused('price', 'Поле price: Слишком большая сумма'), fields)).toEqual({
    price: '400: Слишком большая сумма',
  })
  expect(serverFieldErrors(refused('code', 'Такой код уже есть'), fields)).toEqual({ code: '400: Такой код уже есть' })
  expect(serverFieldErrors(refused('position', 'Поле position: нет'), fields)).toEqual({
    form: '400: Поле position: нет',
  })
  expect(serverFieldErrors(refused(undefined, 'Тариф удалён'), fields)).toEqual({ form: '400: Тариф удалён' })
  expect(serverFieldErrors(new Error('boom'), fields).form).toMatch(/[а-я]/)
})

test('only changed fields are sent', () => {
  const before = { id: 'p1', name: 'Про', price: 990, description: '' }
  expect(changedOnly(before, { name: 'Про', price: 1490, description: '' })).toEqual({ price: 1490 })
  expect(changedOnly(before, { name: 'Про' })).toEqual({})
})
