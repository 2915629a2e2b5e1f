import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { sideCosts } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import type { Llm, LlmUsage } from '#server/llm/llm.ts'
import { costOfTokens, type ModelRow } from './models.ts'

/** Calls to providers that are no answer; the margin report counts what they cost. */

interface SideCall {
  kind: (typeof sideCosts.$inferInsert)['kind']
  userId: string
  model: Pick<ModelRow, 'id' | 'costInput' | 'costOutput' | 'costCurrency' | 'costCached'>
}

interface Price {
  cost: number | null
  currency: string | null
}

/** Used for statistics only, so an error here does not stop the work. */
export async function recordSideCost(db: Db, { kind, userId, model }: SideCall, { cost, currency }: Price) {
  if (!cost || currency === null) return
  const row = { id: newId(), kind, who: sql`stat_who(${userId})`, modelId: model.id, cost, currency }
  await db
    .insert(sideCosts)
    .values(row)
    .catch(() => undefined)
}

/** Wraps a model to store the cost of each call; the cost of a stopped call is estimated from its symbols. */
export function withRecordedCost(db: Db, call: SideCall, llm: Llm): Llm {
  return async (request, signal, onText) => {
    let output = 0
    const record = (usage: LlmUsage | null) => {
      const input = request.messages.reduce((sum, { content }) => sum + content.length, 0)
      const { cost, costCurrency } = costOfTokens(call.model, usage, { input, output })
      return recordSideCost(db, call, { cost, currency: costCurrency })
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
