import { helpApi } from '#contract/help.ts'
import { type App, check, route } from '#server/http/route.ts'
import { findPage, type Help, readHelpPage, saveFeedback, visiblePagesOf } from './pages.ts'
import { searchHelp } from './search.ts'

/** The calls need no session, but without one they see only the open pages. */
export function helpRoutes(app: App, { pages }: Help) {
  app.get(helpApi.list.path, async (c) => {
    const reader = await c.var.sessionOf(c.req.raw.headers)
    return c.json(helpApi.list.returns.parse(visiblePagesOf(pages, reader)))
  })
  app.get(helpApi.search.path, async (c) => {
    await c.var.limits('help-search', c.var.ip)
    const { query } = check(helpApi.search.query, c.req.query())
    const reader = await c.var.sessionOf(c.req.raw.headers)
    return c.json(helpApi.search.returns.parse(await searchHelp(c.var.db, visiblePagesOf(pages, reader), query)))
  })
  app.get(helpApi.page.path, async (c) => {
    const reader = await c.var.sessionOf(c.req.raw.headers)
    return c.json(helpApi.page.returns.parse(await readHelpPage(c.var.db, pages, reader, c.req.param('slug'))))
  })
  route(app, helpApi.feedback, (ctx, { body }) =>
    saveFeedback(ctx, { slug: findPage(pages, body.slug).slug, useful: body.useful }),
  )
}
