import { findScreen, screens } from '#contract/screens.ts'
import { createStore } from './create-store.ts'
import { pageConfig } from './page-state.ts'

/** The user's consent to analytics; null until it is given or refused. */
export type Consent = 'yes' | 'no' | null
/** Must not contain texts of chats or ids. */
export type EventParams = Record<string, string | number | boolean>

const KEY = 'analytics-consent'
/** Notifies components of a choice; the choice itself is in localStorage, which other tabs write too. */
const savedConsent = createStore<Consent>(null)

export function hasAnalytics(): boolean {
  const { url, yandexMetrikaId } = pageConfig().analytics
  return url !== null || yandexMetrikaId !== null
}

function readConsent(): Consent {
  const stored = localStorage.getItem(KEY)
  return stored === 'yes' || stored === 'no' ? stored : null
}

export function saveConsent(consent: 'yes' | 'no'): void {
  localStorage.setItem(KEY, consent)
  savedConsent.set(consent)
}

export function useConsent(): Consent {
  savedConsent.use()
  return readConsent()
}

/** Sends an analytics event if configured and consented to. Never throws. */
export function track(event: string, params: EventParams = {}): void {
  try {
    if (!hasAnalytics() || readConsent() !== 'yes') return
    const { url, yandexMetrikaId } = pageConfig().analytics
    const path = pathPattern(location.pathname)
    // A plain string needs no preflight, which a collector may not answer.
    if (url) navigator.sendBeacon(url, eventBody(event, params, path))
    if (yandexMetrikaId) reachGoal(yandexMetrikaId, { event, params, page: location.origin + path })
  } catch {
    // A blocked or broken counter must not affect the user.
  }
}

export function eventBody(event: string, params: EventParams, path: string, at = new Date()): string {
  return JSON.stringify({ event, params, path, at: at.toISOString() })
}

/** `/threads/5f3a…` is counted as `/threads/:id`: ids are private. */
export function pathPattern(pathname: string): string {
  const match = findScreen(pathname)
  return match ? screens[match.screen].path : '/404'
}

const SCRIPT = 'https://mc.yandex.ru/metrika/tag.js'

/** Chats are private: no session replay, no click map, no automatic URLs or titles. */
const options = {
  defer: true,
  webvisor: false,
  clickmap: false,
  trackLinks: false,
  accurateTrackBounce: false,
  sendTitle: false,
}

interface Counter {
  (id: number, method: string, ...rest: unknown[]): void
  /** Calls made before the script is loaded; it reads this queue. */
  a?: unknown[][]
}

interface Goal {
  event: string
  params: Record<string, unknown>
  /** The address without ids. */
  page: string
}

const home = globalThis as { ym?: Counter }
let isLoaded = false

/** Yandex Metrika; its script loads with the first event. If it is blocked, events stay in an unread queue. */
function reachGoal(counterId: string, { event, params, page }: Goal): void {
  const id = Number(counterId)
  const ym = loadCounter(id)
  ym(id, 'hit', page, { title: '', referer: '' })
  ym(id, 'reachGoal', event, params)
}

function loadCounter(id: number): Counter {
  home.ym ??= createQueue()
  const counter = home.ym
  if (isLoaded) return counter
  isLoaded = true
  const script = document.createElement('script')
  script.src = SCRIPT
  script.async = true
  document.head.append(script)
  counter(id, 'init', options)
  return counter
}

function createQueue(): Counter {
  const queue: Counter = (...args) => {
    queue.a = [...(queue.a ?? []), args]
  }
  return queue
}
