import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, moment } from './columns.ts'

/** The sign-in library's tables; the names of the fields are its own. */

export const users = pgTable(
  'users',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    email: text().notNull().unique(),
    emailVerified: boolean().notNull().default(false),
    image: text(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    role: text().notNull().default('user'),
    banned: boolean().notNull().default(false),
    banReason: text(),
    banExpires: moment(),
    /** To the hour: a more exact one would cost every call a write. */
    lastSeenAt: createdAt(),
    twoFactorEnabled: boolean().notNull().default(false),
    /** What people are found by: small letters, also where the database knows those of Latin only, and no «ё». */
    search: text().generatedAlwaysAs(
      sql`lower(email) || ' ' || translate(lower(name), 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯё', 'абвгдеежзийклмнопрстуфхцчшщъыьэюяе')`,
    ),
  },
  (t) => [
    index().on(t.createdAt),
    index().on(t.lastSeenAt),
    index().on(t.name),
    // Finds the user behind a number of the statistics.
    index('users_by_number').on(sql`hashtextextended(${t.id}, 0)`),
  ],
)

export const sessions = pgTable(
  'sessions',
  {
    id: text().primaryKey(),
    expiresAt: moment().notNull(),
    token: text().notNull().unique(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    ipAddress: text(),
    userAgent: text(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    impersonatedBy: text(),
  },
  (t) => [index().on(t.userId)],
)

export const accounts = pgTable(
  'accounts',
  {
    id: text().primaryKey(),
    accountId: text().notNull(),
    providerId: text().notNull(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    accessToken: text(),
    refreshToken: text(),
    idToken: text(),
    accessTokenExpiresAt: moment(),
    refreshTokenExpiresAt: moment(),
    scope: text(),
    password: text(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [index().on(t.userId), uniqueIndex().on(t.providerId, t.accountId)],
)

export const verifications = pgTable(
  'verifications',
  {
    id: text().primaryKey(),
    identifier: text().notNull(),
    value: text().notNull(),
    expiresAt: moment().notNull(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [index().on(t.identifier), index().on(t.expiresAt)],
)

/** Browsers that a user signed up or signed in from, by a hash of the number that each of them keeps. */
export const knownDevices = pgTable(
  'known_devices',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    device: text().notNull(),
    createdAt: createdAt(),
    /** The last sign-in; null for one that has only signed up. */
    signedInAt: moment(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.device] })],
)

/** The secret of an authenticator app and the recovery codes, both encrypted by the library. */
export const twoFactors = pgTable('two_factors', {
  id: text().primaryKey(),
  secret: text().notNull(),
  backupCodes: text().notNull(),
  userId: text()
    .notNull()
    .unique()
    .references(() => users.id, { onDelete: 'cascade' }),
  verified: boolean().notNull().default(false),
  failedVerificationCount: integer().notNull().default(0),
  lockedUntil: moment(),
  createdAt: createdAt(),
})

export const passkeys = pgTable(
  'passkeys',
  {
    id: text().primaryKey(),
    name: text(),
    publicKey: text().notNull(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    credentialID: text().notNull().unique(),
    counter: bigint({ mode: 'number' }).notNull(),
    deviceType: text().notNull(),
    backedUp: boolean().notNull(),
    transports: text(),
    createdAt: createdAt(),
    aaguid: text(),
  },
  (t) => [index().on(t.userId)],
)

/** Codes of authenticator apps that were tried: the library would accept one again while its time lasts. */
export const usedCodes = pgTable(
  'used_codes',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    code: text().notNull(),
    usedAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.code] })],
)

/** When the owner of a session last proved to be there, and whether by a second factor. */
export const sessionProofs = pgTable('session_proofs', {
  sessionId: text()
    .primaryKey()
    .references(() => sessions.id, { onDelete: 'cascade' }),
  provenAt: moment().notNull(),
  /** The last time it was a second factor; an emailed code or a password later does not take it away. */
  factorAt: moment(),
})

/** Since when an administrator has been asked to add a second factor. */
export const adminGrace = pgTable('admin_grace', {
  userId: text()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  since: createdAt(),
})

/** Counters of rate limits when several instances share one Postgres and there is no Redis. */
export const rateLimits = pgTable('rate_limits', {
  key: text().primaryKey(),
  points: integer().notNull(),
  expire: bigint({ mode: 'number' }),
})
