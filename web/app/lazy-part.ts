import { type ComponentType, lazy } from 'react'
import { ApiError } from '#contract/errors.ts'
import { isReloadHeld } from '#web/lib/hold-reload.ts'

export interface Part<Props> {
  Component: ComponentType<Props>
  preload: () => Promise<unknown>
}

/** A component that is loaded when it is first shown or preloaded. A lost chunk reloads the page. */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>): Part<Props> {
  return {
    Component: lazy(async () => ({ default: await load().catch(recoverLostChunk) })),
    preload: load,
  }
}

const KEY = 'reloaded-at'
const GUARD_MS = 10_000

interface RecoveryFacts {
  now: number
  reloadedAt: number
  isOnline: boolean
  isReloadHeld: boolean
}

/** What to do when a chunk cannot be loaded; usually a new build has replaced it. */
export function decideRecovery({
  now,
  reloadedAt,
  isOnline,
  isReloadHeld,
}: RecoveryFacts): 'reload' | 'offer' | 'give-up' {
  if (!isOnline || now - reloadedAt < GUARD_MS) return 'give-up'
  return isReloadHeld ? 'offer' : 'reload'
}

/** Reloads the page once, or throws the error for the error page. */
function recoverLostChunk(cause: unknown): Promise<never> {
  const isOnline = navigator.onLine
  const now = Date.now()
  const reloadedAt = Number(sessionStorage.getItem(KEY) ?? 0)
  const recovery = decideRecovery({ now, reloadedAt, isOnline, isReloadHeld: isReloadHeld() })
  if (recovery === 'reload') {
    sessionStorage.setItem(KEY, String(now))
    location.reload()
    return new Promise(() => undefined)
  }
  if (recovery === 'offer') void offerUpdate().catch(() => undefined)
  if (isOnline) throw cause
  throw new ApiError({
    status: 0,
    code: 'network',
    message: 'Эта часть ещё не загружена. Проверьте интернет и повторите.',
  })
}

/** The module is loaded already: reloads are held only on signed-in pages, and their frame imports it. */
async function offerUpdate() {
  const { showUpdate } = await import('#web/features/builds/build-watch.ts')
  showUpdate()
}
