import { type ComponentType, lazy } from 'react'
import { ApiError } from '#contract/errors.ts'
import { isReloadHeld } from './hold-reload.ts'

export type LazyComponent<Props> = ComponentType<Props> & { load: () => Promise<unknown>; preload: () => void }

/**
 * A component that suspends while it loads, and not at all once `load` is done. When its file cannot be loaded, the page
 * is loaded again.
 */
export function lazyComponent<Props>(fetch: () => Promise<ComponentType<Props>>): LazyComponent<Props> {
  let loaded: ComponentType<Props> | null = null
  const load = async () => {
    loaded ??= await fetch()
    return loaded
  }
  const Component: ComponentType<Props> = lazy(() =>
    loaded ? atOnce({ default: loaded }) : load().then((found) => ({ default: found }), recover),
  )
  return Object.assign(Component, { load, preload: () => void load().catch(() => undefined) })
}

/** React suspends for any promise, also for a fulfilled one, and then shows the component 300 ms later. */
function atOnce<Value>(value: Value): Promise<Value> {
  // biome-ignore lint/suspicious/noThenProperty: React reads it synchronously
  return { then: (take: (value: Value) => void) => take(value) } as Promise<Value>
}

const KEY = 'reloaded-at'
const GUARD_MS = 10_000

interface RecoveryFacts {
  now: number
  reloadedAt: number
  isOnline: boolean
  isReloadHeld: boolean
}

/** What to do when a file cannot be loaded; usually a new build has replaced it. */
export function decideRecovery(facts: RecoveryFacts): 'reload' | 'offer' | 'give-up' {
  if (!facts.isOnline || facts.now - facts.reloadedAt < GUARD_MS) return 'give-up'
  return facts.isReloadHeld ? 'offer' : 'reload'
}

/** Reloads the page once, or throws the error for the error page. */
function recover(cause: unknown): Promise<never> {
  const isOnline = navigator.onLine
  const now = Date.now()
  const reloadedAt = Number(sessionStorage.getItem(KEY) ?? 0)
  const recovery = decideRecovery({ now, reloadedAt, isOnline, isReloadHeld: isReloadHeld() })
  if (recovery === 'reload') {
    sessionStorage.setItem(KEY, String(now))
    location.reload()
    return new Promise(() => undefined)
  }
  if (recovery === 'offer') offerUpdate().catch(() => undefined)
  if (isOnline) throw cause
  throw new ApiError({
    status: 0,
    code: 'network',
    message: 'Эта часть ещё не загружена. Проверьте интернет и повторите.',
  })
}

/** Not in the first load: reloads are held only on signed-in pages, whose frame has the module. */
async function offerUpdate() {
  const { showUpdate } = await import('./show-update.ts')
  showUpdate()
}
