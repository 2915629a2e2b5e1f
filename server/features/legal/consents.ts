import { and, asc, desc, eq, gt, isNull, or } from 'drizzle-orm'
import * as z from 'zod/mini'
import {
  type ConsentKind,
  consentKinds,
  documentTitles,
  type NeededConsent,
  type OwnConsent,
  type OwnConsents,
} from '#contract/legal.ts'
import type { Db } from '#server/db/client.ts'
import { selectNeededConsents } from '#server/db/needed-consents.ts'
import { rowsOf } from '#server/db/rows-of.ts'
import { legalConsents, legalVersions, users } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { CSV_PAGE, type CsvColumns, csvResponse } from '#server/lib/csv.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { audit } from '../audit/audit.ts'
import { dayOf, timeCell } from '../billing/days.ts'
import { renewalConsents } from './renewal-consents.ts'

const Needed = z.object({ kind: z.enum(consentKinds), version: z.int(), agreedBefore: z.boolean() })

export async function neededConsents(db: Db, userId: string): Promise<NeededConsent[]> {
  const rows = await rowsOf(db, selectNeededConsents(userId), Needed)
  return consentKinds.flatMap((kind) => rows.filter((row) => row.kind === kind))
}

export async function assertConsents(db: Db, userId: string): Promise<void> {
  const needed = await neededConsents(db, userId)
  if (needed.length === 0) return
  const names = needed.map(({ kind }) => `«${documentTitles[kind]}»`).join(' и ')
  throw new AppError(
    'consent_required',
    `Чтобы продолжить, отметьте согласие с документами продавца: ${names}. Обновите страницу, если вопрос не появился.`,
  )
}

/** Headers of browsers are shorter; a longer one is not worth keeping. */
const USER_AGENT = 200

/** A consent that is there already stays as it is. */
export async function giveConsents(
  ctx: Ctx,
  documents: { kind: ConsentKind; version: number }[],
): Promise<NeededConsent[]> {
  await ctx.db.transaction(async (tx) => {
    for (const { kind, version } of documents) {
      const [latest] = await tx
        .select({ version: legalVersions.version, hash: legalVersions.hash })
        .from(legalVersions)
        .where(eq(legalVersions.kind, kind))
        .orderBy(desc(legalVersions.version))
        .limit(1)
      if (latest?.version !== version)
        throw new AppError(
          'conflict',
          `${documentTitles[kind]}: текст изменился. Откройте новую версию и отметьте согласие ещё раз.`,
        )
      const userAgent = (ctx.request?.userAgent ?? '').slice(0, USER_AGENT)
      const consent = { id: newId(), userId: ctx.user.id, kind, version, hash: latest.hash, ip: ctx.ip, userAgent }
      await tx.insert(legalConsents).values(consent).onConflictDoNothing()
    }
  })
  return neededConsents(ctx.db, ctx.user.id)
}

/** Withdraws every consent to the document, to whichever version; the rows stay. */
export async function withdrawConsent(ctx: Ctx, kind: ConsentKind): Promise<OwnConsents> {
  const { db, user } = ctx
  const own = and(eq(legalConsents.userId, user.id), eq(legalConsents.kind, kind), isNull(legalConsents.withdrawnAt))
  await db.update(legalConsents).set({ withdrawnAt: new Date() }).where(own)
  return ownConsents(ctx)
}

const SHOWN = 200

export async function ownConsents({ db, user }: Ctx): Promise<OwnConsents> {
  return {
    documents: await documentConsentsOf(db, user.id, SHOWN),
    renewals: await renewalConsents(db, user.id, SHOWN),
  }
}

async function documentConsentsOf(db: Db, userId: string, limit: number): Promise<OwnConsent[]> {
  const rows = await db
    .select()
    .from(legalConsents)
    .where(eq(legalConsents.userId, userId))
    .orderBy(desc(legalConsents.createdAt), desc(legalConsents.id))
    .limit(limit)
  return rows.map(({ id, kind, version, hash, createdAt, withdrawnAt }) => {
    return { id, kind, version, hash, at: createdAt.toISOString(), withdrawnAt: withdrawnAt?.toISOString() ?? null }
  })
}

export function storedConsentsOf(db: Db, userId: string) {
  const { kind, version, hash, ip, userAgent, createdAt, withdrawnAt } = legalConsents
  return db
    .select({ kind, version, hash, ip, userAgent, createdAt, withdrawnAt })
    .from(legalConsents)
    .where(eq(legalConsents.userId, userId))
    .orderBy(asc(createdAt))
}

type ConsentRow = typeof legalConsents.$inferSelect & { email: string | null; publishedAt: Date }

const columns: CsvColumns<ConsentRow> = {
  Пользователь: (row) => row.userId ?? 'аккаунт удалён',
  Почта: (row) => row.email,
  Документ: (row) => documentTitles[row.kind],
  Версия: (row) => row.version,
  'Версия опубликована (UTC+3)': (row) => timeCell(row.publishedAt),
  'SHA-256 текста': (row) => row.hash,
  'Согласие дано (UTC+3)': (row) => timeCell(row.createdAt),
  'Согласие отозвано (UTC+3)': (row) => timeCell(row.withdrawnAt),
  'Адрес в сети': (row) => row.ip,
  Браузер: (row) => row.userAgent,
}

export async function consentsCsv(ctx: Ctx): Promise<Response> {
  await audit(ctx, { action: 'document.download', kind: 'document', target: null })
  const { createdAt, id, kind, version } = legalConsents
  return csvResponse<ConsentRow>(`consents-${dayOf(new Date())}`, columns, async (last) => {
    const isLater = last && or(gt(createdAt, last.createdAt), and(eq(createdAt, last.createdAt), gt(id, last.id)))
    const rows = await ctx.db
      .select({ consent: legalConsents, email: users.email, publishedAt: legalVersions.publishedAt })
      .from(legalConsents)
      .innerJoin(legalVersions, and(eq(legalVersions.kind, kind), eq(legalVersions.version, version)))
      .leftJoin(users, eq(users.id, legalConsents.userId))
      .where(isLater)
      .orderBy(asc(createdAt), asc(id))
      .limit(CSV_PAGE)
    return rows.map(({ consent, ...rest }) => ({ ...consent, ...rest }))
  })
}
