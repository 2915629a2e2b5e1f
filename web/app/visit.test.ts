import { expect, test } from 'vitest'
import { decideVisit } from './visit.ts'

test('an unknown route is a 404', () => {
  expect(decideVisit('/nowhere', '', null)).toMatchObject({ type: 'fail', error: { status: 404 } })
})

test('a raised error is shown instead of the screen', () => {
  expect(decideVisit('/auth/signin', 'error=INVALID_TOKEN', null)).toMatchObject({
    type: 'fail',
    error: { status: 400, message: 'Код недействителен' },
  })
})

test('a stranger is led to the sign-in page and shown it', () => {
  expect(decideVisit('/threads/7', '', null)).toEqual({ type: 'redirect', to: '/auth/signin' })
  expect(decideVisit('/auth/signin', '', null)).toMatchObject({ type: 'show', place: { screen: 'auth-signin' } })
})
