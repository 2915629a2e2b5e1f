import { expect, test } from 'vitest'
import { decideRoute, redirectFor } from './route-guard.ts'
import { findScreen } from './screens.ts'

const anna = { id: '1', email: 'anna@mail.ru', name: 'Анна', image: null, role: 'user', impersonated: false } as const

test('an unknown route is a 404 (S2.81)', () => {
  expect(decideRoute('/nowhere', '', null, [])).toMatchObject({ type: 'fail', error: { status: 404 } })
})

test('an error in the address comes before an unknown route (S2.67)', () => {
  for (const user of [anna, null])
    expect(decideRoute('/nope', 'error=X2', user, [])).toMatchObject({
      type: 'fail',
      error: { code: 'X2', status: 400 },
    })
})

test('every address under /admin leads a user home (S2.67)', () => {
  for (const path of ['/admin', '/admin/nope', '/administrator', '/admin/users/1/nope'])
    expect(decideRoute(path, '', anna, [])).toMatchObject({ type: 'redirect', to: '/' })
  expect(decideRoute('/admin/nope', '', { ...anna, role: 'admin' }, [])).toMatchObject({ error: { status: 404 } })
})

test('an address under /admin leads a stranger to the sign-in page (S10.1421)', () => {
  for (const path of ['/admin', '/admin/nope', '//admin', '/%61dmin/nope'])
    expect(decideRoute(path, '', null, [])).toMatchObject({ type: 'redirect', to: '/auth/signin' })
})

/** Where an address ends for somebody, after all redirects. */
function endOf(address: string, visitor: Parameters<typeof decideRoute>[2]) {
  let [path = '', search = ''] = address.split('?')
  for (let hops = 0; hops < 4; hops++) {
    const route = decideRoute(path, search, visitor, [])
    if (route.type === 'show') return route.match.screen
    if (route.type === 'fail') return 'error'
    ;[path = '', search = ''] = route.to.split('?')
  }
  throw new Error('it never ends')
}

test('no spelling of an admin address shows its screen to a user (S10.1420)', () => {
  for (const path of [
    '//admin/plans',
    '/admin/plans/',
    '/%61dmin/plans',
    '/./admin//plans',
    '/help/%2e%2e/admin/plans',
  ])
    expect([endOf(path, anna), endOf(path, null)]).toEqual(['index', 'auth-signin'])
  for (const path of ['/Admin/plans', '/admin%2Fplans', '//ADMIN']) expect(endOf(path, anna)).not.toMatch(/^admin/)
})

test('no spelling of the sent-email page stays open with a session (S10.1420)', () => {
  for (const path of ['/auth/email-sended/', '//auth/email-sended', '/auth/email%2dsended'])
    expect(endOf(path, anna)).toBe('index')
})

test('another spelling leads to the address itself with its query (S10.1420)', () => {
  expect(decideRoute('//threads/', 'message=5', anna, [])).toEqual({
    type: 'redirect',
    to: '/threads?message=5',
    isSamePlace: true,
  })
  expect(decideRoute('/threads/', '', anna, [])).toEqual({ type: 'redirect', to: '/threads', isSamePlace: true })
})

test('a signed-in person who meets an unknown route keeps the frame (S10.186)', () => {
  expect(decideRoute('/nowhere', '', anna, [])).toMatchObject({ type: 'fail', user: anna })
  expect(decideRoute('/nowhere', '', null, [])).toMatchObject({ type: 'fail', user: null })
})

test('a user sent home from the admin pages gets the reason (S10.186)', () => {
  const note = 'Этот раздел доступен только администратору'
  expect(decideRoute('/admin/users', '', anna, [])).toEqual({ type: 'redirect', to: '/', note })
  expect(decideRoute('/auth/email-sended', '', anna, [])).toEqual({ type: 'redirect', to: '/' })
  expect(decideRoute('/admin/users', '', null, [])).toEqual({ type: 'redirect', to: '/auth/signin' })
})

