import { sql } from 'drizzle-orm'
import { boolean, foreignKey, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { consentKinds, documentKinds } from '#contract/legal.ts'
import { users } from './auth.ts'
import { createdAt, moment } from './columns.ts'

/**
 * What the seller published. A trigger forbids changes: a consent names a version, and its text must stay. There is no
 * foreign key to the author, because a document outlives the account.
 */
export const legalVersions = pgTable(
  'legal_versions',
  {
    kind: text({ enum: documentKinds }).notNull(),
    version: integer().notNull(),
    text: text().notNull(),
    /** SHA-256 of the text in UTF-8, hexadecimal. */
    hash: text().notNull(),
    /** Consents to earlier versions no longer count. */
    asksConsent: boolean().notNull(),
    authorId: text().notNull(),
    publishedAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.version] })],
)

/** Who agreed to which version, when and from where. A withdrawn consent stays as a record. */
export const legalConsents = pgTable(
  'legal_consents',
  {
    id: text().primaryKey(),
    userId: text().references(() => users.id, { onDelete: 'set null' }),
    kind: text({ enum: consentKinds }).notNull(),
    version: integer().notNull(),
    hash: text().notNull(),
    ip: text().notNull(),
    userAgent: text().notNull(),
    createdAt: createdAt(),
    withdrawnAt: moment(),
  },
  (t) => [
    foreignKey({ columns: [t.kind, t.version], foreignColumns: [legalVersions.kind, legalVersions.version] }),
    // A repeated consent is one row; after a withdrawal there may be another.
    uniqueIndex('legal_consents_valid').on(t.userId, t.kind, t.version).where(sql`${t.withdrawnAt} is null`),
    index().on(t.userId),
    index().on(t.kind, t.version),
    index().on(t.createdAt, t.id),
  ],
)
