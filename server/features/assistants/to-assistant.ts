import { and, asc, desc, eq, inArray, type SQL, sum } from 'drizzle-orm'
import { type Assistant, PASSAGE_SYMBOLS } from '#contract/assistants.ts'
import { countSymbols } from '#contract/billing.ts'
import type { Attachment } from '#contract/files.ts'
import type { ThreadAssistant } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { assistants, files, models } from '#server/db/schema.ts'
import { notFound } from '#server/lib/errors.ts'
import { attachmentColumns, toAttachment } from '../files/rows.ts'

export const ownAssistant = (userId: string, id: string) => and(eq(assistants.id, id), eq(assistants.userId, userId))
export const noAssistant = () => notFound('Такого ассистента нет')

/** Assistants as their owner sees them, newest first. */
export async function findAssistants(db: Db, where: SQL | undefined): Promise<Assistant[]> {
  const rows = await db
    .select({ assistant: assistants, model: { id: models.id, name: models.name } })
    .from(assistants)
    .leftJoin(models, and(eq(models.id, assistants.modelId), usableModel))
    .where(where)
    .orderBy(desc(assistants.createdAt), desc(assistants.id))
  const byAssistant = await filesOf(
    db,
    rows.map(({ assistant }) => assistant.id),
  )
  return rows.map(({ assistant: { userId: _, createdAt, updatedAt, ...assistant }, model }) => {
    const own = byAssistant.get(assistant.id) ?? []
    return {
      ...assistant,
      Model: model,
      files: own,
      symbols: symbolsOf(assistant.instructions, readSymbols(own)),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    }
  })
}

/** The models an assistant may have: what anybody sees, talks with, and its owner allowed for this. */
export const usableModel = and(eq(models.hidden, false), eq(models.kind, 'text'), eq(models.canUseWithAssistant, true))

export async function findAssistant(db: Db, userId: string, id: string): Promise<Assistant> {
  const [found] = await findAssistants(db, ownAssistant(userId, id))
  if (!found) throw noAssistant()
  return found
}

/** What a thread shows of its assistant; null when it was deleted. */
export async function threadAssistant(db: Db, userId: string, id: string): Promise<ThreadAssistant | null> {
  const { name, avatar, starters, instructions } = assistants
  const [row] = await db
    .select({ name, avatar, starters, instructions })
    .from(assistants)
    .where(ownAssistant(userId, id))
  if (!row) return null
  const [read] = await db
    .select({ symbols: sum(files.symbols).mapWith(Number) })
    .from(files)
    .where(and(eq(files.assistantId, id), eq(files.state, 'ready')))
  const { instructions: rules, ...shown } = row
  return { id, ...shown, symbols: symbolsOf(rules, read?.symbols ?? 0) }
}

/** Headings, numbers and what passages have in common with their neighbours come on top of the text itself. */
const WRAPPING = { share: 1.3, block: 600 }

function symbolsOf(instructions: string, ready: number): ThreadAssistant['symbols'] {
  const most = Math.ceil(ready * WRAPPING.share) + WRAPPING.block
  return { instructions: countSymbols(instructions), passages: ready === 0 ? 0 : Math.min(PASSAGE_SYMBOLS, most) }
}

const readSymbols = (own: Attachment[]) =>
  own.reduce((all, { state, symbols }) => all + (state === 'ready' ? (symbols ?? 0) : 0), 0)

async function filesOf(db: Db, ids: string[]): Promise<Map<string, Attachment[]>> {
  const byAssistant = new Map<string, Attachment[]>()
  if (ids.length === 0) return byAssistant
  const rows = await db
    .select({ assistantId: files.assistantId, file: attachmentColumns })
    .from(files)
    .where(inArray(files.assistantId, ids))
    .orderBy(asc(files.createdAt), asc(files.id))
  for (const { assistantId, file } of rows) {
    if (assistantId) byAssistant.set(assistantId, [...(byAssistant.get(assistantId) ?? []), toAttachment(file)])
  }
  return byAssistant
}
