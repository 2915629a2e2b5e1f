import { and, eq, sql } from 'drizzle-orm'
import type { Prompt } from '#contract/prompts.ts'
import { promptFavourites, prompts, promptUses } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { readablePrompt } from './to-prompt.ts'

/** What readers leave on a prompt: a star, a use. */

export async function markFavourite(ctx: Ctx, id: string, favourite: boolean): Promise<Prompt> {
  const prompt = await readablePrompt(ctx, id)
  const { db, user } = ctx
  if (favourite) await db.insert(promptFavourites).values({ userId: user.id, promptId: id }).onConflictDoNothing()
  else
    await db
      .delete(promptFavourites)
      .where(and(eq(promptFavourites.userId, user.id), eq(promptFavourites.promptId, id)))
  return { ...prompt, favourite }
}

/** `useId` is the caller's: the same use told twice is one. */
export async function countUse(ctx: Ctx, id: string, useId: string): Promise<Prompt> {
  await readablePrompt(ctx, id)
  await ctx.db.transaction(async (tx) => {
    const counted = await tx
      .insert(promptUses)
      .values({ userId: ctx.user.id, id: useId, promptId: id })
      .onConflictDoNothing()
      .returning({ id: promptUses.id })
    if (counted.length > 0) {
      await tx
        .update(prompts)
        .set({ uses: sql`${prompts.uses} + 1` })
        .where(eq(prompts.id, id))
    }
  })
  return readablePrompt(ctx, id)
}
