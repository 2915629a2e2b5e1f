import { createHash } from 'node:crypto'
import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import {
  MAX_PROMPT_CATEGORY,
  MAX_PROMPT_CONTENT,
  MAX_PROMPT_DESCRIPTION,
  MAX_PROMPT_TITLE,
  OTHER_CATEGORY,
  promptFields,
} from '#contract/prompts.ts'
import {
  type BadRow,
  type ChangedField,
  changedFields,
  type ImportFile,
  type ImportItem,
  type ImportPreview,
} from '#contract/prompts-admin.ts'
import type { Db } from '#server/db/client.ts'
import { prompts } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { audit } from '../../audit/audit.ts'
import { isAdmin, ownOrAnyIfAdmin, type PromptRow, promptColumns } from '../access.ts'
import { checkPromptLimit } from '../prompts.ts'
import { changedTexts, writeTexts } from '../versions.ts'
import type { RawFile } from './import-file.ts'

/** Loaded with the first import. */
const readImport = async (file: ImportFile) => (await import('./import-file.ts')).readFile(file)

export async function previewImport(ctx: Ctx, file: ImportFile): Promise<ImportPreview> {
  const raw = await readImport(file)
  return previewOf(planImport(raw, await findCompared(ctx, ctx.db, raw), isAdmin(ctx)))
}

/** Writes all valid rows in one transaction. The hash proves that the plan is the one of the preview. */
export async function applyImport(
  ctx: Ctx,
  most: number,
  { hash, ...file }: ImportFile & { hash: string },
): Promise<ImportPreview> {
  const raw = await readImport(file)
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

/** Missing fields stay as they are; a new prompt gets the defaults. */
const ImportRow = z.object({
  id: z.optional(z.string().check(z.maxLength(64))),
  title: promptFields.title,
  content: promptFields.content,
  description: z.optional(promptFields.description),
  category: z.optional(promptFields.category),
  published: z.optional(promptFields.published),
  position: z.optional(z.int().check(z.minimum(0), z.maximum(1_000_000))),
})
type ImportRow = z.infer<typeof ImportRow>

const missing: Record<string, string> = { title: 'Нет названия.', content: 'Нет текста.' }
const wrong: Record<string, string> = {
  id: 'Номер: нужна строка до 64 знаков.',
  title: `Название длиннее ${MAX_PROMPT_TITLE} знаков.`,
  content: `Текст длиннее ${MAX_PROMPT_CONTENT.toLocaleString('ru-RU')} знаков.`,
  description: `Описание: нужен текст до ${MAX_PROMPT_DESCRIPTION} знаков.`,
  category: `Категория: нужен текст до ${MAX_PROMPT_CATEGORY} знаков.`,
  published: 'Опубликован: нужно «да» или «нет» (в JSON true или false).',
  position: 'Порядок: нужно целое число от 0.',
}

function readRow(values: Record<string, unknown>): ImportRow | { reason: string } {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
  const row = ImportRow.safeParse(given)
  if (row.success) return row.data
  const field = String(row.error.issues[0]?.path[0] ?? '')
  const value = given[field]
  const isEmpty = value === undefined || (typeof value === 'string' && value.trim() === '')
  return { reason: (isEmpty ? missing[field] : undefined) ?? wrong[field] ?? 'Строка не подходит.' }
}

/** A valid row with the action it causes; `base` is the prompt it changes. */
interface PlannedRow {
  item: ImportItem
  row: ImportRow
  base: PromptRow | null
}

interface Plan {
  rows: PlannedRow[]
  bad: BadRow[]
}

/** Pure: reads and writes nothing. */
function planImport(file: RawFile, existing: readonly PromptRow[], canPublish: boolean): Plan {
  const find = createFinder(existing)
  const seen = new Map<string, number>()
  const plan: Plan = { rows: [], bad: [...file.bad] }
  for (const { line, values } of file.rows) {
    const row = readRow(values)
    const title = typeof values.title === 'string' ? values.title.trim().slice(0, 200) : ''
    const planned = 'reason' in row ? row : planRow(line, row, find(row), canPublish)
    const reason = 'reason' in planned ? planned.reason : repeatedRowError(planned, seen)
    if (reason) plan.bad.push({ line, title, reason })
    else if (!('reason' in planned)) plan.rows.push(planned)
  }
  plan.bad.sort((a, b) => a.line - b.line)
  return plan
}

function planRow(line: number, row: ImportRow, base: PromptRow | null, canPublish: boolean) {
  const fields = base ? changedFields.filter((field) => row[field] !== undefined && row[field] !== base[field]) : []
  const reason = rejection(row, base, fields, canPublish)
  if (reason) return { reason }
  const action = base ? (fields.length > 0 ? 'change' : 'same') : 'add'
  const category = row.category ?? base?.category ?? OTHER_CATEGORY
  return { item: { line, action, title: row.title, category, fields }, row, base } satisfies PlannedRow
}

/** The rules of `changePrompt`, for one row. */
function rejection(row: ImportRow, base: PromptRow | null, fields: ChangedField[], canPublish: boolean): string | null {
  if (canPublish) return null
  if (row.published && !base?.published) return 'Публиковать может только администратор: поставьте «нет».'
  if (base?.published && row.published !== false && fields.length > 0) {
    return 'Промпт опубликован, его меняет администратор.'
  }
  return null
}

function repeatedRowError({ item, row, base }: PlannedRow, seen: Map<string, number>): string | null {
  const key = base?.id ?? nameKey(row.title, item.category)
  const first = seen.get(key)
  if (first === undefined) seen.set(key, item.line)
  return first === undefined ? null : `Повторяет строку ${first}: тот же промпт.`
}

/** Finds a prompt by id, else by title and category. */
function createFinder(existing: readonly PromptRow[]) {
  const byId = new Map(existing.map((prompt) => [prompt.id, prompt]))
  const byName = new Map(existing.map((prompt) => [nameKey(prompt.title, prompt.category), prompt]))
  return ({ id, title, category }: ImportRow): PromptRow | null =>
    (id === undefined ? undefined : byId.get(id)) ?? byName.get(nameKey(title, category ?? OTHER_CATEGORY)) ?? null
}

const nameKey = (title: string, category: string) => `${category.toLowerCase()}\n${title.toLowerCase()}`

function previewOf(plan: Plan): ImportPreview {
  const { rows, bad } = plan
  return { hash: hashPlan(plan), items: rows.map(({ item }) => item), bad }
}

/** Changes when the file or one of the compared prompts changes. */
function hashPlan({ rows, bad }: Plan): string {
  const parts = rows.map(({ item, row, base }) => [
    item,
    row,
    base && [base.id, base.version, base.published, base.position],
  ])
  return createHash('sha256')
    .update(JSON.stringify([parts, bad]))
    .digest('hex')
}
