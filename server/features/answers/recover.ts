import { and, eq, notInArray } from 'drizzle-orm'
import { countSymbols, price } from '#contract/billing.ts'
import type { Db } from '#server/db/client.ts'
import { messages, models, thoughtChunks } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import type { Publish } from '#server/http/context.ts'
import { isOwnerStale } from '#server/instances/instance.ts'
import type { Log } from '#server/lib/log.ts'
import { expireGrantsOf } from '../billing/ledger.ts'
import { costOfTokens } from '../models/models.ts'
import { joinChunks, messageColumns } from '../threads/message-rows.ts'
import { chargeFor, earlyStop, noteEnd } from './finish.ts'
import { endRun, readChunks } from './rows.ts'

const BATCH = 200
/** After this many failed recoveries an answer is ended free of charge. */
const MAX_ERRORS = 3

export interface RecoveryDeps {
  db: Db
  publish: Publish
  log: Log
}

/** No live process writes the answer. */
export const isOrphaned = isOwnerStale(messages.instance)
const needsRecovery = and(eq(messages.status, 'streaming'), isOrphaned)

/** Ends the answers of crashed processes: the stored text stays and is charged. */
export function createAnswerRecovery(deps: RecoveryDeps): () => Promise<number> {
  const failures = new Map<string, number>()

  return async () => {
    const failing = [...failures].filter(([, count]) => count > MAX_ERRORS).map(([id]) => id)
    const orphans = await deps.db
      .select({ id: messages.id })
      .from(messages)
      .where(and(needsRecovery, failing.length > 0 ? notInArray(messages.id, failing) : undefined))
      .limit(BATCH)
    let ended = 0
    for (const { id } of orphans) {
      const failed = failures.get(id) ?? 0
      try {
        if (await recoverAnswer(deps, id, failed >= MAX_ERRORS)) ended += 1
        failures.delete(id)
      } catch (error) {
        failures.set(id, failed + 1)
        deps.log.error({ err: error, messageId: id, failed: failed + 1 }, 'answers: recovery failed')
      }
    }
    return ended
  }
}

/**
 * Recovers one answer; true if this call ended it. The balance is locked before the message, as everywhere. The text is
 * read under the lock, when no process can append to it.
 */
export function recoverAnswer({ db, publish, log }: RecoveryDeps, id: string, isFree = false): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [owner] = await tx.select({ userId: messages.userId }).from(messages).where(eq(messages.id, id))
    if (!owner) return false
    await expireGrantsOf(tx, owner.userId)
    const [row] = await tx
      .select(messageColumns)
      .from(messages)
      .where(and(eq(messages.id, id), needsRecovery))
      .for('update')
    if (!row?.run) return false
    const { userId, threadId, modelId } = row
    const run = isFree ? { ...row.run, input: 0 } : row.run
    const content = joinChunks(row.content, await readChunks(tx, id))
    const output = countSymbols(content) - run.offset
    const thoughtText = joinChunks(row.thought, await readChunks(tx, id, 0, thoughtChunks))
    const thought = countSymbols(thoughtText) - (run.thoughtOffset ?? 0)
    const { hold, offset: _, thoughtOffset: __, ...priced } = run
    const details = {
      modelId: modelId ?? '',
      threadId,
      messageId: id,
      ...priced,
      output,
      ...(thought > 0 && { thought }),
    }
    // Its owner requested a stop while the process was alive, so the charge of a stop applies.
    const isStoppedThought = row.stopRequested && output === 0 && thought > 0 && (run.thoughtRate ?? 0) > 0
    const isEarlyStop = row.stopRequested && output === 0 && !isFree && !isStoppedThought
    const delivered = isStoppedThought ? price(run.input, 0, run, { thought }) : chargeFor(run, output, { thought })
    const charge = isFree ? 0 : delivered
    const status = row.stopRequested ? 'stopped' : 'interrupted'
    const ended = await endRun(tx, {
      id,
      run,
      settle: isEarlyStop ? earlyStop(run, details) : { type: 'charge', key: hold, symbols: charge, details },
      isEarlyStop,
      content,
      status,
      modelId,
      errorCode: null,
      errorMessage: null,
      firstTokenMs: null,
      totalMs: null,
      output,
      thought: thoughtText === '' ? null : { text: thoughtText, symbols: charge > 0 ? thought : 0, ms: row.thoughtMs },
      cost: await estimatedCost(tx, modelId, { input: run.input, output: output + thought }),
    })
    afterCommit(() => {
      noteEnd(log, {
        ...{ messageId: id, userId, output, input: run.input, isRecovered: true },
        model: modelId ?? 'none',
        provider: undefined,
        outcome: status,
        firstTextMs: null,
        ms: null,
        charged: ended?.runCharged ?? 0,
      })
      publish(userId, { topic: `thread:${threadId}`, type: 'finished', data: { messageId: id } })
      publish(userId, { topic: 'profile', type: 'balance', data: null })
    })
    return true
  })
}

/** The provider's token count was lost with the process, so the cost is estimated from the text. */
async function estimatedCost(db: Db, modelId: string | null, sizes: { input: number; output: number }) {
  const [model] = modelId === null ? [] : await db.select().from(models).where(eq(models.id, modelId))
  return model && model.kind === 'text' ? costOfTokens(model, null, sizes) : {}
}
