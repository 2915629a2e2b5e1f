import { limitsApi } from '#contract/limits.ts'
import type { LimitSettings } from '#server/http/limit-settings.ts'
import { type App, route } from '#server/http/route.ts'
import { describeLimits } from './limits.ts'

export function limitRoutes(app: App, settings: LimitSettings, freeSymbols: number | undefined) {
  route(app, limitsApi.list, () => describeLimits(settings, freeSymbols))
}
