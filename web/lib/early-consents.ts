import type { DocumentVersion } from '#contract/page.ts'
import { hasFields, readJson } from './stored.ts'

/** Consents that were ticked on the sign-in page, until the person who gave them is signed in here. */

/** Begins as the keys of drafts do: signing out deletes them all. */
const KEY = 'draft:early-consents'
/** A link from an email is shorter-lived. */
const KEPT_MS = 3_600_000

interface EarlyConsents {
  email: string
  documents: DocumentVersion[]
  at: number
}

export function noteEarlyConsents(email: string, documents: DocumentVersion[]): void {
  if (documents.length === 0) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, JSON.stringify({ email: email.trim().toLowerCase(), documents, at: Date.now() }))
}

/** What this person has ticked here within the hour: nobody agrees for another. */
export function earlyConsents(email: string): DocumentVersion[] {
  const stored = readJson(localStorage.getItem(KEY))
  if (!hasFields<EarlyConsents>(stored, { email: 'string', documents: 'object', at: 'number' })) return []
  const isFresh = Date.now() - stored.at < KEPT_MS
  return isFresh && stored.email === email.toLowerCase() && Array.isArray(stored.documents) ? stored.documents : []
}

export const forgetEarlyConsents = () => localStorage.removeItem(KEY)
