import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { modelCalls } from '#server/db/schema.ts'
import type { Llm, LlmUsage } from '#server/llm/llm.ts'
import { costOfTokens, type ModelRow, type TokenPrices } from './models.ts'

/** Requests to providers that are no answer in a chat; the margin report counts what they cost. */

interface SideCall {
  kind: (typeof modelCalls.$inferInsert)['kind']
  userId: string
  model: Pick<ModelRow, 'id'>
}

type Cost = Partial<Pick<typeof modelCalls.$inferSelect, 'cost' | 'costCurrency' | 'inputTokens' | 'outputTokens'>>

export async function recordCall(db: Db, { kind, userId, model }: SideCall, cost: Cost): Promise<void> {
  if (!cost.cost || !cost.costCurrency) return
  await db.insert(modelCalls).values({ kind, userHash: sql`stat_user_hash(${userId})`, modelId: model.id, ...cost })
}

/** Used for statistics only, so an error here does not stop the work. */
export const recordSideCost = (db: Db, call: SideCall, cost: Cost) => recordCall(db, call, cost).catch(() => undefined)

/** The cost of a stopped call is estimated from its symbols. */
export function withRecordedCost(db: Db, call: SideCall & { model: TokenPrices & { id: string } }, llm: Llm): Llm {
  return async (request, signal, onText) => {
    let output = 0
    const record = (usage: LlmUsage | null) => {
      const input = request.messages.reduce((sum, { content }) => sum + content.length, 0)
      return recordSideCost(db, call, costOfTokens(call.model, usage, { input, output }))
    }
    try {
      const end = await llm(request, signal, (text) => {
        output += text.length
        onText(text)
      })
      await record(end.usage)
      return end
    } catch (error) {
      if (output > 0) await record(null)
      throw error
    }
  }
}
