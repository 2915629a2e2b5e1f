import { type PageConfig, pageApi } from '#contract/page.ts'
import { type App, route } from '#server/http/route.ts'
import { type PageVisit, pageStateOf } from './visit.ts'

/** A visit extends the session, so the response sets its cookies. */
export type VisitOf = (headers: Headers) => Promise<PageVisit>

export function pageRoutes(app: App, config: PageConfig, visitOf: VisitOf) {
  route(app, pageApi.state, async (_ctx, _input, c) => {
    const { cookies, ...visit } = await visitOf(c.req.raw.headers)
    for (const cookie of cookies) c.header('set-cookie', cookie, { append: true })
    return pageStateOf(config, visit)
  })
}