test('a raised error is shown instead of the screen (S2.67)', () => {
  expect(decideRoute('/auth/signin', 'error=INVALID_TOKEN', null, [])).toMatchObject({
    type: 'fail',
    error: { status: 400, message: 'Код недействителен' },
  })
})

test('a stranger is led to the sign-in page and shown it (S2.67)', () => {
  expect(decideRoute('/threads/7', '', null, [])).toEqual({ type: 'redirect', to: '/auth/signin' })
  expect(decideRoute('/auth/signin', '', null, [])).toMatchObject({ type: 'show', match: { screen: 'auth-signin' } })
})

test('a stranger reads only the help about signing in and paying (S10.102)', () => {
  const visit = (path: string) => decideRoute(path, '', null, ['account/sign-in-letter'])
  expect(visit('/help/account/sign-in-letter')).toMatchObject({ type: 'show', match: { layout: 'no-auth' } })
  for (const closed of ['/help', '/help/account', '/help/start/keyboard', '/account/sign-in-letter']) {
    expect(visit(closed)).not.toMatchObject({ type: 'show' })
  }
})

test('a signed-in user reads all help within the frame', () => {
  const visit = (path: string) => decideRoute(path, '', anna, ['account/sign-in-letter'])
  expect(visit('/help/account/sign-in-letter')).toMatchObject({ type: 'show', match: { layout: 'default' } })
  expect(visit('/help/start/keyboard')).toMatchObject({ type: 'show', match: { layout: 'default' } })
})

const user = { role: 'user' } as const
const admin = { role: 'admin' } as const

function visit(address: string, user: Parameters<typeof redirectFor>[0]['user']) {
  const { pathname: path, searchParams: query } = new URL(address, 'https://symbol.test')
  const match = findScreen(path)
  if (!match) throw new Error(`no such route: ${path}`)
  return redirectFor({ path, query, layout: match.layout, user })
}

test('1. an error in the query is raised, before anything else (S2.67)', () => {
  expect(() => visit('/?error=no_code', user)).toThrow('no_code')
  expect(() => visit('/threads?error=no_code', null)).toThrow('no_code')
  expect(() => visit('/auth/email-sended?error=no_code', user)).toThrow('no_code')
  expect(() => visit('/admin/users?error=no_code', user)).toThrow('no_code')
})

test('the code INVALID_TOKEN is shown in Russian, other codes as they are (S8.5)', () => {
  expect(() => visit('/auth/signin?error=INVALID_TOKEN', null)).toThrow('Код недействителен')
  expect(() => visit('/auth/signin?error=account_already_linked_to_different_user', null)).toThrow(
    'account_already_linked_to_different_user',
  )
})

test('an empty error is no error', () => {
  expect(visit('/?error=', user)).toBeNull()
})

test('2. without a session every layout except no-auth leads to sign-in (S2.67)', () => {
  expect(visit('/', null)).toBe('/auth/signin')
  expect(visit('/profile', null)).toBe('/auth/signin')
  expect(visit('/help/chat/models', null)).toBe('/auth/signin')
  expect(visit('/admin/users', null)).toBe('/auth/signin')
  expect(visit('/auth/signin', null)).toBeNull()
  expect(visit('/auth/email-sended?email=a%40b.ru', null)).toBeNull()
})

test('3. with a session the e-mail-sent page leads home (S2.67)', () => {
  expect(visit('/auth/email-sended', user)).toBe('/')
  expect(visit('/auth/email-sended?email=a%40b.ru', admin)).toBe('/')
})

test('4. the admin pages lead everybody but admins home (S2.67)', () => {
  expect(visit('/admin/users', user)).toBe('/')
  expect(visit('/admin/plans/add', user)).toBe('/')
  expect(visit('/admin/users', admin)).toBeNull()
})

test('everything else is let in (S2.67)', () => {
  expect(visit('/', user)).toBeNull()
  expect(visit('/threads/1', user)).toBeNull()
  expect(visit('/auth/signin', user)).toBeNull()
})
