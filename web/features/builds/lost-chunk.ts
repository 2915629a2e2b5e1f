import { ApiError } from '#contract/errors.ts'
import { isReloadHeld } from '#web/lib/hold-reload.ts'
import { showUpdate } from './build-watch.ts'

const KEY = 'reloaded-at'
const GUARD_MS = 10_000

interface Facts {
  now: number
  reloadedAt: number
  online: boolean
  held: boolean
}

/** What to do when a part of the application cannot be loaded: most often a new build has replaced it. */
export function decideRecovery({ now, reloadedAt, online, held }: Facts): 'reload' | 'offer' | 'give-up' {
  if (!online || now - reloadedAt < GUARD_MS) return 'give-up'
  return held ? 'offer' : 'reload'
}

/** Reloads once and never answers; or throws what the error page will show. */
export function recoverLostChunk(cause: unknown): Promise<never> {
  const online = navigator.onLine
  const now = Date.now()
  const reloadedAt = Number(sessionStorage.getItem(KEY) ?? 0)
  const recovery = decideRecovery({ now, reloadedAt, online, held: isReloadHeld() })
  if (recovery === 'reload') {
    sessionStorage.setItem(KEY, String(now))
    location.reload()
    return new Promise(() => undefined)
  }
  if (recovery === 'offer') showUpdate()
  if (online) throw cause
  throw new ApiError({
    status: 0,
    code: 'network',
    message: 'Эта часть ещё не загружена. Проверьте интернет и повторите.',
  })
}
