import { and, asc, eq } from 'drizzle-orm'
import { models } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { balanceOf } from '../billing/ledger.ts'
import type { ModelRow } from '../models/models.ts'

/** The requested model, or the first visible one. */
export async function pickSpeechModel(ctx: Ctx, wanted: string | undefined): Promise<ModelRow> {
  const usable = await ctx.db
    .select()
    .from(models)
    .where(and(eq(models.hidden, false), eq(models.kind, 'transcription')))
    .orderBy(asc(models.position), asc(models.id))
  const model = wanted === undefined ? usable[0] : usable.find(({ id }) => id === wanted)
  if (model) return model
  throw wanted === undefined
    ? new AppError('unavailable', 'Расшифровка пока не подключена. Напишите в поддержку.')
    : notFound('Такой модели нет')
}

/** Rejects an empty balance before the upload instead of after it. */
export async function requireSymbols(ctx: Ctx): Promise<void> {
  const { availableTokens } = await balanceOf(ctx.db, ctx.user.id)
  if (availableTokens <= 0) throw new AppError('out_of_symbols', 'Закончились символы в подписке')
}
