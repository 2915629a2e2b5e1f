import { randomBytes } from 'node:crypto'
import { and, isNull, sql } from 'drizzle-orm'
import type { Prompt } from '#contract/prompts.ts'
import { prompts } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { manageable, noSuchPrompt } from './access.ts'
import { auditPrompt } from './prompt-actions.ts'
import { shownPrompt } from './to-prompt.ts'

/** Opens the prompt to everybody signed in who has the link. Asked twice, it is the same link. */
export async function sharePrompt(ctx: Ctx, id: string): Promise<Prompt> {
  const shareId = randomBytes(18).toString('base64url')
  await setShare(ctx, id, { shareId: sql`coalesce(${prompts.shareId}, ${shareId})` })
  return shownPrompt(ctx, id)
}

/** The next link will be another one: who had the old one is a stranger again. */
export async function unsharePrompt(ctx: Ctx, id: string): Promise<Prompt> {
  await setShare(ctx, id, { shareId: null })
  return shownPrompt(ctx, id)
}

async function setShare(ctx: Ctx, id: string, change: { shareId: ReturnType<typeof sql> | null }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(prompts)
      .set(change)
      .where(and(manageable(ctx, id), isNull(prompts.deletedAt)))
      .returning()
    if (!row) throw noSuchPrompt()
    await auditPrompt(ctx, change.shareId ? 'prompt.share' : 'prompt.unshare', row, row)
  })
}
