import { createHash } from 'node:crypto'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import {
  type DocumentKind,
  type DocumentSummary,
  type DocumentVersion,
  documentKinds,
  documentTitles,
  type EditedDocument,
  isDocumentKind,
  type LegalDocument,
  needsConsent,
  type Publication,
} from '#contract/legal.ts'
import type { Db } from '#server/db/client.ts'
import { rowsOf } from '#server/db/rows-of.ts'
import { legalConsents, legalVersions, users } from '#server/db/schema.ts'
import type { AnyoneCtx, Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { audit } from '../audit/audit.ts'
import { isStillSample, readSample } from './samples.ts'

function kindOf(name: string): DocumentKind {
  if (!isDocumentKind(name)) throw notFound('Такого документа нет')
  return name
}

/** What is published, with the version in force. */
export async function publishedDocuments(db: Db): Promise<{ kind: DocumentKind; version: number }[]> {
  const rows = await db
    .select({ kind: legalVersions.kind, version: sql<number>`max(${legalVersions.version})::int` })
    .from(legalVersions)
    .groupBy(legalVersions.kind)
  return documentKinds.flatMap((kind) => rows.filter((row) => row.kind === kind))
}

export async function readDocument({ db }: AnyoneCtx, name: string, version?: number): Promise<LegalDocument> {
  const kind = kindOf(name)
  const current = await currentVersion(db, kind)
  if (!current) throw notFound(`${documentTitles[kind]}: продавец ещё не опубликовал этот документ.`)
  const [row] = await db
    .select()
    .from(legalVersions)
    .where(isVersion(kind, version ?? current))
  if (!row) throw notFound(`${documentTitles[kind]}: версии ${version} нет.`)
  const { text, hash, publishedAt } = row
  const others = (await publishedDocuments(db)).map((other) => other.kind).filter((other) => other !== kind)
  const about = { kind, version: row.version, publishedAt: publishedAt.toISOString(), currentVersion: current }
  return { ...about, text, hash, others }
}

const isVersion = (kind: DocumentKind, version: number) =>
  and(eq(legalVersions.kind, kind), eq(legalVersions.version, version))

/** 0 before the first publication. */
async function currentVersion(db: Db, kind: DocumentKind): Promise<number> {
  const [row] = await db
    .select({ version: legalVersions.version })
    .from(legalVersions)
    .where(eq(legalVersions.kind, kind))
    .orderBy(desc(legalVersions.version))
    .limit(1)
  return row?.version ?? 0
}

const Published = z.object({
  kind: z.enum(documentKinds),
  version: z.int(),
  publishedAt: z.coerce.date(),
  agreed: z.coerce.number(),
})

export async function listDocuments({ db }: Ctx): Promise<DocumentSummary[]> {
  const rows = await rowsOf(
    db,
    sql`
      with documents as (
        select kind, max(version) as version, max(version) filter (where asks_consent) as asked_from
        from ${legalVersions} group by kind
      )
      select d.kind, d.version, v.published_at as "publishedAt", (
        select count(distinct c.user_id) from ${legalConsents} c
        where c.kind = d.kind and c.version >= d.asked_from and c.withdrawn_at is null and c.user_id is not null
      ) as agreed
      from documents d join ${legalVersions} v on v.kind = d.kind and v.version = d.version`,
    Published,
  )
  return documentKinds.map((kind) => {
    const row = rows.find((one) => one.kind === kind)
    return {
      kind,
      current: row ? { version: row.version, publishedAt: row.publishedAt.toISOString() } : null,
      agreed: needsConsent(kind) ? (row?.agreed ?? 0) : null,
    }
  })
}

export async function editDocument({ db }: Ctx, name: string): Promise<EditedDocument> {
  const kind = kindOf(name)
  const versions = await versionsOf(db, kind)
  const current = versions[0]?.version
  if (!current) return { kind, text: await readSample(kind), isSample: true, versions }
  const [row] = await db.select({ text: legalVersions.text }).from(legalVersions).where(isVersion(kind, current))
  return { kind, text: row?.text ?? '', isSample: false, versions }
}

async function versionsOf(db: Db, kind: DocumentKind): Promise<DocumentVersion[]> {
  const { version, hash, publishedAt, asksConsent, authorId } = legalVersions
  const isValid = and(isNull(legalConsents.withdrawnAt), eq(legalConsents.version, version))
  const agreed = needsConsent(kind)
    ? db.$count(legalConsents, and(eq(legalConsents.kind, kind), isValid))
    : sql<number>`0`
  const rows = await db
    .select({ version, hash, publishedAt, asksConsent, author: users.email, agreed })
    .from(legalVersions)
    .leftJoin(users, eq(users.id, authorId))
    .where(eq(legalVersions.kind, kind))
    .orderBy(desc(version))
  return rows.map((row) => ({ ...row, publishedAt: row.publishedAt.toISOString() }))
}

/** Adds a version. If two administrators publish at once, the second is rejected instead of overwriting the first. */
export async function publishDocument(ctx: Ctx, name: string, publication: Publication): Promise<EditedDocument> {
  const kind = kindOf(name)
  const { base, asksConsent } = publication
  const text = publication.text.replaceAll('\r\n', '\n').trim()
  if (isStillSample(text))
    throw new AppError(
      'bad_request',
      'В тексте остались слова образца: «Это образец», «указывается владельцем» или «владелец установки». Замените их своими.',
      { field: 'text' },
    )
  await ctx.db.transaction(async (tx) => {
    const before = await currentVersion(tx, kind)
    const row = {
      ...{ kind, text, version: base + 1, hash: hashOf(text), authorId: ctx.user.id },
      // The first version of a document is agreed to by no one yet.
      asksConsent: needsConsent(kind) && (base === 0 || asksConsent),
    }
    const [added] = before === base ? await tx.insert(legalVersions).values(row).onConflictDoNothing().returning() : []
    if (!added)
      throw new AppError(
        'conflict',
        'Пока вы писали, опубликована другая версия. Скопируйте свой текст, обновите страницу и сравните.',
      )
    await audit(
      { ...ctx, db: tx },
      {
        ...{ action: 'document.publish', kind: 'document', target: kind },
        after: { version: added.version, sha256: added.hash, asksConsent: added.asksConsent, length: text.length },
      },
    )
  })
  return editDocument(ctx, kind)
}

export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
