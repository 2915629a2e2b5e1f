import { expect, test } from 'vitest'
import { isProfileLink } from '#contract/profile-sections.ts'
import { findScreen, screens } from '#contract/screens.ts'
import { adminPaths } from './admin-paths.ts'
import { paths } from './paths.ts'

const named = Object.values({ ...paths, ...adminPaths }) as ((id: string) => string)[]

const addresses = [
  ...named.map((path) => path('a')),
  paths.help(),
  paths.emailSent(),
  paths.profile(),
  paths.thread('a'),
  paths.thread('a', 'b'),
].map((address) => new URL(address, 'https://symbol.test').pathname)

test('every path is an address of the table of routes', () => {
  expect(addresses.filter((address) => !findScreen(address))).toEqual([])
})

test('every route of the table has a path', () => {
  const shown = new Set(addresses.map((address) => findScreen(address)?.screen))
  expect(Object.keys(screens).filter((name) => !shown.has(name as keyof typeof screens))).toEqual([])
})

test('typed text cannot leave its place in the address', () => {
  expect(paths.thread('../admin?x')).toBe('/threads/..%2Fadmin%3Fx')
  expect(paths.thread('a', 'b&c')).toBe('/threads/a?message=b%26c')
  expect(paths.emailSent('a+b@mail.ru')).toBe('/auth/email-sended?email=a%2Bb%40mail.ru')
  expect(paths.help('chat/models & rates')).toBe('/help/chat/models%20%26%20rates')
})

test('a link to a section leads to its profile part', () => {
  expect([paths.profile('plan'), paths.profileAccount('second-factor')].filter((link) => !isProfileLink(link))).toEqual(
    [],
  )
})
