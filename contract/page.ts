import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import type { Model } from './models.ts'
import { Role } from './role.ts'
import type { ThreadRow, ThreadWithMessages } from './threads.ts'
import type { Profile } from './users.ts'

export const SocialProvider = z.object({ id: z.string(), name: z.string() })
export type SocialProvider = z.infer<typeof SocialProvider>

/** What the page needs before sign-in. */
export const PageConfig = z.object({
  appName: z.string(),
  buildId: z.string(),
  socialProviders: z.array(SocialProvider),
  supportUrl: z.nullable(z.string()),
  /** The page with sent emails when there is no SMTP server; null in production. */
  mailboxUrl: z.nullable(z.string()),
  /** Help pages that are readable without a session, by slug. */
  openHelp: z.array(z.string()),
  /** Null or absent when no engine is set up. */
  webSearch: z.optional(z.nullable(z.object({ price: z.int() }))),
  /** The country of this installation; data sent to models in other countries leaves it. */
  country: z.optional(z.string()),
  analytics: z.object({ url: z.nullable(z.string()), yandexMetrikaId: z.nullable(z.string()) }),
})
export type PageConfig = z.infer<typeof PageConfig>

export const SessionUser = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  image: z.nullable(z.string()),
  role: Role,
  impersonated: z.boolean(),
  /** Days until an admin must have a second factor; absent when it is not required. */
  factorDays: z.optional(z.nullable(z.number())),
  lacksConsent: z.optional(z.boolean()),
})
export type SessionUser = z.infer<typeof SessionUser>

/** Description and price for the sign-in page. The server sends the texts, to keep the scripts of the page small. */
export const Welcome = z.object({ text: z.string(), offer: z.string(), examples: z.array(z.string()) })
export type Welcome = z.infer<typeof Welcome>

const DocumentVersion = z.object({ kind: z.string(), version: z.int() })
export type DocumentVersion = z.infer<typeof DocumentVersion>

/** The server writes it into the HTML, so that the first screen needs no request. */
export const PageState = z.object({
  config: PageConfig,
  user: z.nullable(SessionUser),
  /** Null for signed-in users. */
  welcome: z.optional(z.nullable(Welcome)),
  /** The documents that the seller has published, by kind. */
  documents: z.optional(z.array(z.string())),
  /** Those that a new user has to agree to, on the pages without a session. */
  toAgree: z.optional(z.array(DocumentVersion)),
})
export type PageState = z.infer<typeof PageState>

interface PageOf<Items> {
  items: Items
  nextCursor: string | null
}

/** Data of the first screen, read with the page; each field has the answer of a call that the page would make. */
export interface FirstData {
  profile?: Profile
  models?: Model[]
  /** The first page of the list in the panel. */
  threads?: PageOf<ThreadRow[]>
  /** The chat at this address, with its newest messages. */
  thread?: PageOf<ThreadWithMessages>
}

/**
 * The state written into the HTML; the call `state` answers without `first`. With `mark` the page asks the server
 * whether `first` has changed since. An `offline` page was stored by the browser and names no user.
 */
export type WrittenState = PageState & { first?: FirstData; mark?: string; offline?: true }

/** The id of the script element with WrittenState as JSON. */
export const PAGE_STATE_ELEMENT = 'page-state'

export const pageApi = {
  state: endpoint('GET', '/api/page', {
    who: 'anyone',
    summary: 'Что нужно странице сразу: название, сборка, способы входа и кто вошёл',
    returns: PageState,
  }),
}
