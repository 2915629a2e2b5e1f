import type { GatewayState } from '#contract/gateways.ts'
import { healthApi } from '#contract/health.ts'
import { type App, route } from '#server/http/route.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Health } from './health.ts'

const sentences = {
  draining: 'Сервер останавливается.',
  database: 'База данных не отвечает.',
}

export function healthRoutes(app: App, health: Health, payments: () => Promise<GatewayState[]>) {
  route(app, healthApi.alive, () => ({ ok: true as const }))
  route(app, healthApi.ready, async (_ctx, _input, c) => {
    const { reason, degraded } = await health.ready()
    if (reason) throw new AppError('unavailable', sentences[reason], { reason, retryAfterSeconds: 1 })
    const session = c.req.header('cookie') ? await c.get('sessionOf')(c.req.raw.headers) : null
    const missing = health.missing()
    const own = session?.user.role === 'admin' && { payments: await payments() }
    return { ok: true as const, degraded, missing, ...own }
  })
}
