import type { Context } from 'hono'
import { needsConsent } from '#contract/legal.ts'
import type { DocumentVersion, PageConfig, PageState, SessionUser, Welcome, WrittenState } from '#contract/page.ts'
import { isFramed, type Route } from '#contract/route-guard.ts'
import { threadsApi } from '#contract/threads.ts'
import type { Auth } from '#server/auth/auth.ts'
import type { FactorChecks } from '#server/auth/second-factor/proof.ts'
import { noteVisit, sessionOfPageLoad } from '#server/auth/session.ts'
import type { Db } from '#server/db/client.ts'
import type { Ctx, CurrentSession } from '#server/http/context.ts'
import { admit, type Env } from '#server/http/route.ts'
import type { Providers } from '#server/llm/providers.ts'
import type { Changes } from '#server/realtime/changes.ts'
import { neededConsents } from '../legal/consents.ts'
import { publishedDocuments } from '../legal/documents.ts'
import { readFirstData } from './first-data.ts'
import { welcomeOf } from './welcome.ts'

export interface PageFacts {
  session: CurrentSession | null
  factorDays: number | null
  welcome: Welcome | null
  documents: string[]
  lacksConsent: boolean
  toAgree?: DocumentVersion[]
  /** A visit prolongs the session, so the response sets its cookies. */
  cookies: string[]
}

interface FactsDeps {
  auth: Auth
  db: Db
  factors: FactorChecks
  settings: { startSymbols: number }
}

/** Reads the session, then the data of every page and, at the same time, `readBeside`. */
export function createFactsReader({ auth, db, factors, settings }: FactsDeps) {
  async function consentsOf(session: CurrentSession | null) {
    const published = await publishedDocuments(db)
    const documents = published.map(({ kind }) => kind)
    if (!session) return { documents, lacksConsent: false, toAgree: published.filter(({ kind }) => needsConsent(kind)) }
    if (session.impersonatedBy || documents.length === 0) return { documents, lacksConsent: false }
    return { documents, lacksConsent: session.lacksConsent ?? (await neededConsents(db, session.user.id)).length > 0 }
  }

  return async <Beside>(
    headers: Headers,
    readBeside: (session: CurrentSession | null) => Promise<Beside>,
  ): Promise<PageFacts & { beside: Beside }> => {
    const { session, cookies } = await sessionOfPageLoad(auth, db, headers)
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

export function pageStateOf(config: PageConfig, found: Omit<PageFacts, 'cookies'>): PageState {
  const { session, factorDays, welcome, documents, lacksConsent, toAgree } = found
  const user = session && {
    ...sessionUser(session),
    ...(factorDays !== null && { factorDays }),
    ...(lacksConsent && { lacksConsent }),
  }
  return { config, user, welcome: session ? null : welcome, documents, ...(toAgree?.length && { toAgree }) }
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

export function createPageReader(
  readFacts: ReturnType<typeof createFactsReader>,
  { page, providers, changes }: ReaderDeps,
) {
  return async (
    c: Context<Env>,
    decide: (user: SessionUser | null) => Route,
  ): Promise<{ state: WrittenState; route: Route; cookies: string[] }> => {
    const mark = changes.mark()
    const found = await readFacts(c.req.raw.headers, async (session) => {
      const route = decide(session && sessionUser(session))
      const ctx = session && isFramed(route) ? await admitReading(c, session) : null
      const match = route.type === 'show' ? route.match : null
      return { route, first: ctx && (await readFirstData(ctx, providers, match)) }
    })
    const { route, first } = found.beside
    const read = first && { first, ...(mark && { mark }) }
    return { state: { ...pageStateOf(page, found), ...read }, route, cookies: found.cookies }
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
