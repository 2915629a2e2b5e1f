import type { Context } from 'hono'
import { helpApi } from '#contract/help.ts'
import { type App, type Env, route } from '#server/http/route.ts'
import { findPage, type Help, readHelpPage, saveFeedback, visiblePagesOf } from './pages.ts'
import { searchHelp } from './search.ts'

/** The calls need no session, but without one they see only the open pages. */
export function helpRoutes(app: App, { pages }: Help) {
  const readerOf = (c: Context<Env>) => c.var.sessionOf(c.req.raw.headers)
  route(app, helpApi.list, async (_ctx, _input, c) => visiblePagesOf(pages, await readerOf(c)))
  route(
    app,
    helpApi.search,
    async ({ db }, { query }, c) => searchHelp(db, visiblePagesOf(pages, await readerOf(c)), query.query),
    { limit: 'public' },
  )
  route(app, helpApi.page, async ({ db }, { params }, c) => readHelpPage(db, pages, await readerOf(c), params.slug))
  route(app, helpApi.feedback, async (ctx, { body }, c) => {
    const { slug } = findPage(visiblePagesOf(pages, await readerOf(c)), body.slug)
    return saveFeedback(ctx, { slug, useful: body.useful })
  })
}
