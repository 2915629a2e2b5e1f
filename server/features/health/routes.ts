import { healthApi } from '#contract/health.ts'
import { ping } from '#server/db/ping.ts'
import { type App, route } from '#server/http/route.ts'
import { AppError } from '#server/lib/errors.ts'

/** `isOpen` says whether new work is welcome: not while the server drains, not without its bus. */
export function healthRoutes(app: App, isOpen: () => Promise<boolean>) {
  route(app, healthApi.alive, () => ({ ok: true as const }))
  route(app, healthApi.ready, async ({ db }) => {
    await ping(db)
    if (!(await isOpen())) throw new AppError('unavailable', 'Сервер останавливается.')
    return { ok: true as const }
  })
}
