import { eq } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { type giftRejectionReasons, giftRejections, ledger, users } from '#server/db/schema.ts'
import { type Limits, TooManyRequests } from '#server/http/limits.ts'
import { type GiftDomains, isDisposable } from './disposable.ts'
import { grant } from './ledger.ts'
import { hasHad, keepMarks, startKeyOf, takeOnce } from './person-marks.ts'

export interface StartGift {
  db: Db
  limits: Limits
  personKey: Buffer
  /** How many symbols; 0 for no gift at all. */
  symbols: number
  domains: GiftDomains
}

type Reason = (typeof giftRejectionReasons)[number]

/**
 * Gives the symbols of the start once to a person, not once to an account. Asked at every sign-in: who was refused
 * because of the network, or of a domain that is allowed by now, gets them then.
 */
export async function giveStartGift(deps: StartGift, userId: string, ip: string | null): Promise<void> {
  const { db, limits, personKey } = deps
  if (deps.symbols === 0) return
  if (await isSettled(db, userId)) return keepMarks(db, personKey, [userId])
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId))
  if (!user) return
  const disposable = await isDisposable(user.email, deps.domains)
  // Counted outside of the transaction, and given back unless symbols are really given.
  const counted = await count(limits, ip)
  const outcome = await db.transaction(async (tx) => {
    const verdict = await judge(tx, deps, userId, { disposable, capped: !counted })
    if (verdict === 'give') {
      await grant(tx, { userId, kind: 'gift', symbols: deps.symbols, key: startKeyOf(userId) })
      await tx.delete(giftRejections).where(eq(giftRejections.userId, userId))
    } else if (verdict !== 'settled') await refuse(tx, userId, verdict, deps.symbols)
    return verdict
  })
  if (outcome !== 'give' && counted && !isOwnMachine(ip)) await limits('gifts', callerKey(ip), 'give back')
}

interface Circumstances {
  disposable: boolean
  capped: boolean
}

/** Who has had the gift before is told so, whatever else would stand in the way. */
async function judge(
  tx: Db,
  { personKey }: StartGift,
  userId: string,
  { disposable, capped }: Circumstances,
): Promise<Reason | 'give' | 'settled'> {
  const refused = disposable || capped
  const isRepeated = refused
    ? await hasHad(tx, personKey, userId, 'gift')
    : !(await takeOnce(tx, personKey, userId, 'gift'))
  // The marks may be of this account itself, which signs in twice at once.
  if (isRepeated) return (await isSettled(tx, userId)) ? 'settled' : 'repeated'
  if (!refused) return 'give'
  return disposable ? 'disposable' : 'network'
}

async function refuse(tx: Db, userId: string, reason: Reason, symbols: number): Promise<void> {
  await tx
    .insert(giftRejections)
    .values({ userId, reason, symbols })
    .onConflictDoUpdate({ target: giftRejections.userId, set: { reason, symbols } })
}

/** Given at a sign-in before, or by an administrator's hand. */
async function isSettled(db: Db, userId: string): Promise<boolean> {
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

/** Nobody from outside comes from the machine itself, so that address says nothing about who comes. */
const isOwnMachine = (ip: string | null) => ip === '::1' || ip?.startsWith('127.') === true
/** Those of whom no address is known share one count. */
const callerKey = (ip: string | null) => ip ?? 'unknown'

async function count(limits: Limits, ip: string | null): Promise<boolean> {
  if (isOwnMachine(ip)) return true
  try {
    await limits('gifts', callerKey(ip))
    return true
  } catch (error) {
    if (error instanceof TooManyRequests) return false
    throw error
  }
}

/** Whether somebody went without the gift, for whoever shows it. */
export async function refusedGift(db: Db, userId: string) {
  const [rejection] = await db.select().from(giftRejections).where(eq(giftRejections.userId, userId))
  return rejection && !rejection.givenAt ? rejection : null
}

/** An administrator has given them: no later sign-in gives them again. */
export async function endRejection(tx: Db, userId: string): Promise<void> {
  await tx.update(giftRejections).set({ givenAt: new Date() }).where(eq(giftRejections.userId, userId))
}
