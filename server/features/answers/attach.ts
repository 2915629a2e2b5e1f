import { asc, eq, or } from 'drizzle-orm'
import { messages } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import type { Log } from '#server/lib/log.ts'
import type { Bus } from '#server/realtime/bus.ts'
import { messageColumns, noSuchMessage, siblingsColumn } from '../threads/branch.ts'
import { toMessages } from '../threads/to-messages.ts'
import type { Engine } from './engine.ts'
import type { Reader, SendEvent } from './reader.ts'
import { followRemote } from './remote.ts'
import { ownMessage } from './rows.ts'
import type { Running } from './running.ts'

export interface AttachDeps {
  engine: Engine
  bus: Bus
  log: Log
  onError: (error: unknown) => void
}

/** Throws unless the answer is the caller's own. */
export async function checkOwn(ctx: Ctx, { engine }: AttachDeps, threadId: string, messageId: string): Promise<void> {
  const running = engine.find(messageId)
  if (!running) return void (await ownMessage(ctx, threadId, messageId))
  if (running.order.userId !== ctx.user.id || running.order.threadId !== threadId) throw noSuchMessage()
}

/**
 * Lets somebody read an answer from where he is until its end, wherever it is written and whether or not it still is.
 * `have` is how many symbols he has; null for who begins. The returned function lets him go.
 */
export async function attach(
  ctx: Ctx,
  deps: AttachDeps,
  { threadId, messageId, have }: { threadId: string; messageId: string; have: number | null },
  send: SendEvent,
): Promise<() => void> {
  await checkOwn(ctx, deps, threadId, messageId)
  const running = deps.engine.find(messageId)
  const sendStart = async () => {
    const known = running && new Map([[messageId, running.text]])
    const exchange = await readExchange(ctx, threadId, messageId, known)
    send({ type: 'start', ...exchange })
    return exchange.assistant.content.length
  }
  if (running) {
    const isBeyond = have === null || have > running.text.length
    return followHere(running, { have: isBeyond ? await sendStart() : have, send })
  }
  const follower = { ...deps, db: ctx.db, publish: ctx.publish, sendStart }
  return followRemote(follower, messageId, { have: have ?? (await sendStart()), send })
}

function followHere(running: Running, { have, send }: Reader): () => void {
  const { text, listeners, finished } = running
  if (text.length > have) send({ type: 'delta', offset: text.length, text: text.slice(have) })
  const listener = (offset: number, piece: string) => send({ type: 'delta', offset, text: piece })
  listeners.add(listener)
  let isHere = true
  void finished.then((outcome) => isHere && send(outcome))
  return () => {
    isHere = false
    listeners.delete(listener)
  }
}

/** An answer and its question, as stored. */
async function readExchange({ db, user }: Ctx, threadId: string, messageId: string, known?: Map<string, string>) {
  const parent = db.select({ id: messages.parentId }).from(messages).where(eq(messages.id, messageId))
  const rows = await db
    .select({ ...messageColumns, siblings: siblingsColumn })
    .from(messages)
    .where(or(eq(messages.id, messageId), eq(messages.id, parent)))
    .orderBy(asc(messages.createdAt))
  const own = rows.filter((row) => row.userId === user.id && row.threadId === threadId)
  const shaped = await toMessages(db, own, known)
  const assistant = shaped.find(({ id, role }) => id === messageId && role === 'assistant')
  const question = shaped.find(({ id }) => id === assistant?.parentId)
  if (!assistant || !question) throw noSuchMessage()
  return { user: question, assistant }
}
