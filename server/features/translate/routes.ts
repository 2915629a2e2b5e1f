import { translateApi } from '#contract/translate.ts'
import { type App, route } from '#server/http/route.ts'
import { type TranslateDeps, translate } from './translate.ts'

export function translateRoutes(app: App, deps: TranslateDeps) {
  route(app, translateApi.translate, (ctx, { body }) => translate(ctx, deps, body), { limit: 'models' })
}
