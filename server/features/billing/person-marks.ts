import { createHmac } from 'node:crypto'
import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import {
  accounts,
  giftRejections,
  ledger,
  orders,
  personMarks,
  promoUses,
  statNotes,
  users,
} from '#server/db/schema.ts'

interface MailService {
  /** The first is the one that stands for all. */
  domains: string[]
  /** What the service ignores in the name of a mailbox, besides +tags. */
  plain?: (box: string) => string
}

const services: MailService[] = [
  { domains: ['gmail.com', 'googlemail.com'], plain: (box) => box.replaceAll('.', '') },
  {
    domains: [
      ...['yandex.ru', 'ya.ru', 'yandex.by', 'yandex.com', 'yandex.kz', 'yandex.ua', 'yandex.uz', 'yandex.com.tr'],
      ...['yandex.az', 'yandex.com.am', 'yandex.com.ge', 'yandex.co.il', 'yandex.md', 'yandex.tj', 'yandex.tm'],
      'narod.ru',
    ],
    plain: (box) => box.replaceAll('.', '-'),
  },
  {
    domains: ['proton.me', 'protonmail.com', 'pm.me', 'protonmail.ch'],
    plain: (box) => box.replace(/[._-]/g, ''),
  },
  { domains: ['icloud.com', 'me.com', 'mac.com'] },
]
const serviceOf = new Map(services.flatMap((service) => service.domains.map((domain) => [domain, service])))

/** Here `anything@name.domain` arrives at `name@domain`. */
const subdomainServices = /^([^.]+)\.(fastmail\.(?:com|fm)|sent\.com|runbox\.com|33mail\.com|anonaddy\.(?:com|me))$/

/** Names of these mailboxes have no hyphen: what follows one is a tag. */
const hyphenTags = /^(?:yahoo(?:\.[a-z]{2,3}){1,2}|ymail\.com|rocketmail\.com|myyahoo\.com)$/

/** One spelling for one mailbox: without tags and without differences that its service ignores. */
export function normaliseEmail(email: string): string {
  const address = email.trim().toLowerCase()
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  const [, owner, host] = subdomainServices.exec(domain) ?? []
  if (owner && host) return `${owner}@${host}`
  const box = address.slice(0, Math.max(at, 0)).replace(/(?!^)\+.*$/s, '')
  if (hyphenTags.test(domain)) return `${box.replace(/(?!^)-.*$/s, '')}@${domain}`
  const { domains: [main = domain] = [], plain } = serviceOf.get(domain) ?? {}
  return `${plain?.(box) || box}@${main}`
}

/**
 * Marks are keyed hashes of the email address and of accounts at sign-in providers. They recognise a person who
 * deletes the account and registers again.
 */

/** What a person can have only once. */
type Subject = 'gift' | 'purchase' | `promo:${string}`

export const startKeyOf = (userId: string) => `start:${userId}`

/** False when any mark of the person has the subject already. Of parallel calls only one returns true. */
export async function claimOncePerPerson(
  tx: Db,
  personKey: Buffer,
  userId: string,
  subject: Subject,
): Promise<boolean> {
  const marks = await marksOf(tx, personKey, [userId])
  const inserted = await insertMarks(
    tx,
    marks.map(({ mark }) => ({ mark, subject })),
  )
  return inserted === marks.length
}

export async function hasPersonClaimed(db: Db, personKey: Buffer, userId: string, subject: Subject): Promise<boolean> {
  const marks = (await marksOf(db, personKey, [userId])).map(({ mark }) => mark)
  const known = and(inArray(personMarks.mark, marks), eq(personMarks.subject, subject))
  return (await db.$count(personMarks, known)) > 0
}

/**
 * Stores everything these users have had under each of their current marks. Called whenever a mark may be added or
 * removed, so that a new email address or provider account is still the same person. Safe to repeat.
 */
export async function storeMarks(db: Db, personKey: Buffer, userIds: string[]): Promise<void> {
  const had = new Map<string, Set<Subject>>()
  for (const { userId, subject } of await subjectsOf(db, userIds))
    had.set(userId, (had.get(userId) ?? new Set()).add(subject))
  const marks = had.size > 0 ? await marksOf(db, personKey, [...had.keys()]) : []
  await insertMarks(
    db,
    marks.flatMap(({ userId, mark }) => [...(had.get(userId) ?? [])].map((subject) => ({ mark, subject }))),
  )
}

