import { useSyncExternalStore } from 'react'
import { findScreen, screens } from '#contract/screens.ts'
import { reachGoal } from './metrika.ts'
import { pageConfig } from './page-state.ts'

/** The user's consent to analytics; null until it is given or refused. */
export type Consent = 'yes' | 'no' | null
/** Never texts of chats and never ids. */
export type EventParams = Record<string, string | number | boolean>

const KEY = 'analytics-consent'
const listeners = new Set<() => void>()

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
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useConsent(): Consent {
  return useSyncExternalStore(subscribe, readConsent)
}

/** Counts an event, if that is set up and allowed. Nothing waits for it and nothing fails with it. */
export function track(event: string, params: EventParams = {}): void {
  try {
    if (!hasAnalytics() || readConsent() !== 'yes') return
    const { url, yandexMetrikaId } = pageConfig().analytics
    const path = pathPattern(location.pathname)
    // A plain string needs no preflight, which a collector may not answer.
    if (url) navigator.sendBeacon(url, eventBody(event, params, path))
    if (yandexMetrikaId) reachGoal(yandexMetrikaId, { event, params, page: location.origin + path })
  } catch {
    // A blocked or broken counter is not the person's trouble.
  }
}

export function eventBody(event: string, params: EventParams, path: string, at = new Date()): string {
  return JSON.stringify({ event, params, path, at: at.toISOString() })
}

/** `/threads/5f3a…` is counted as `/threads/:id`: ids are private. */
export function pathPattern(pathname: string): string {
  const place = findScreen(pathname)
  return place ? screens[place.screen].path : '/404'
}
