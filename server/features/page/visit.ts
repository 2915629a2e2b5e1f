import type { Context } from 'hono'
import type { PageConfig, PageState, SessionUser, Welcome, WrittenState } from '#contract/page.ts'
import { threadsApi } from '#contract/threads.ts'
import { isFramed, type Visit } from '#contract/visit.ts'
import type { Auth } from '#server/auth/auth.ts'
import type { FactorChecks } from '#server/auth/second-factor/proof.ts'
import { noteVisit, sessionOfPageLoad } from '#server/auth/session.ts'
import type { Db } from '#server/db/client.ts'
import type { Ctx, CurrentSession } from '#server/http/context.ts'
import { admit, type Env } from '#server/http/route.ts'
import type { Providers } from '#server/llm/providers.ts'
import type { Changes } from '#server/realtime/changes.ts'
import { neededConsents } from '../legal/consents.ts'
import { publishedKinds } from '../legal/documents.ts'
import { readFirstData } from './first-data.ts'
import { welcomeOf } from './welcome.ts'

export interface PageVisit {
  session: CurrentSession | null
  factorDays: number | null
  welcome: Welcome | null
  documents: string[]
  lacksConsent: boolean
  /** A visit prolongs the session, so the response sets its cookies. */
  cookies: string[]
}

interface VisitDeps {
  auth: Auth
  db: Db
  factors: FactorChecks
  settings: { startSymbols: number }
}

/** Reads the session, then the data of every page and, at the same time, `readBeside`. */
export function createVisit({ auth, db, factors, settings }: VisitDeps) {
  async function consentsOf(session: CurrentSession | null) {
    const documents = await publishedKinds(db)
    const isAsked = session && !session.impersonatedBy && documents.length > 0
    return { documents, lacksConsent: isAsked ? (await neededConsents(db, session.user.id)).length > 0 : false }
  }

  return async <Beside>(
    headers: Headers,
    readBeside: (session: CurrentSession | null) => Promise<Beside>,
  ): Promise<PageVisit & { beside: Beside }> => {
    const { session, cookies } = await sessionOfPageLoad(auth, headers)
    const [factorDays, welcome, consents, , beside] = await Promise.all([
      session && factors.daysLeft(session),
      session ? null : welcomeOf(db, settings.startSymbols),
      consentsOf(session),
      noteVisit(db, session),
      readBeside(session),
    ])
    return { session, cookies, factorDays, welcome, ...consents, beside }
  }
}

export function pageStateOf(config: PageConfig, found: Omit<PageVisit, 'cookies'>): PageState {
  const { session, factorDays, welcome, documents, lacksConsent } = found
  const user = session && {
    ...sessionUser(session),
    ...(factorDays !== null && { factorDays }),
    ...(lacksConsent && { lacksConsent }),
  }
  return { config, user, welcome: session ? null : welcome, documents }
}

const sessionUser = ({ user, impersonatedBy }: CurrentSession): SessionUser => ({
  ...user,
  impersonated: impersonatedBy !== null,
})

interface ReaderDeps {
  page: PageConfig
  providers: Providers
  changes: Changes
}

/** Reads the state that is written into the page: the user, and the data of the first screen. */
export function createPageReader(visitWith: ReturnType<typeof createVisit>, { page, providers, changes }: ReaderDeps) {
  return async (
    c: Context<Env>,
    decide: (user: SessionUser | null) => Visit,
  ): Promise<{ state: WrittenState; visit: Visit; cookies: string[] }> => {
    const mark = changes.mark()
    const found = await visitWith(c.req.raw.headers, async (session) => {
      const visit = decide(session && sessionUser(session))
      const ctx = session && isFramed(visit) ? await admitReading(c, session) : null
      const place = visit.type === 'show' ? visit.place : null
      return { visit, first: ctx && (await readFirstData(ctx, providers, place)) }
    })
    const { visit, first } = found.beside
    const read = first && { first, ...(mark && { mark }) }
    return { state: { ...pageStateOf(page, found), ...read }, visit, cookies: found.cookies }
  }
}

/** Checks the rights and limits of the calls that the page need not make. Null when they would be rejected. */
async function admitReading(c: Context<Env>, session: CurrentSession): Promise<Ctx | null> {
  c.set('sessionOf', async () => session)
  try {
    await c.var.limits('api', c.var.ip)
    const ctx = await admit(c, { ...threadsApi.list, limit: 'lists' })
    return 'user' in ctx ? ctx : null
  } catch {
    return null
  }
}
