import * as z from 'zod/mini'
import { idList } from './id-list.ts'

/** Field schemas of admin forms. Their messages are shown in the form and in the error of the server. */

const number = new Intl.NumberFormat('ru-RU')
const EMPTY = 'Заполните это поле'

export const requiredText = (max: number) =>
  z
    .string({ error: EMPTY })
    .check(z.trim(), z.minLength(1, { error: EMPTY }), z.maxLength(max, { error: tooLong(max) }))

export const optionalText = (max: number) =>
  z.string({ error: EMPTY }).check(z.trim(), z.maxLength(max, { error: tooLong(max) }))

export function wholeNumber(from: number, to: number) {
  return within(z.int({ error: 'Нужно целое число' }), from, to)
}

export function anyNumber(from: number, to: number) {
  return within(z.number({ error: 'Нужно число' }), from, to)
}

function within<Schema extends z.ZodMiniNumber>(schema: Schema, from: number, to: number) {
  const error = `Нужно число от ${number.format(from)} до ${number.format(to)}`
  return schema.check(z.minimum(from, { error }), z.maximum(to, { error }))
}

/** A sum in minor units; users type it in whole units. */
export function moneyFrom(min: 0 | 1) {
  const error = min === 0 ? 'Сумма не может быть меньше нуля' : 'Сумма должна быть больше нуля'
  return z
    .int({ error: 'Нужна сумма до сотых, например 9,90' })
    .check(z.minimum(min, { error }), z.maximum(1_000_000_000, { error: 'Слишком большая сумма' }))
}

export const Currency = z
  .string({ error: EMPTY })
  .check(z.regex(/^[A-Z]{3}$/, { error: 'Нужен код валюты из трёх букв, например BYN' }))

/** All ids of the list in their new order. */
export const NewOrder = z.strictObject({
  ids: idList(1000),
})

function tooLong(max: number): string {
  return `Не больше ${number.format(max)} знаков`
}
