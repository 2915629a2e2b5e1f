import { translateApi } from '#contract/translate.ts'
import { type App, route } from '#server/http/route.ts'
import { type TranslateWorld, translate } from './translate.ts'

export function translateRoutes(app: App, world: TranslateWorld) {
  route(app, translateApi.translate, (ctx, { body }) => translate(ctx, world, body), { limit: 'translate' })
}
