import { expect, test } from 'vitest'
import { apiErrorOf } from '#contract/call.ts'
import { ApiError } from '#contract/errors.ts'
import { callErrorText } from './error-text.ts'

test.each([
  [
    'a sentence of the server',
    apiErrorOf(413, { code: 'payload_too_large', message: 'Файл больше 20 МБ.' }),
    '413: Файл больше 20 МБ.',
  ],
  ['a proxy without a body', apiErrorOf(502, null), '502: Unknown error'],
  [
    'an answer that is no JSON',
    new ApiError({ status: 200, code: 'bad_answer', message: 'Unknown JSON error' }),
    '200: Unknown JSON error',
  ],
  [
    'a lost network',
    new ApiError({ status: 0, code: 'network', message: 'Нет связи с сервером.' }),
    'Нет связи с сервером.',
  ],
  ['an own error', new Error('Файл не загрузился.'), 'Файл не загрузился.'],
  ['anything else', null, 'Unknown error'],
])('%s (S8.1)', (_, error, text) => {
  expect(callErrorText(error)).toBe(text)
})
