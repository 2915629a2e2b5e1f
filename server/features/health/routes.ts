import { healthApi } from '#contract/health.ts'
import { type App, route } from '#server/http/route.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Health } from './health.ts'

const sentences = {
  draining: 'Сервер останавливается.',
  database: 'База данных не отвечает.',
}

export function healthRoutes(app: App, health: Health) {
  route(app, healthApi.alive, () => ({ ok: true as const }))
  route(app, healthApi.ready, async () => {
    const { reason, degraded } = await health.ready()
    if (reason) throw new AppError('unavailable', sentences[reason], { reason, retryAfterSeconds: 1 })
    return { ok: true as const, degraded, missing: health.missing() }
  })
}
