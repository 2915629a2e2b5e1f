import { and, eq, lt, sql } from 'drizzle-orm'
import { countSymbols, price } from '#contract/billing.ts'
import type { Db } from '#server/db/client.ts'
import { messages } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import type { Publish } from '#server/http/context.ts'
import { settle } from '../billing/ledger.ts'
import { type MessageRow, messageColumns } from '../threads/branch.ts'
import { endRow } from './rows.ts'

/** A writer stores its answer every second or two; one that has been silent for so long is dead. */
const SILENCE_MS = 20_000
const BATCH = 200

export interface RecoveryWorld {
  db: Db
  publish: Publish
}

export const isDead = ({ status, heartbeatAt }: MessageRow, now = Date.now()) =>
  status === 'streaming' && now - (heartbeatAt?.getTime() ?? 0) > SILENCE_MS

/** Ends the answers whose writers died: each keeps what was stored and is charged for just that. */
export async function recoverAnswers(world: RecoveryWorld, silenceMs = SILENCE_MS): Promise<number> {
  const dead = await world.db
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.status, 'streaming'), lt(messages.heartbeatAt, sinceNow(silenceMs))))
    .limit(BATCH)
  for (const { id } of dead) await recoverAnswer(world, id, silenceMs)
  return dead.length
}

/** The same for one answer. Whoever comes second finds nothing to do. */
export async function recoverAnswer({ db, publish }: RecoveryWorld, id: string, silenceMs = SILENCE_MS): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx
      .select(messageColumns)
      .from(messages)
      .where(and(eq(messages.id, id), eq(messages.status, 'streaming'), lt(messages.heartbeatAt, sinceNow(silenceMs))))
      .for('update')
    if (!row?.run) return
    const { run, userId, threadId } = row
    const output = countSymbols(row.content) - run.offset
    const charge = output > 0 ? price(run.input, output, run) : 0
    const details = { modelId: row.modelId ?? '', threadId, messageId: id, ...run, output }
    const charged = (await settle(tx, run.hold, charge, details)) === 'done' ? charge : 0
    await endRow(tx, id, run.hold, {
      content: row.content,
      status: 'interrupted',
      modelId: row.modelId,
      errorCode: null,
      errorMessage: null,
      firstTokenMs: null,
      totalMs: null,
      charged,
      input: charged > 0 ? run.input : 0,
      output: charged > 0 ? output : 0,
      cost: {},
    })
    afterCommit(() => {
      publish(userId, { topic: `thread:${threadId}`, type: 'finished', data: { messageId: id } })
      publish(userId, { topic: 'profile', type: 'balance', data: null })
    })
  })
}

/** For a hold that has run out: its answer, if one is still open, is ended with it. */
export async function recoverHold(world: RecoveryWorld, hold: string): Promise<void> {
  const [row] = await world.db
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.status, 'streaming'), sql`${messages.run}->>'hold' = ${hold}`))
  if (row) await recoverAnswer(world, row.id)
}

const sinceNow = (ms: number) => sql`now() - make_interval(secs => ${ms / 1000})`
