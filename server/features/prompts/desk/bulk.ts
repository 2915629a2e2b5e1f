import { and, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { BulkAct, BulkResult } from '#contract/prompt-desk.ts'
import { prompts } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { isAdmin, isFixed, noSuchPrompt, onDesk, onlyAdminPublishes, publishedIsFixed } from '../access.ts'
import { auditPrompts } from '../prompt-acts.ts'
import { type PromptRow, promptColumns } from '../prompt-shape.ts'
import { rewrite } from '../versions.ts'

/** The same act on many prompts, all at once or none. What is as asked already is left alone. */
export async function actOnMany(ctx: Ctx, act: BulkAct): Promise<BulkResult> {
  if (act.act === 'publish' && !isAdmin(ctx)) throw onlyAdminPublishes()
  return ctx.db.transaction(async (tx) => {
    const rows = await tx
      .select(promptColumns)
      .from(prompts)
      .where(
        and(inArray(prompts.id, act.ids), onDesk(ctx), act.act === 'restore' ? isNotNull(prompts.deletedAt) : isOpen),
      )
      .for('update')
    if (rows.length === 0) throw noSuchPrompt()
    const changed = rows.filter(needs(act))
    if (act.act === 'categorise') {
      if (changed.some((row) => isFixed(ctx, row))) throw publishedIsFixed()
      await rewrite(
        tx,
        ctx.user.id,
        changed.map((row) => ({ ...wordsOf(row), category: act.category })),
      )
    } else if (changed.length > 0) {
      const ids = changed.map(({ id }) => id)
      await tx.update(prompts).set(settings[act.act]()).where(inArray(prompts.id, ids))
    }
    await auditPrompts(ctx, `prompt.${act.act}`, changed, act.act === 'categorise' ? act.category : undefined)
    return { changed: changed.map(({ id, category }) => ({ id, category })) }
  })
}

const isOpen = isNull(prompts.deletedAt)

const settings = {
  publish: () => ({ published: true }),
  unpublish: () => ({ published: false }),
  delete: () => ({ deletedAt: new Date() }),
  restore: () => ({ deletedAt: null }),
}

const needs = (act: BulkAct) => (row: PromptRow) => {
  if (act.act === 'publish') return !row.published
  if (act.act === 'unpublish') return row.published
  return act.act !== 'categorise' || row.category !== act.category
}

const wordsOf = ({ id, title, description, content, category }: PromptRow) => ({
  id,
  title,
  description,
  content,
  category,
})
