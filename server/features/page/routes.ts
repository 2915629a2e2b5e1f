import { type PageConfig, type PageState, pageApi, type Welcome } from '#contract/page.ts'
import type { CurrentSession } from '#server/http/context.ts'
import { type App, route } from '#server/http/route.ts'

interface Visit {
  session: CurrentSession | null
  factorDays?: number | null
  welcome?: Welcome | null
}

export function pageStateOf(config: PageConfig, { session, factorDays = null, welcome = null }: Visit): PageState {
  const user = session && {
    ...session.user,
    impersonated: session.impersonatedBy !== null,
    ...(factorDays !== null && { factorDays }),
  }
  return { config, user, welcome: session ? null : welcome }
}

/** A visit extends the session, so the response sets its cookies. */
export type VisitOf = (headers: Headers) => Promise<{
  session: CurrentSession | null
  cookies: string[]
  factorDays: number | null
  welcome: Welcome | null
}>

export function pageRoutes(app: App, config: PageConfig, visitOf: VisitOf) {
  route(app, pageApi.state, async (_ctx, _input, c) => {
    const { cookies, ...visit } = await visitOf(c.req.raw.headers)
    for (const cookie of cookies) c.header('set-cookie', cookie, { append: true })
    return pageStateOf(config, visit)
  })
}
