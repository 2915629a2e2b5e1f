import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { type Prompt, type PromptVersion, STORED_VERSIONS } from '#contract/prompts.ts'
import type { Db } from '#server/db/client.ts'
import { prompts, promptVersions, users } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'
import {
  auditPrompt,
  isAdmin,
  isFixed,
  isManageable,
  lockPrompt,
  noSuchPrompt,
  publishedIsFixedError,
  readChangedPrompt,
} from './access.ts'

/** The fields of a prompt that have versions. */
export interface PromptTexts {
  title: string
  description: string
  content: string
  category: string
}

const textNames = ['title', 'description', 'content', 'category'] as const

/** The texts after the change, or null if they stay the same. */
export function changedTexts(
  now: PromptTexts,
  change: { [Name in keyof PromptTexts]?: PromptTexts[Name] | undefined },
): PromptTexts | null {
  const next = { ...now }
  for (const name of textNames) next[name] = change[name] ?? now[name]
  if (textNames.every((name) => next[name] === now[name])) return null
  const { title, description, content, category } = next
  return { title, description, content, category }
}

/** Updates prompts and stores the old texts as versions. In a new category a prompt comes first. */
export async function writeTexts(
  tx: Db,
  userId: string | null,
  changes: ({ id: string } & PromptTexts)[],
): Promise<void> {
  const ids = changes.map(({ id }) => id)
  if (ids.length === 0) return
  await saveVersions(tx, ids)
  await tx.execute(sql`
    update ${prompts} set
      title = next.title, description = next.description, content = next.content, category = next.category,
      position = case when prompts.category = next.category then prompts.position else 0 end,
      version = prompts.version + 1, changed_by = ${userId}, changed_at = ${new Date().toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(changes)}::text::jsonb)
      as next(id text, title text, description text, content text, category text)
    where prompts.id = next.id`)
}

async function saveVersions(tx: Db, ids: string[]): Promise<void> {
  const { title, description, content, category, changedBy, changedAt } = prompts
  await tx.insert(promptVersions).select(
    tx
      .select({
        promptId: prompts.id,
        version: prompts.version,
        title,
        description,
        content,
        category,
        changedBy,
        changedAt,
      })
      .from(prompts)
      .where(inArray(prompts.id, ids)),
  )
  await tx.execute(sql`
    delete from ${promptVersions} using ${prompts}
    where prompt_versions.prompt_id = prompts.id and ${inArray(prompts.id, ids)}
      and prompt_versions.version <= prompts.version - ${STORED_VERSIONS}`)
}

/** The current state first. */
export async function listVersions(ctx: Ctx, id: string): Promise<PromptVersion[]> {
  const [current] = await ctx.db
    .select({ ...columnsOf(prompts), writer })
    .from(prompts)
    .leftJoin(users, eq(users.id, prompts.changedBy))
    .where(isManageable(ctx, id))
  if (!current) throw noSuchPrompt()
  const former = await ctx.db
    .select({ ...columnsOf(promptVersions), writer })
    .from(promptVersions)
    .leftJoin(users, eq(users.id, promptVersions.changedBy))
    .where(eq(promptVersions.promptId, id))
    .orderBy(desc(promptVersions.version))
  return [current, ...former].map(({ at, writer: by, ...version }) => ({
    ...version,
    by: by && { name: nameFor(ctx, by), me: by.id === ctx.user.id },
    at: at.toISOString(),
  }))
}

const writer = { id: users.id, name: users.name, email: users.email }

/** Only admins see email addresses. Another author of a user's prompt can only be an admin. */
function nameFor(ctx: Ctx, { name, email }: { name: string; email: string }): string {
  return name || (isAdmin(ctx) ? email : 'Администратор')
}

function columnsOf(table: typeof prompts | typeof promptVersions) {
  const { version, title, description, content, category, changedAt: at } = table
  return { version, title, description, content, category, at }
}

/** Writes an old version as a new one. */
export async function restoreVersion(ctx: Ctx, id: string, version: string): Promise<Prompt> {
  await ctx.db.transaction(async (tx) => {
    const row = await lockPrompt(tx, isManageable(ctx, id))
    if (row.deletedAt) throw noSuchPrompt()
    const [former] = await tx
      .select(columnsOf(promptVersions))
      .from(promptVersions)
      .where(and(eq(promptVersions.promptId, id), eq(promptVersions.version, numberOf(version))))
    if (!former) throw notFound('Такой версии нет')
    if (isFixed(ctx, row)) throw publishedIsFixedError()
    const texts = changedTexts(row, former)
    if (texts) await writeTexts(tx, ctx.user.id, [{ id, ...texts }])
    await auditPrompt(ctx, 'prompt.revert', row, await lockPrompt(tx, eq(prompts.id, id)))
  })
  return readChangedPrompt(ctx, id)
}

const numberOf = (version: string) => (/^\d{1,9}$/.test(version) ? Number(version) : 0)
