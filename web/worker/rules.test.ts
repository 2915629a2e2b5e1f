import { expect, test } from 'vitest'
import { type ScreenName, screens } from '#contract/screens.ts'
import { offlineLayout } from './rules.ts'

const ORIGIN = 'https://chat.example.test'
const visit = { method: 'GET', mode: 'navigate', destination: 'document' }
const layoutOf = (path: string, change: Partial<typeof visit> = {}) =>
  offlineLayout({ ...visit, ...change, url: new URL(path, ORIGIN).href }, ORIGIN)

/** Screens of the chat itself. A new screen is decided on here. */
const stored: ScreenName[] = [
  ...(['index', 'threads', 'threads-id', 'prompts', 'prompts-add', 'prompts-id', 'images', 'transcribe'] as const),
  ...(['profile', 'profile-operations', 'profile-settings', 'profile-account'] as const),
  ...(['assistants', 'assistants-create', 'assistants-id-edit'] as const),
]

test.each(Object.keys(screens) as ScreenName[])(
  'the screen %s opens without a network only where it may (S10.442)',
  (screen) => {
    const layout = layoutOf(screens[screen].path.replace(/:\w+|\*/, '7'))
    if (stored.includes(screen)) expect(layout).not.toBeNull()
    else expect(layout).toBeNull()
  },
)

test('an empty chat, a chat and the other screens have layouts of their own (S10.442)', () => {
  expect(layoutOf('/')).toBe('home')
  expect(layoutOf('/#x')).toBe('home')
  expect(layoutOf('/threads/7')).toBe('thread')
  expect(layoutOf('/threads')).toBe('frame')
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
  expect(layoutOf(path, change)).toBeNull()
})
