import { translateApi } from '#contract/translate.ts'
import type { Limits } from '#server/http/limits.ts'
import { type App, route } from '#server/http/route.ts'
import { type TranslateWorld, translate } from './translate.ts'

const perUser = { name: 'translate', points: 30, seconds: 60 }

export function translateRoutes(app: App, world: TranslateWorld & { limits: Limits }) {
  route(app, translateApi.translate, async (ctx, { body }) => {
    await world.limits(perUser, ctx.user.id)
    return translate(ctx, world, body)
  })
}
