import { and, eq, isNull, type SQLWrapper } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { type giftRejectionReasons, giftRejections, ledger, users } from '#server/db/schema.ts'
import { type Limits, TooManyRequests } from '#server/http/limits.ts'
import { claimOncePerPerson, hasPersonClaimed, startKeyOf, storeIdentityHashes } from './identity-hashes.ts'
import { grant } from './ledger.ts'

export interface StartGift {
  db: Db
  limits: Limits
  identityKey: Buffer
  /** 0 for no gift. */
  symbols: number
  domains: GiftDomains
}

type Reason = (typeof giftRejectionReasons)[number]

/**
 * Gives the start symbols once per person, not once per account. Called at every sign-in: a user rejected because of
 * the network, or of an email domain that is allowed by now, gets them then.
 */
export async function giveStartGift(deps: StartGift, userId: string, ip: string | null): Promise<void> {
  const { db, limits, identityKey } = deps
  if (deps.symbols === 0) return
  if (await wasGiven(db, userId)) return storeIdentityHashes(db, identityKey, [userId])
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId))
  if (!user) return
  const disposable = await isDisposable(user.email, deps.domains)
  // Counted outside the transaction, and uncounted unless symbols are given.
  const counted = await countGift(limits, ip)
  const outcome = await db.transaction(async (tx) => {
    const verdict = await decide(tx, deps, userId, { disposable, capped: !counted })
    if (verdict === 'give') {
      await grant(tx, { userId, kind: 'gift', symbols: deps.symbols, key: startKeyOf(userId) })
      await tx.delete(giftRejections).where(eq(giftRejections.userId, userId))
    } else if (verdict !== 'settled') await saveRejection(tx, userId, verdict, deps.symbols)
    return verdict
  })
  if (outcome !== 'give' && counted && !isLoopback(ip)) await limits('gifts', callerKey(ip), 'give back')
}

interface GiftChecks {
  disposable: boolean
  capped: boolean
}

/** `repeated` wins over the other reasons. */
async function decide(
  tx: Db,
  { identityKey }: StartGift,
  userId: string,
  { disposable, capped }: GiftChecks,
): Promise<Reason | 'give' | 'settled'> {
  const isRejected = disposable || capped
  const isRepeated = isRejected
    ? await hasPersonClaimed(tx, identityKey, userId, 'gift')
    : !(await claimOncePerPerson(tx, identityKey, userId, 'gift'))
  // The marks may be from a parallel sign-in of this same account.
  if (isRepeated) return (await wasGiven(tx, userId)) ? 'settled' : 'repeated'
  if (!isRejected) return 'give'
  return disposable ? 'disposable' : 'network'
}

async function saveRejection(tx: Db, userId: string, reason: Reason, symbols: number): Promise<void> {
  await tx
    .insert(giftRejections)
    .values({ userId, reason, symbols })
    .onConflictDoUpdate({ target: giftRejections.userId, set: { reason, symbols } })
}

/** Given at an earlier sign-in or by an administrator. */
async function wasGiven(db: Db, userId: string): Promise<boolean> {
  const [given] = await db
    .select({ id: ledger.id })
    .from(ledger)
    .where(eq(ledger.key, startKeyOf(userId)))
  if (given) return true
  const [rejection] = await db
    .select({ givenAt: giftRejections.givenAt })
    .from(giftRejections)
    .where(eq(giftRejections.userId, userId))
  return rejection?.givenAt != null
}

/** Loopback is a local proxy or a test, not a client network, so it is not limited. */
const isLoopback = (ip: string | null) => ip === '::1' || ip?.startsWith('127.') === true
/** Requests without a known address share one counter. */
const callerKey = (ip: string | null) => ip ?? 'unknown'

async function countGift(limits: Limits, ip: string | null): Promise<boolean> {
  if (isLoopback(ip)) return true
  try {
    await limits('gifts', callerKey(ip))
    return true
  } catch (error) {
    if (error instanceof TooManyRequests) return false
    throw error
  }
}

/** The gift was rejected, and the user has not received it since. */
export const isOpenRejection = (userId: SQLWrapper | string) =>
  and(eq(giftRejections.userId, userId), isNull(giftRejections.givenAt))

export async function findGiftRejection(db: Db, userId: string) {
  const [rejection] = await db.select().from(giftRejections).where(isOpenRejection(userId))
  return rejection ?? null
}

/** An administrator has given the symbols: no later sign-in gives them again. */
export async function endRejection(tx: Db, userId: string): Promise<void> {
  await tx.update(giftRejections).set({ givenAt: new Date() }).where(eq(giftRejections.userId, userId))
}

/** Settings that extend or override the list of disposable email domains. */
export interface GiftDomains {
  blocked: string[]
  allowed: string[]
}

let blocklist: Promise<Set<string>> | null = null

/** Loaded lazily: the list is large, and only first sign-ins need it. */
async function knownDomains(): Promise<Set<string>> {
  blocklist ??= import('disposable-email-domains-js').then(
    ({ disposableEmailBlocklist }) => new Set(disposableEmailBlocklist()),
  )
  return blocklist
}

/** Subdomains count with their domain; `allowed` wins. */
async function isDisposable(email: string, { blocked, allowed }: GiftDomains): Promise<boolean> {
  const domains = withParents(email.slice(email.lastIndexOf('@') + 1).toLowerCase())
  if (domains.some((domain) => allowed.includes(domain))) return false
  if (domains.some((domain) => blocked.includes(domain))) return true
  const list = await knownDomains()
  return domains.some((domain) => list.has(domain))
}

/** `a.b.c` → `a.b.c`, `b.c`, `c`. */
function withParents(domain: string): string[] {
  const parts = domain.split('.').filter(Boolean)
  return parts.map((_, at) => parts.slice(at).join('.'))
}
