import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { prompts, users } from '#server/db/schema.ts'
import { noteRejection } from '#server/http/limit-rejections.ts'
import { AppError } from '#server/lib/errors.ts'

/** Throws unless so many more prompts fit. The trash has as much room again. */
export async function checkPromptLimit(tx: Db, userId: string, adding: number, most: number): Promise<void> {
  if (adding === 0) return
  // One after another for one person, so that parallel ones do not each find the same room.
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
  const own = eq(prompts.userId, userId)
  const isRoom =
    (await tx.$count(prompts, and(own, isNull(prompts.deletedAt)))) + adding <= most &&
    (await tx.$count(prompts, own)) + adding <= 2 * most
  if (isRoom) return
  noteRejection('stored-prompts')
  throw new AppError('conflict', `Своих промптов может быть не больше ${most}. Удалите те, что больше не нужны.`)
}
