import { type PageConfig, pageApi } from '#contract/page.ts'
import { type App, route } from '#server/http/route.ts'
import { type PageFacts, pageStateOf } from './page-state.ts'

/** A visit extends the session, so the response sets its cookies. */
export type ReadFacts = (headers: Headers) => Promise<PageFacts>

export function pageRoutes(app: App, config: PageConfig, readFacts: ReadFacts) {
  route(app, pageApi.state, async (_ctx, _input, c) => {
    const { cookies, ...facts } = await readFacts(c.req.raw.headers)
    for (const cookie of cookies) c.header('set-cookie', cookie, { append: true })
    return pageStateOf(config, facts)
  })
}
