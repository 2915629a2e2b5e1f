import { expect, test } from 'vitest'
import { ApiError } from '#contract/errors.ts'
import { formErrorsOf } from './form-errors.ts'

const refused = (code: string, message = '') => new ApiError({ status: 400, code, message })

test('an error stands beside the field it is about', () => {
  expect(Object.keys(formErrorsOf(refused('INVALID_EMAIL')))).toEqual(['email'])
  expect(Object.keys(formErrorsOf(refused('unknown', 'Email is the same')))).toEqual(['email'])
  expect(Object.keys(formErrorsOf(refused('INVALID_PASSWORD')))).toEqual(['password'])
  expect(Object.keys(formErrorsOf(refused('PASSWORD_TOO_SHORT')))).toEqual(['newPassword'])
})

test('any other error stands over the button, with its own text', () => {
  expect(Object.keys(formErrorsOf(refused('INVALID_EMAIL_OR_PASSWORD')))).toEqual(['form'])
  expect(formErrorsOf(refused('SOMETHING_NEW'))).toEqual({ form: 'SOMETHING_NEW' })
  expect(formErrorsOf(new Error('Картинка не открылась'))).toEqual({ form: 'Картинка не открылась' })
})

test('an error that needs a recent sign-in is marked', () => {
  expect(formErrorsOf(refused('SESSION_NOT_FRESH')).needsSignIn).toBe(true)
  expect(formErrorsOf(refused('SESSION_EXPIRED')).needsSignIn).toBe(true)
  expect(formErrorsOf(refused('INVALID_PASSWORD')).needsSignIn).toBeUndefined()
})

test('without an error there is nothing to show', () => {
  expect(formErrorsOf(null)).toEqual({})
})
