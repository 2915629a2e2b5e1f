import { type PageConfig, type PageState, pageApi } from '#contract/page.ts'
import type { CurrentSession } from '#server/http/context.ts'
import type { App } from '#server/http/route.ts'

export function pageStateOf(config: PageConfig, session: CurrentSession | null): PageState {
  return { config, user: session && { ...session.user, impersonated: session.impersonatedBy !== null } }
}

/** A visit prolongs the session, so the answer carries its cookies. */
export type VisitOf = (headers: Headers) => Promise<{ session: CurrentSession | null; cookies: string[] }>

export function pageRoutes(app: App, config: PageConfig, visitOf: VisitOf) {
  app.get(pageApi.state.path, async (c) => {
    const { session, cookies } = await visitOf(c.req.raw.headers)
    for (const cookie of cookies) c.header('set-cookie', cookie, { append: true })
    return c.json(pageApi.state.returns.parse(pageStateOf(config, session)), 200, { 'cache-control': 'no-store' })
  })
}
