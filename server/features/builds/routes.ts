import { buildsApi } from '#contract/builds.ts'
import { type App, route } from '#server/http/route.ts'

export function buildRoutes(app: App, buildId: string) {
  route(app, buildsApi.latest, () => ({ id: buildId }))
}
