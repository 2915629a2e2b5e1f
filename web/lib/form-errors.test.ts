import { expect, test } from 'vitest'
import { ApiError } from '#contract/errors.ts'
import { errorText, formErrorsOf } from '#web/lib/form-errors.ts'

const refused = (code: string, message = '') => new ApiError({ status: 400, code, message })

test('an error stands beside the field it is about', () => {
  expect(Object.keys(formErrorsOf(refused('INVALID_EMAIL')))).toEqual(['email'])
  expect(Object.keys(formErrorsOf(refused('unknown', 'Email is the same')))).toEqual(['email'])
  expect(Object.keys(formErrorsOf(refused('INVALID_PASSWORD')))).toEqual(['password'])
  expect(Object.keys(formErrorsOf(refused('PASSWORD_TOO_SHORT')))).toEqual(['newPassword'])
})

test('any other error stands over the button, with its own text', () => {
  expect(Object.keys(formErrorsOf(refused('INVALID_EMAIL_OR_PASSWORD')))).toEqual(['form'])
  expect(formErrorsOf(refused('SOMETHING_NEW'))).toEqual({ form: '400: SOMETHING_NEW' })
  expect(formErrorsOf(new Error('Картинка не открылась'))).toEqual({ form: 'Картинка не открылась' })
})

test('an error that needs a recent sign-in is marked', () => {
  expect(formErrorsOf(refused('SESSION_EXPIRED')).needsSignIn).toBe(true)
  expect(formErrorsOf(refused('INVALID_PASSWORD')).needsSignIn).toBeUndefined()
})

test('nothing is shown without an error', () => {
  expect(formErrorsOf(null)).toEqual({})
})

const rejection = (code: string, message = '', status = 400) => ({ status, code, message })

test('INVALID_TOKEN reads «Код недействителен» (S8.5)', () => {
  expect(errorText(rejection('INVALID_TOKEN', 'Invalid token'))).toBe('Код недействителен')
})

test('other codes are shown as they are, with their status (S8.1, S8.5)', () => {
  expect(errorText(rejection('SOMETHING_NEW', 'Something new'))).toBe('400: SOMETHING_NEW')
  expect(errorText(rejection('toString', 'to string'))).toBe('400: toString')
})

test.each([
  'PROVIDER_NOT_FOUND',
  'ID_TOKEN_NOT_SUPPORTED',
  'FAILED_TO_GET_USER_INFO',
  'USER_EMAIL_NOT_FOUND',
  'INVALID_EMAIL',
  'INVALID_EMAIL_OR_PASSWORD',
  'EMAIL_NOT_VERIFIED',
  'FAILED_TO_CREATE_SESSION',
  'FAILED_TO_GET_SESSION',
  'PASSWORD_TOO_SHORT',
  'PASSWORD_TOO_LONG',
  'CREDENTIAL_ACCOUNT_NOT_FOUND',
  'INVALID_PASSWORD',
  'SESSION_EXPIRED',
  'USER_ALREADY_EXISTS',
  'FAILED_TO_UNLINK_LAST_ACCOUNT',
  'ACCOUNT_NOT_FOUND',
])('the code %s has Russian words (S8.27)', (code) => {
  expect(errorText(rejection(code))).toMatch(/^400: [А-ЯЁ]/)
})

test.each([
  'Email and password is not enabled',
  "Reset password isn't enabled",
  'Change email is disabled',
  "Verification email isn't enabled",
  'Account not linked - linking not allowed',
  'Account not linked - different emails not allowed',
  'Account not linked - unable to create account',
  'Either userId or session is required',
  'Account not found',
  'Failed to get a valid access token',
  'Failed to refresh access token',
  'Access token not found',
  'Email is the same',
  "Couldn't update your email",
])('the message «%s» has Russian words for any code (S8.45)', (message) => {
  expect(errorText(rejection('unknown', message))).toMatch(/^400: [А-ЯЁ]/)
  expect(errorText(rejection('A_CODE_OF_ITS_OWN', message))).toMatch(/^400: [А-ЯЁ]/)
})

test('a provider that is not supported is named (S8.45)', () => {
  expect(errorText(rejection('unknown', 'Provider vk is not supported.'))).toContain('через vk не поддерживается')
})

test('status 429 always says that there were too many attempts', () => {
  expect(errorText(rejection('unknown', 'Unknown error', 429))).toMatch(/^429: Слишком много попыток/)
  const words = 'Слишком много неверных паролей. Продолжить можно через 15 мин.'
  expect(errorText(rejection('too_many_requests', words, 429))).toBe(`429: ${words}`)
})

test('messages of our server and of others have their status (S8.1, S10.1400)', () => {
  expect(errorText(rejection('forbidden', 'Запрос пришёл с чужого сайта.', 403))).toBe(
    '403: Запрос пришёл с чужого сайта.',
  )
  expect(errorText(rejection('network', 'Нет связи с сервером.', 0))).toBe('Нет связи с сервером.')
  expect(errorText(rejection('IMPERSONATED', 'Менять чужой аккаунт нельзя.', 403))).toBe(
    '403: Менять чужой аккаунт нельзя.',
  )
  expect(errorText(rejection('unknown', 'Чайник', 418))).toBe('418: Чайник')
  expect(errorText(rejection('teapot', 'Чайник', 418))).toBe('418: Чайник')
  expect(errorText(rejection('internal', 'Сломалось.', 500))).toBe('500: Сломалось.')
})
