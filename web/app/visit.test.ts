import { expect, test } from 'vitest'
import { decideVisit } from './visit.ts'

const anna = { id: '1', email: 'anna@mail.ru', name: 'Анна', image: null, role: 'user', impersonated: false } as const

test('an unknown route is a 404', () => {
  expect(decideVisit('/nowhere', '', null, [])).toMatchObject({ type: 'fail', error: { status: 404 } })
})

test('a raised error is shown instead of the screen', () => {
  expect(decideVisit('/auth/signin', 'error=INVALID_TOKEN', null, [])).toMatchObject({
    type: 'fail',
    error: { status: 400, message: 'Код недействителен' },
  })
})

test('a stranger is led to the sign-in page and shown it', () => {
  expect(decideVisit('/threads/7', '', null, [])).toEqual({ type: 'redirect', to: '/auth/signin' })
  expect(decideVisit('/auth/signin', '', null, [])).toMatchObject({ type: 'show', place: { screen: 'auth-signin' } })
})

test('help that one needs to sign in or to pay is shown to a stranger without the frame, the rest is not', () => {
  const visit = (path: string) => decideVisit(path, '', null, ['account/sign-in-letter'])
  expect(visit('/help/account/sign-in-letter')).toMatchObject({ type: 'show', place: { layout: 'no-auth' } })
  expect(visit('/help/account/sign-in-letter/')).toMatchObject({ type: 'show', place: { layout: 'no-auth' } })
  for (const closed of ['/help', '/help/account', '/help/start/keyboard', '/account/sign-in-letter']) {
    expect(visit(closed)).not.toMatchObject({ type: 'show' })
  }
})

test('a signed-in user reads all help within the frame', () => {
  const visit = (path: string) => decideVisit(path, '', anna, ['account/sign-in-letter'])
  expect(visit('/help/account/sign-in-letter')).toMatchObject({ type: 'show', place: { layout: 'default' } })
  expect(visit('/help/start/keyboard')).toMatchObject({ type: 'show', place: { layout: 'default' } })
})
