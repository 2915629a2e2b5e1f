import { createHmac } from 'node:crypto'
import { and, eq, inArray, isNotNull, isNull, ne, or } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { accounts, giftRejections, identityHashes, ledger, orders, promoUses, users } from '#server/db/schema.ts'

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
 * Keyed hashes of the email address and of accounts at sign-in providers recognise a person who deletes the account and
 * registers again.
 */

/** What a person can have only once. */
type Subject = 'gift' | 'purchase' | `promo:${string}`

export const startKeyOf = (userId: string) => `start:${userId}`

/** False when any hash of the person has the subject already. Of parallel calls only one returns true. */
export async function claimOncePerPerson(
  tx: Db,
  identityKey: Buffer,
  userId: string,
  subject: Subject,
): Promise<boolean> {
  const hashes = await hashesOf(tx, identityKey, [userId])
  const inserted = await insertHashes(
    tx,
    hashes.map(({ hash }) => ({ hash, subject })),
  )
  return inserted === hashes.length
}

export async function hasPersonClaimed(
  db: Db,
  identityKey: Buffer,
  userId: string,
  subject: Subject,
): Promise<boolean> {
  const hashes = (await hashesOf(db, identityKey, [userId])).map(({ hash }) => hash)
  const known = and(inArray(identityHashes.hash, hashes), eq(identityHashes.subject, subject))
  return (await db.$count(identityHashes, known)) > 0
}

/**
 * Stores everything these users have had under each of their current hashes. Called whenever a hash may be added or
 * removed, so that a new email address or provider account is still the same person. Safe to repeat.
 */
export async function storeIdentityHashes(db: Db, identityKey: Buffer, userIds: string[]): Promise<void> {
  const had = new Map<string, Set<Subject>>()
  for (const { userId, subject } of await subjectsOf(db, userIds))
    had.set(userId, (had.get(userId) ?? new Set()).add(subject))
  const hashes = had.size > 0 ? await hashesOf(db, identityKey, [...had.keys()]) : []
  await insertHashes(
    db,
    hashes.flatMap(({ userId, hash }) => [...(had.get(userId) ?? [])].map((subject) => ({ hash, subject }))),
  )
}

/** Sorted, so that two transactions with the same hashes cannot deadlock. */
async function insertHashes(db: Db, rows: { hash: string; subject: Subject }[]): Promise<number> {
  if (rows.length === 0) return 0
  const sorted = rows.toSorted((a, b) => (a.subject + a.hash < b.subject + b.hash ? -1 : 1))
  const inserted = await db
    .insert(identityHashes)
    .values(sorted)
    .onConflictDoNothing()
    .returning({ hash: identityHashes.hash })
  return inserted.length
}

async function hashesOf(db: Db, identityKey: Buffer, userIds: string[]): Promise<{ userId: string; hash: string }[]> {
  const addresses = await db
    .select({ userId: users.id, email: users.email })
    .from(users)
    .where(inArray(users.id, userIds))
  const elsewhere = await db
    .select({ userId: accounts.userId, providerId: accounts.providerId, accountId: accounts.accountId })
    .from(accounts)
    .where(and(inArray(accounts.userId, userIds), ne(accounts.providerId, 'credential')))
  return [
    ...addresses.map(({ userId, email }) => ({ userId, hash: addressHash(identityKey, email) })),
    ...elsewhere.map(({ userId, providerId, accountId }) => ({
      userId,
      hash: hmac(identityKey, `account:${providerId}:${accountId}`),
    })),
  ]
}

/** Equal for all spellings of one mailbox. */
export const addressHash = (identityKey: Buffer, email: string) => hmac(identityKey, `address:${normaliseEmail(email)}`)

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
