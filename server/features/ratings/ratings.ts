import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { ModelRatings, Rating } from '#contract/ratings.ts'
import type { Db } from '#server/db/client.ts'
import { messages, ratings, statDays } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { ratingFigures } from '../statistics/models.ts'
import { sumOpenDays, uncount } from '../statistics/sums.ts'
import { noSuchMessage } from '../threads/message-rows.ts'

/** A person has one rating for each of the own answers; another one replaces it. */
export async function rateAnswer(ctx: Ctx, threadId: string, messageId: string, rating: Rating) {
  const userId = ctx.user.id
  const [answer] = await ctx.db
    .select({ role: messages.role, status: messages.status, modelId: messages.modelId })
    .from(messages)
    .where(and(eq(messages.id, messageId), eq(messages.threadId, threadId), eq(messages.userId, userId)))
  if (!answer) throw noSuchMessage()
  if (answer.role !== 'assistant' || answer.modelId === null || answer.status === 'failed') {
    throw new AppError('bad_request', 'Оценить можно только ответ. Выберите ответ модели.')
  }
  if (answer.status === 'streaming') {
    throw new AppError('conflict', 'Ответ ещё пишется. Дождитесь конца или остановите его.')
  }
  const { verdict } = rating
  const given = verdict === 'bad' ? { reason: rating.reason, comment: rating.comment } : { reason: null, comment: '' }
  const { modelId } = answer
  await ctx.db.transaction(async (tx) => {
    await deleteRating(tx, messageId, userId)
    await tx
      .insert(ratings)
      .values({ messageId, userId, modelId, verdict, ...given })
      .onConflictDoUpdate({ target: [ratings.messageId, ratings.userId], set: { modelId, verdict, ...given } })
  })
  return { rating }
}

export async function takeRatingBack({ db, user }: Ctx, threadId: string, messageId: string) {
  const [answer] = await db
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.id, messageId), eq(messages.threadId, threadId), eq(messages.userId, user.id)))
  if (!answer) throw noSuchMessage()
  await db.transaction((tx) => deleteRating(tx, messageId, user.id))
  return { rating: null }
}

/** Its count goes too, which it does not when the chat or the account is deleted. */
async function deleteRating(tx: Db, messageId: string, userId: string): Promise<void> {
  const [rating] = await tx
    .delete(ratings)
    .where(and(eq(ratings.messageId, messageId), eq(ratings.userId, userId)))
    .returning({ at: ratings.createdAt, key: ratings.modelId, detail: sql<string>`stat_rating(${ratings})` })
  if (rating) await uncount(tx, { metric: 'ratings', ...rating })
}

const COMMENTS = 50

/** Counts stay when chats are deleted; comments do not. */
export async function ratingsOfModel({ db }: Pick<Ctx, 'db'>, modelId: string): Promise<ModelRatings> {
  await sumOpenDays(db)
  const counted = await db
    .select({ detail: statDays.detail, now: sql<number>`sum(${statDays.value})::int` })
    .from(statDays)
    .where(and(eq(statDays.metric, 'ratings'), eq(statDays.key, modelId)))
    .groupBy(statDays.detail)
  const comments = await db
    .select({ reason: ratings.reason, comment: ratings.comment, createdAt: ratings.createdAt })
    .from(ratings)
    .where(and(eq(ratings.modelId, modelId), ne(ratings.comment, '')))
    .orderBy(desc(ratings.createdAt))
    .limit(COMMENTS)
  return {
    ...ratingFigures(counted),
    comments: comments.map(({ reason, comment, createdAt }) => ({
      reason: reason ?? 'other',
      comment,
      createdAt: createdAt.toISOString(),
    })),
  }
}
