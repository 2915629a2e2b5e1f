import { and, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { BulkAction, BulkResult } from '#contract/prompts-admin.ts'
import { prompts } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { isAdmin, isFixed, noSuchPrompt, onlyAdminPublishes, ownOrAnyIfAdmin, publishedIsFixed } from '../access.ts'
import { auditPrompts } from '../prompt-audit.ts'
import { type PromptRow, promptColumns } from '../to-prompt.ts'
import { writeTexts } from '../versions.ts'

/** Applies one action to many prompts in one transaction. Prompts that already have the state are skipped. */
export async function applyToMany(ctx: Ctx, action: BulkAction): Promise<BulkResult> {
  if (action.action === 'publish' && !isAdmin(ctx)) throw onlyAdminPublishes()
  return ctx.db.transaction(async (tx) => {
    const rows = await tx
      .select(promptColumns)
      .from(prompts)
      .where(
        and(
          inArray(prompts.id, action.ids),
          ownOrAnyIfAdmin(ctx),
          action.action === 'restore' ? isNotNull(prompts.deletedAt) : isOpen,
        ),
      )
      .for('update')
    if (rows.length === 0) throw noSuchPrompt()
    const changed = rows.filter(needs(action))
    if (action.action === 'categorise') {
      if (changed.some((row) => isFixed(ctx, row))) throw publishedIsFixed()
      await writeTexts(
        tx,
        ctx.user.id,
        changed.map((row) => ({ ...textsOf(row), category: action.category })),
      )
    } else if (changed.length > 0) {
      const ids = changed.map(({ id }) => id)
      await tx.update(prompts).set(settings[action.action]()).where(inArray(prompts.id, ids))
    }
    await auditPrompts(
      ctx,
      `prompt.${action.action}`,
      changed,
      action.action === 'categorise' ? action.category : undefined,
    )
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

const needs = (action: BulkAction) => (row: PromptRow) => {
  if (action.action === 'publish') return !row.published
  if (action.action === 'unpublish') return row.published
  return action.action !== 'categorise' || row.category !== action.category
}

const textsOf = ({ id, title, description, content, category }: PromptRow) => ({
  id,
  title,
  description,
  content,
  category,
})
