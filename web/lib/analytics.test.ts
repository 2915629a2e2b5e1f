import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { eventBody, pathPattern, saveConsent, track } from './analytics.ts'
import { loadPageState } from './page-state.ts'

const sendBeacon = vi.fn((_url: string, _body: string) => true)
const stored = new Map<string, string>()

/** As a page opened with these settings. */
async function configure(url: string | null, yandexMetrikaId: string | null = null) {
  const config = {
    appName: 'Символ',
    buildId: 'b1',
    socialProviders: [],
    supportUrl: null,
    mailboxUrl: null,
    openHelp: [],
    analytics: { url, yandexMetrikaId },
  }
  vi.stubGlobal('document', { getElementById: () => ({ textContent: JSON.stringify({ config, user: null }) }) })
  await loadPageState()
}

beforeEach(async () => {
  stored.clear()
  await configure('https://count.example/e')
  vi.stubGlobal('navigator', { sendBeacon })
  vi.stubGlobal('location', { pathname: '/threads/5f3a', origin: 'https://symbol.example' })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

test('nothing is counted without consent (S10.99)', () => {
  track('Подписка закончилась')
  saveConsent('no')
  track('Подписка закончилась')
  expect(sendBeacon).not.toHaveBeenCalled()
})

test('nothing is counted when it is not set up (S10.99)', async () => {
  await configure(null)
  saveConsent('yes')
  track('Подписка закончилась')
  expect(sendBeacon).not.toHaveBeenCalled()
})

test('an event has its name and kind of page, never the chat (S4.1, S10.99)', () => {
  saveConsent('yes')
  track('Подписка закончилась')
  const [url, body] = sendBeacon.mock.calls[0] ?? []
  expect(url).toBe('https://count.example/e')
  expect(JSON.parse(body ?? '')).toMatchObject({ event: 'Подписка закончилась', params: {}, path: '/threads/:id' })
  expect(body).not.toContain('5f3a')
})

test('a broken counter breaks nothing (S10.99)', () => {
  saveConsent('yes')
  sendBeacon.mockImplementationOnce(() => {
    throw new Error('blocked')
  })
  expect(() => track('Подписка закончилась')).not.toThrow()
})

test('consent can be taken back (S10.99)', () => {
  saveConsent('yes')
  saveConsent('no')
  track('Подписка закончилась')
  expect(sendBeacon).not.toHaveBeenCalled()
})

test('Metrika is loaded once and gets no ids and titles (S10.99)', async () => {
  await configure(null, '42')
  const append = vi.fn()
  vi.stubGlobal('document', { createElement: () => ({}), head: { append } })
  saveConsent('yes')
  track('Подписка закончилась', { recurrent: true })
  track('Подписка закончилась')
  expect(append).toHaveBeenCalledOnce()
  const calls = (globalThis as { ym?: { a?: unknown[][] } }).ym?.a ?? []
  expect(calls.map(([, method]) => method)).toEqual(['init', 'hit', 'reachGoal', 'hit', 'reachGoal'])
  expect(calls[0]?.[2]).toMatchObject({ defer: true, webvisor: false, clickmap: false, trackLinks: false })
  expect(calls[2]).toEqual([42, 'reachGoal', 'Подписка закончилась', { recurrent: true }])
  expect(JSON.stringify(calls)).toContain('https://symbol.example/threads/:id')
  expect(JSON.stringify(calls)).not.toContain('5f3a')
})

test.each([
  ['/', '/'],
  ['/threads/5f3a', '/threads/:id'],
  ['/assistants/7/edit', '/assistants/:id/edit'],
  ['/help/money/why', '/help/*'],
  ['/profile', '/profile'],
  ['/no/such/place', '/404'],
])('%s is counted as %s', (pathname, pattern) => {
  expect(pathPattern(pathname)).toBe(pattern)
})

test('the body of an event', () => {
  expect(JSON.parse(eventBody('x', { n: 1 }, '/', new Date('2026-11-15T00:00:00Z')))).toEqual({
    event: 'x',
    params: { n: 1 },
    path: '/',
    at: '2026-11-15T00:00:00.000Z',
  })
})
