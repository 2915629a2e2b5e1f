import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, deletedWith, moment } from './columns.ts'
import { models } from './models.ts'

/** Tables of the authentication library; field names are its own. */

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
    /** To the hour: more would cost a write per request. */
    lastSeenAt: createdAt(),
    twoFactorEnabled: boolean().notNull().default(false),
    /** The text that user search uses: lower case for Cyrillic too, and without «ё». */
    search: text().generatedAlwaysAs(
      sql`lower(email) || ' ' || translate(lower(name), 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯё', 'абвгдеежзийклмнопрстуфхцчшщъыьэюяе')`,
    ),
  },
  (t) => [
    index().on(t.createdAt),
    index().on(t.lastSeenAt),
    index().on(t.name),
    // Finds the user behind a hash in the statistics.
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
    userId: deletedWith(() => users.id),
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
    userId: deletedWith(() => users.id),
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

/** Browsers that a user signed up or signed in from, by a hash of the device id. */
export const knownDevices = pgTable(
  'known_devices',
  {
    userId: deletedWith(() => users.id),
    device: text().notNull(),
    createdAt: createdAt(),
    /** The last sign-in; null after a sign-up without one. */
    signedInAt: moment(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.device] })],
)

/** The TOTP secret and the recovery codes, both encrypted by the library. */
export const twoFactors = pgTable('two_factors', {
  id: text().primaryKey(),
  secret: text().notNull(),
  backupCodes: text().notNull(),
  userId: deletedWith(() => users.id).unique(),
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
    userId: deletedWith(() => users.id),
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

/** TOTP codes that were tried: the library would accept one again while it is valid. */
export const usedCodes = pgTable(
  'used_codes',
  {
    userId: deletedWith(() => users.id),
    code: text().notNull(),
    usedAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.code] })],
)

/** When the owner of a session last proved their identity, and when by a second factor. */
export const sessionProofs = pgTable('session_proofs', {
  sessionId: deletedWith(() => sessions.id).primaryKey(),
  provenAt: moment().notNull(),
  /** Not changed by a later proof without a second factor. */
  factorAt: moment(),
})

/** Since when an admin has been asked to add a second factor. */
export const adminGrace = pgTable('admin_grace', {
  userId: deletedWith(() => users.id).primaryKey(),
  since: createdAt(),
})

/** Counters of limits when instances share one Postgres without Redis. */
export const rateLimits = pgTable('rate_limits', {
  key: text().primaryKey(),
  points: integer().notNull(),
  expire: bigint({ mode: 'number' }),
})

/** A user's chat preferences. The row is created together with the user. */
export const settings = pgTable('settings', {
  userId: deletedWith(() => users.id).primaryKey(),
  threadModel: text().references(() => models.id, { onDelete: 'set null' }),
  threadHistory: boolean().notNull().default(true),
  threadHistoryLimit: integer().notNull().default(20),
  threadGptNameEnabled: boolean().notNull().default(true),
  threadGptNamePrompt: text().notNull(),
  threadSummaries: text({ enum: ['offer', 'auto', 'never'] })
    .notNull()
    .default('offer'),
  personalEnabled: boolean().notNull().default(true),
  personalAbout: text().notNull().default(''),
  personalStyle: text().notNull().default(''),
  maskPersonal: boolean().notNull().default(false),
  maskedNames: text().array().notNull().default([]),
})
