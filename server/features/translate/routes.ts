import { translateApi } from '#contract/translate.ts'
import type { Limits } from '#server/http/limits.ts'
import { type App, route } from '#server/http/route.ts'
import { type TranslateWorld, translate } from './translate.ts'

export function translateRoutes(app: App, world: TranslateWorld & { limits: Limits }) {
  route(app, translateApi.translate, async (ctx, { body }) => {
    await world.limits('translate', ctx.user.id)
    return translate(ctx, world, body)
  })
}
