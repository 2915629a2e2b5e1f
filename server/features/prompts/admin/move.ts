import { and, asc, desc, eq, isNull, not, sql } from 'drizzle-orm'
import type { Prompt } from '#contract/prompts.ts'
import { prompts } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { isAdmin, isFixed, manageable, noSuchPrompt, ownOrAnyIfAdmin, publishedIsFixed } from '../access.ts'
import { auditPrompt } from '../prompt-audit.ts'
import { lockPrompt, shownPrompt } from '../to-prompt.ts'

interface Target {
  anchorId: string
  place: 'before' | 'after'
}

/** Moves a prompt before or after another of its category. Only an admin moves published prompts. */
export async function movePrompt(ctx: Ctx, id: string, { anchorId, place }: Target): Promise<Prompt> {
  await ctx.db.transaction(async (tx) => {
    const row = await lockPrompt(tx, manageable(ctx, id))
    if (row.deletedAt) throw noSuchPrompt()
    if (isFixed(ctx, row)) throw publishedIsFixed()
    const neighbours = await tx
      .select({ id: prompts.id })
      .from(prompts)
      .where(
        and(
          ownOrAnyIfAdmin(ctx),
          isNull(prompts.deletedAt),
          eq(prompts.category, row.category),
          isAdmin(ctx) ? undefined : not(prompts.published),
        ),
      )
      .orderBy(asc(prompts.position), desc(prompts.id))
      .for('update')
    const ids = neighbours.map((neighbour) => neighbour.id)
    if (id === anchorId || !ids.includes(anchorId)) {
      throw new AppError('bad_request', 'Рядом с этим промптом поставить нельзя: нужен другой той же категории.', {
        field: 'anchorId',
      })
    }
    await tx.execute(sql`
      update ${prompts} set position = placed.place
      from jsonb_array_elements_text(${JSON.stringify(reordered(ids, id, anchorId, place))}::text::jsonb)
        with ordinality as placed(id, place)
      where prompts.id = placed.id`)
    await auditPrompt(ctx, 'prompt.move', row, row)
  })
  return shownPrompt(ctx, id)
}

function reordered(ids: string[], id: string, anchorId: string, place: Target['place']): string[] {
  const others = ids.filter((other) => other !== id)
  const at = others.indexOf(anchorId) + (place === 'after' ? 1 : 0)
  return others.toSpliced(at, 0, id)
}
