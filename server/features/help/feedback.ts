import { and, eq } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { helpFeedback } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'

interface Feedback {
  slug: string
  useful: boolean
}

/** One answer for a reader and a page; another one replaces it. */
export async function keepFeedback({ db, user }: Ctx, { slug, useful }: Feedback): Promise<Feedback> {
  await db
    .insert(helpFeedback)
    .values({ userId: user.id, slug, useful })
    .onConflictDoUpdate({ target: [helpFeedback.userId, helpFeedback.slug], set: { useful, at: new Date() } })
  return { slug, useful }
}

export async function feedbackOf(db: Db, userId: string, slug: string): Promise<boolean | null> {
  const [given] = await db
    .select({ useful: helpFeedback.useful })
    .from(helpFeedback)
    .where(and(eq(helpFeedback.userId, userId), eq(helpFeedback.slug, slug)))
  return given?.useful ?? null
}
