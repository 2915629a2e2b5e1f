import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type ScreenName, screens } from '#contract/screens.ts'
import { linkTags, STATE_START } from '#contract/shell.ts'
import { handlingOf, isExpected, splitPage } from './rules.ts'

const ORIGIN = 'https://chat.example.test'
const visit = { method: 'GET', mode: 'navigate', destination: 'document' }
const handlingFor = (path: string, change: Partial<typeof visit> = {}) =>
  handlingOf({ ...visit, ...change, url: new URL(path, ORIGIN).href }, ORIGIN)
const network = { type: 'network' }

/** Screens of the chat itself. A new screen is decided on here. */
const stored: ScreenName[] = [
  ...([
    'index',
    'threads',
    'threads-id',
    'prompts',
    'prompts-add',
    'prompts-id',
    'images',
    'imports',
    'projects',
    'projects-id',
    'transcribe',
  ] as const),
  ...(['profile', 'profile-operations', 'profile-keys', 'profile-settings', 'profile-account'] as const),
  ...(['assistants', 'assistants-create', 'assistants-id-edit'] as const),
]

test.each(Object.keys(screens) as ScreenName[])(
  'the screen %s begins with a stored layout if allowed (S10.442)',
  (screen) => {
    const handling = handlingFor(screens[screen].path.replace(/:\w+|\*/, '7'))
    if (stored.includes(screen)) expect(handling).toMatchObject({ type: 'page', screen })
    else expect(handling).toEqual(network)
  },
)

test('home, chats and other screens have their own layouts (S10.442)', () => {
  expect(handlingFor('/')).toMatchObject({ layout: 'home' })
  expect(handlingFor('/#x')).toMatchObject({ layout: 'home' })
  expect(handlingFor('/threads/7')).toMatchObject({ layout: 'thread' })
  expect(handlingFor('/threads')).toMatchObject({ layout: 'frame' })
})

test.each([
  ['/?error=INVALID_TOKEN', {}],
  ['/?assistant=7', {}],
  ['/profile?payment=7', {}],
  ['/api/page', { mode: 'cors', destination: '' }],
  ['/api/threads/7', { mode: 'cors', destination: '' }],
  ['/api/auth/callback/vk?code=1', {}],
  ['/api/auth/magic-link/verify?token=1', {}],
  ['/api/files/7', {}],
  ['/auth/link?token=1', {}],
  ['/error?error=x', {}],
  ['/builds/latest.json', { mode: 'cors', destination: '' }],
  ['/dev/mail', {}],
  ['/no/such/place', {}],
  ['/worker.js', { mode: 'same-origin', destination: 'serviceworker' }],
  ['/boot.js', { mode: 'no-cors', destination: 'script' }],
  ['/', { method: 'POST' }],
  ['/', { destination: 'iframe' }],
  ['/', { mode: 'cors', destination: '' }],
  ['https://other.example.test/', {}],
  ['https://other.example.test/assets/x.js', { mode: 'cors', destination: 'script' }],
])('%s with %o is left to the network (S10.442)', (path, change) => {
  expect(handlingFor(path, change)).toEqual(network)
})

test.each(['/assets/main-1.js', '/assets/main-1.css', '/reload-fresh.js?v1'])(
  '%s is a file whose address changes with its content (S10.442)',
  (path) => {
    expect(handlingFor(path, { mode: 'cors', destination: 'script' })).toEqual({ type: 'file' })
  },
)

test('a stored layout continues only with its own version (S10.442)', () => {
  const answer = { status: 200, redirected: false, shell: 'v1/home' }
  expect(isExpected(answer, 'v1', 'home')).toBe(true)
  expect(isExpected({ ...answer, shell: 'v2/home' }, 'v1', 'home')).toBe(false)
  expect(isExpected({ ...answer, shell: 'v1/home-admin' }, 'v1', 'home')).toBe(false)
  expect(isExpected({ ...answer, shell: null }, 'v1', 'home')).toBe(false)
  expect(isExpected({ ...answer, redirected: true }, 'v1', 'home')).toBe(false)
  for (const status of [0, 204, 302, 401, 403, 404, 429, 500, 503])
    expect(isExpected({ ...answer, status }, 'v1', 'home')).toBe(false)
})

test('a page is split before its state (S10.440)', () => {
  const head = `<head>${linkTags(['/assets/a.js', '/assets/a.css'])}</head>`
  const state = `${STATE_START}{"user":null}</script></body></html>`
  expect(splitPage(`${head}<h1>Символ</h1>${state}`)).toEqual({ before: `${head}<h1>Символ</h1>`, after: state })
  expect(splitPage('<h1>502 Bad Gateway</h1>')).toBeNull()
  expect(splitPage(readFileSync('web/index.html', 'utf8'))?.before).toContain('<!--shell-->')
})
