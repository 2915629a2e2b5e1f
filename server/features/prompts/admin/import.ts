import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { OTHER_CATEGORY } from '#contract/prompts.ts'
import type { ImportFile, ImportPreview } from '#contract/prompts-admin.ts'
import type { Db } from '#server/db/client.ts'
import { prompts } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { audit } from '../../audit/audit.ts'
import { isAdmin, ownOrAnyIfAdmin } from '../access.ts'
import { checkPromptLimit } from '../prompts.ts'
import { type PromptRow, promptColumns } from '../to-prompt.ts'
import { changedTexts, writeTexts } from '../versions.ts'
import { type RawFile, readFile } from './import-file.ts'
import { type PlannedRow, planImport, previewOf } from './import-plan.ts'

export async function previewImport(ctx: Ctx, file: ImportFile): Promise<ImportPreview> {
  const raw = readFile(file)
  return previewOf(planImport(raw, await findCompared(ctx, ctx.db, raw), isAdmin(ctx)))
}

/** Writes all valid rows in one transaction. The hash proves that the plan is the one of the preview. */
export async function applyImport(
  ctx: Ctx,
  most: number,
  { hash, ...file }: ImportFile & { hash: string },
): Promise<ImportPreview> {
  const raw = readFile(file)
  return ctx.db.transaction(async (tx) => {
    const plan = planImport(raw, await findCompared(ctx, tx, raw, true), isAdmin(ctx))
    const preview = previewOf(plan)
    if (preview.hash !== hash) {
      throw new AppError('conflict', 'Пока вы смотрели, промпты или файл изменились. Проверьте изменения ещё раз.')
    }
    const added = plan.rows.filter(({ item }) => item.action === 'add').length
    // Prompts of an admin belong to the library and are not counted.
    if (!isAdmin(ctx)) await checkPromptLimit(tx, ctx.user.id, added, most)
    await addRows(ctx, tx, plan.rows)
    await changeRows(ctx, tx, plan.rows)
    if (isAdmin(ctx))
      await audit(ctx, { action: 'prompt.import', kind: 'prompt', target: null, after: countedActions(preview) })
    return preview
  })
}

function countedActions({ items, bad }: ImportPreview) {
  const titles = (action: string) => items.filter((item) => item.action === action).map(({ title }) => title)
  return { added: titles('add'), changed: titles('change'), refusedRows: bad.length }
}

/** Prompts that rows of the file may refer to by id or title. Titles of an admin are looked up in the library. */
async function findCompared(ctx: Ctx, db: Db, { rows }: RawFile, lock = false): Promise<PromptRow[]> {
  const texts = (name: string) => rows.flatMap(({ values }) => (typeof values[name] === 'string' ? [values[name]] : []))
  const titles = texts('title').map((title) => title.replace(/\s+/g, ' ').trim().toLowerCase())
  const library = isAdmin(ctx)
    ? or(isNull(prompts.userId), prompts.published, eq(prompts.userId, ctx.user.id))
    : undefined
  const named = or(
    sql`${prompts.id} in (select jsonb_array_elements_text(${JSON.stringify(texts('id'))}::text::jsonb))`,
    and(
      library,
      sql`lower(${prompts.title}) in (select jsonb_array_elements_text(${JSON.stringify(titles)}::text::jsonb))`,
    ),
  )
  const found = db
    .select(promptColumns)
    .from(prompts)
    .where(and(ownOrAnyIfAdmin(ctx), isNull(prompts.deletedAt), named))
    .orderBy(prompts.id)
  return lock ? found.for('update') : found
}

/** Prompts of an admin get no owner. The first row of the file becomes the newest. */
async function addRows(ctx: Ctx, tx: Db, rows: PlannedRow[]): Promise<void> {
  const now = Date.now()
  const added = rows.filter(({ item }) => item.action === 'add')
  const values = added.map(({ row: { id: _, ...row } }, i) => ({
    ...row,
    category: row.category ?? OTHER_CATEGORY,
    id: newId(now - i),
    userId: isAdmin(ctx) ? null : ctx.user.id,
    changedBy: ctx.user.id,
  }))
  if (values.length > 0) await tx.insert(prompts).values(values)
}

async function changeRows(ctx: Ctx, tx: Db, rows: PlannedRow[]): Promise<void> {
  const changed = rows.flatMap(({ item, row, base }) => (base && item.action === 'change' ? [{ row, base }] : []))
  const texts = changed.flatMap(({ row, base }) => {
    const next = changedTexts(base, row)
    return next ? [{ id: base.id, ...next }] : []
  })
  await writeTexts(tx, ctx.user.id, texts)
  const settings = changed.map(({ row, base }) => ({
    id: base.id,
    published: row.published ?? base.published,
    position: row.position ?? null,
  }))
  if (settings.length === 0) return
  await tx.execute(sql`
    update ${prompts} set published = next.published, position = coalesce(next.position, prompts.position)
    from jsonb_to_recordset(${JSON.stringify(settings)}::text::jsonb) as next(id text, published boolean, position int)
    where prompts.id = next.id and ${inArray(
      prompts.id,
      settings.map(({ id }) => id),
    )}`)
}
