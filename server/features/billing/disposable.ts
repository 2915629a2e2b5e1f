/** Domains of mailboxes that anybody gets without end, and what the owner says about them. */
export interface GiftDomains {
  blocked: string[]
  allowed: string[]
}

let known: Promise<Set<string>> | null = null

/** The list is large and only first sign-ins need it. */
async function knownDomains(): Promise<Set<string>> {
  known ??= import('disposable-email-domains-js').then(
    ({ disposableEmailBlocklist }) => new Set(disposableEmailBlocklist()),
  )
  return known
}

/** Subdomains count with their domain; what the owner allows wins. */
export async function isDisposable(email: string, { blocked, allowed }: GiftDomains): Promise<boolean> {
  const domains = withParents(email.slice(email.lastIndexOf('@') + 1).toLowerCase())
  if (domains.some((domain) => allowed.includes(domain))) return false
  if (domains.some((domain) => blocked.includes(domain))) return true
  const list = await knownDomains()
  return domains.some((domain) => list.has(domain))
}

/** `a.b.c` is `a.b.c`, `b.c` and `c`. */
function withParents(domain: string): string[] {
  const parts = domain.split('.').filter(Boolean)
  return parts.map((_, at) => parts.slice(at).join('.'))
}
