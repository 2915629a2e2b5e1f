import { type PageConfig, type PageState, pageApi } from '#contract/page.ts'
import type { CurrentSession } from '#server/http/context.ts'
import type { App } from '#server/http/route.ts'

export function pageStateOf(config: PageConfig, session: CurrentSession | null): PageState {
  return { config, user: session && { ...session.user, impersonated: session.impersonatedBy !== null } }
}

export function pageRoutes(app: App, config: PageConfig) {
  app.get(pageApi.state.path, async (c) => {
    const state = pageStateOf(config, await c.var.sessionOf(c.req.raw.headers))
    return c.json(pageApi.state.returns.parse(state), 200, { 'cache-control': 'no-store' })
  })
}
