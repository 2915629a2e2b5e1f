import { and, eq, isNull, sql } from 'drizzle-orm'
import { HISTORY_WHEN_OFF } from '#contract/billing.ts'
import { assistants, models, settings, threads } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import type { ModelRow } from '../models/models.ts'

/** What an answer depends on, read in one journey. */
export interface AnswerContext {
  threadId: string
  leafId: string | null
  /** Null without one, and when it was deleted: then the thread goes on as a plain one. */
  assistant: { id: string; instructions: string } | null
  /** How many earlier messages are sent along. */
  historyLimit: number
  model: ModelRow
  /** The newest answer to a question that was stored before, if it is asked for by its id. */
  answerId: string | null
}

export async function loadAnswerContext(
  ctx: Ctx,
  threadId: string,
  modelId: string | undefined,
  questionId: string | null = null,
): Promise<AnswerContext> {
  const [row] = await ctx.db
    .select({
      leafId: threads.currentLeafId,
      assistant: { id: assistants.id, instructions: assistants.instructions },
      threadHistory: settings.threadHistory,
      threadHistoryLimit: settings.threadHistoryLimit,
      model: models,
      answerId: answerTo(questionId),
    })
    .from(threads)
    .innerJoin(settings, eq(settings.userId, threads.userId))
    .leftJoin(assistants, and(eq(assistants.id, threads.assistantId), eq(assistants.userId, threads.userId)))
    .leftJoin(
      models,
      and(
        eq(models.id, modelId === undefined ? sql`coalesce(${threads.modelId}, ${settings.threadModel})` : modelId),
        eq(models.hidden, false),
      ),
    )
    .where(and(eq(threads.id, threadId), eq(threads.userId, ctx.user.id), isNull(threads.deletedAt)))
  if (!row) throw notFound('У вас нет беседы с таким ID')
  if (row.answerId !== null) return { ...row, threadId, historyLimit: 0, model: row.model as ModelRow }
  const model = usable(row.model, modelId)
  return {
    threadId,
    leafId: row.leafId,
    assistant: row.assistant,
    historyLimit: historyFor(model, row),
    model,
    answerId: null,
  }
}

/** A message that is sent again finds the answer it has. */
const answerTo = (questionId: string | null) =>
  questionId === null
    ? sql<string | null>`null`
    : sql<string | null>`(
        select answer.id from messages answer
        where answer.parent_id = ${questionId} and answer.role = 'assistant' and answer.thread_id = threads.id
          and answer.user_id = threads.user_id
        order by answer.created_at desc, answer.id desc limit 1)`

type HistorySettings = Pick<typeof settings.$inferSelect, 'threadHistory' | 'threadHistoryLimit'>

/** Who draws is told nothing but the description; the message before it is read only to know that it is there. */
function historyFor({ kind }: ModelRow, { threadHistory, threadHistoryLimit }: HistorySettings): number {
  if (kind === 'image') return 1
  return threadHistory ? threadHistoryLimit : HISTORY_WHEN_OFF
}

function usable(model: ModelRow | null, wanted: string | undefined): ModelRow {
  if (!model && wanted !== undefined) throw notFound('Такой модели нет')
  if (!model) throw new AppError('conflict', 'Модель этой беседы больше недоступна. Выберите другую.')
  if (model.kind !== 'text' && model.kind !== 'image') {
    throw new AppError('bad_request', 'Эта модель не ведёт беседу. Выберите другую.', { field: 'modelId' })
  }
  return model
}
