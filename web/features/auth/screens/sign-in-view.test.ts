import { expect, test } from 'vitest'
import { signInAt, signInView } from './sign-in-view.ts'

const view = (query: string) => signInView(new URLSearchParams(query))

test('the default is a link by e-mail', () => {
  expect(view('')).toEqual({ mode: 'link' })
  expect(view('mode=something')).toEqual({ mode: 'link' })
})

test('a token from the email asks for a new password', () => {
  expect(view('mode=reset&token=abc')).toEqual({ mode: 'reset', token: 'abc' })
  expect(view('token=abc')).toEqual({ mode: 'reset', token: 'abc' })
  expect(view('reset=abc')).toEqual({ mode: 'reset', token: 'abc' })
})

test('a missing token asks for the email again', () => {
  expect(view('mode=reset')).toEqual({ mode: 'forgot' })
  expect(view('mode=reset&token=')).toEqual({ mode: 'forgot' })
})

test('every mode has an address that leads to it', () => {
  expect(signInAt('link')).toBe('/auth/signin')
  expect(signInAt('link', 'a+b@mail.ru')).toBe('/auth/signin?email=a%2Bb%40mail.ru')
  for (const mode of ['link', 'password', 'sign-up', 'forgot', 'changed', 'deleted', 'linked'] as const)
    expect(view(signInAt(mode).split('?')[1] ?? '')).toEqual({ mode })
})
