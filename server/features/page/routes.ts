import { type PageConfig, type PageState, pageApi, type Welcome } from '#contract/page.ts'
import type { CurrentSession } from '#server/http/context.ts'
import { type App, route } from '#server/http/route.ts'

interface Visit {
  session: CurrentSession | null
  factorDays?: number | null
  welcome?: Welcome | null
  documents: string[]
  lacksConsent: boolean
}

export function pageStateOf(config: PageConfig, visit: Visit): PageState {
  const { session, factorDays = null, welcome = null, documents, lacksConsent } = visit
  const user = session && {
    ...session.user,
    impersonated: session.impersonatedBy !== null,
    ...(factorDays !== null && { factorDays }),
    ...(lacksConsent && { lacksConsent }),
  }
  return { config, user, welcome: session ? null : welcome, documents }
}

/** A visit extends the session, so the response sets its cookies. */
export type VisitOf = (headers: Headers) => Promise<Required<Visit> & { cookies: string[] }>

export function pageRoutes(app: App, config: PageConfig, visitOf: VisitOf) {
  route(app, pageApi.state, async (_ctx, _input, c) => {
    const { cookies, ...visit } = await visitOf(c.req.raw.headers)
    for (const cookie of cookies) c.header('set-cookie', cookie, { append: true })
    return pageStateOf(config, visit)
  })
}