/** Sorted, so that two transactions with the same marks cannot deadlock. */
async function insertMarks(db: Db, rows: { mark: string; subject: Subject }[]): Promise<number> {
  if (rows.length === 0) return 0
  const sorted = rows.toSorted((a, b) => (a.subject + a.mark < b.subject + b.mark ? -1 : 1))
  const inserted = await db
    .insert(personMarks)
    .values(sorted)
    .onConflictDoNothing()
    .returning({ mark: personMarks.mark })
  return inserted.length
}

async function marksOf(db: Db, personKey: Buffer, userIds: string[]): Promise<{ userId: string; mark: string }[]> {
  const addresses = await db
    .select({ userId: users.id, email: users.email })
    .from(users)
    .where(inArray(users.id, userIds))
  const elsewhere = await db
    .select({ userId: accounts.userId, providerId: accounts.providerId, accountId: accounts.accountId })
    .from(accounts)
    .where(and(inArray(accounts.userId, userIds), ne(accounts.providerId, 'credential')))
  return [
    ...addresses.map(({ userId, email }) => ({ userId, mark: addressMark(personKey, email) })),
    ...elsewhere.map(({ userId, providerId, accountId }) => ({
      userId,
      mark: hmac(personKey, `account:${providerId}:${accountId}`),
    })),
  ]
}

/** Equal for all spellings of one mailbox. */
export const addressMark = (personKey: Buffer, email: string) => hmac(personKey, `address:${normaliseEmail(email)}`)

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64url')

async function subjectsOf(db: Db, userIds: string[]): Promise<{ userId: string; subject: Subject }[]> {
  const gifts = await db
    .select({ userId: ledger.userId })
    .from(ledger)
    .where(inArray(ledger.key, userIds.map(startKeyOf)))
  const repeated = await db
    .select({ userId: giftRejections.userId })
    .from(giftRejections)
    .where(
      and(
        inArray(giftRejections.userId, userIds),
        or(eq(giftRejections.reason, 'repeated'), isNotNull(giftRejections.givenAt)),
      ),
    )
  const uses = await db
    .select({ userId: promoUses.userId, promoId: promoUses.promoId })
    .from(promoUses)
    .leftJoin(orders, eq(orders.id, promoUses.orderId))
    .where(and(inArray(promoUses.userId, userIds), or(isNull(promoUses.orderId), isNotNull(orders.paidAt))))
  const buyers = await db
    .selectDistinct({ userId: orders.userId })
    .from(orders)
    .where(and(inArray(orders.userId, userIds), isNotNull(orders.paidAt)))
  return [
    ...[...gifts, ...repeated].map(({ userId }) => ({ userId, subject: 'gift' as const })),
    ...uses.map(({ userId, promoId }) => ({ userId, subject: `promo:${promoId}` as const })),
    ...buyers.flatMap(({ userId }) => (userId ? [{ userId, subject: 'purchase' as const }] : [])),
  ]
}

const BATCH = 500
/** A new name after a change of `normaliseEmail`, so that all users get their new marks. */
const NOTE = 'person-marks-2'
/** Ids grow with time, but the clocks of instances differ: newer users are left to the next run. */
const SETTLED = sql`now() - interval '10 minutes'`

/** Marks users registered before marks existed, in batches, continuing where the last run ended. */
export async function fillMarks(db: Db, personKey: Buffer): Promise<number> {
  const [note] = await db.select({ value: statNotes.value }).from(statNotes).where(eq(statNotes.name, NOTE))
  let last = (note?.value as { last?: string } | undefined)?.last ?? ''
  for (let marked = 0; ; ) {
    const batch = await db
      .select({ id: users.id })
      .from(users)
      .where(and(gt(users.id, last), lt(users.createdAt, SETTLED)))
      .orderBy(asc(users.id))
      .limit(BATCH)
    last = batch.at(-1)?.id ?? last
    if (batch.length === 0) return marked
    await storeMarks(
      db,
      personKey,
      batch.map(({ id }) => id),
    )
    const value = { last }
    await db
      .insert(statNotes)
      .values({ name: NOTE, at: new Date(), value })
      .onConflictDoUpdate({ target: statNotes.name, set: { at: new Date(), value } })
    marked += batch.length
  }
}
