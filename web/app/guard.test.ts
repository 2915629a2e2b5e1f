import { expect, test } from 'vitest'
import { findScreen } from '#contract/screens.ts'
import { guard } from './guard.ts'

const user = { role: 'user' } as const
const admin = { role: 'admin' } as const

function visit(address: string, user: Parameters<typeof guard>[0]['user']) {
  const { pathname: path, searchParams: query } = new URL(address, 'https://symbol.test')
  const place = findScreen(path)
  if (!place) throw new Error(`no such route: ${path}`)
  return guard({ path, query, layout: place.layout, user })
}

test('1. an error in the query is raised, before anything else', () => {
  expect(() => visit('/?error=no_code', user)).toThrow('no_code')
  expect(() => visit('/threads?error=no_code', null)).toThrow('no_code')
  expect(() => visit('/auth/email-sended?error=no_code', user)).toThrow('no_code')
  expect(() => visit('/admin/users?error=no_code', user)).toThrow('no_code')
})

test('the code INVALID_TOKEN is shown in Russian, other codes as they are', () => {
  expect(() => visit('/auth/signin?error=INVALID_TOKEN', null)).toThrow('Код недействителен')
  expect(() => visit('/auth/signin?error=account_already_linked_to_different_user', null)).toThrow(
    'account_already_linked_to_different_user',
  )
})

test('an empty error is no error', () => {
  expect(visit('/?error=', user)).toBeNull()
})

test('2. without a session every layout but no-auth leads to the sign-in page', () => {
  expect(visit('/', null)).toBe('/auth/signin')
  expect(visit('/profile', null)).toBe('/auth/signin')
  expect(visit('/help/chat/models', null)).toBe('/auth/signin')
  expect(visit('/admin/users', null)).toBe('/auth/signin')
  expect(visit('/auth/signin', null)).toBeNull()
  expect(visit('/auth/email-sended?email=a%40b.ru', null)).toBeNull()
})

test('3. with a session the e-mail-sent page leads home', () => {
  expect(visit('/auth/email-sended', user)).toBe('/')
  expect(visit('/auth/email-sended?email=a%40b.ru', admin)).toBe('/')
})

test('4. the admin pages lead everybody but admins home', () => {
  expect(visit('/admin/users', user)).toBe('/')
  expect(visit('/admin/plans/add', user)).toBe('/')
  expect(visit('/admin/users', admin)).toBeNull()
})

test('everything else is let in', () => {
  expect(visit('/', user)).toBeNull()
  expect(visit('/threads/1', user)).toBeNull()
  expect(visit('/auth/signin', user)).toBeNull()
})
