import { asc, eq, or } from 'drizzle-orm'
import { messages } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import type { Log } from '#server/lib/log.ts'
import type { Bus } from '#server/realtime/bus.ts'
import { messageColumns, noSuchMessage, siblingsColumn } from '../threads/branch.ts'
import { shapeMessages } from '../threads/message-shape.ts'
import type { Engine } from './engine.ts'
import { ownMessage } from './own-message.ts'
import type { Reader, Tell } from './reader.ts'
import { followRemote } from './remote.ts'
import type { Running } from './running.ts'

export interface AttachWorld {
  engine: Engine
  bus: Bus
  log: Log
  onError: (error: unknown) => void
}

/** Throws unless the answer is the caller's own. */
export async function checkOwn(ctx: Ctx, { engine }: AttachWorld, threadId: string, messageId: string): Promise<void> {
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
  world: AttachWorld,
  { threadId, messageId, have }: { threadId: string; messageId: string; have: number | null },
  tell: Tell,
): Promise<() => void> {
  await checkOwn(ctx, world, threadId, messageId)
  const running = world.engine.find(messageId)
  const tellStart = async () => {
    const known = running && new Map([[messageId, running.text]])
    const exchange = await readExchange(ctx, threadId, messageId, known)
    tell({ type: 'start', ...exchange })
    return exchange.assistant.content.length
  }
  if (running) {
    const isBeyond = have === null || have > running.text.length
    return followHere(running, { have: isBeyond ? await tellStart() : have, tell })
  }
  const follower = { ...world, db: ctx.db, publish: ctx.publish, tellStart }
  return followRemote(follower, messageId, { have: have ?? (await tellStart()), tell })
}

function followHere(running: Running, { have, tell }: Reader): () => void {
  const { text, listeners, finished } = running
  if (text.length > have) tell({ type: 'delta', offset: text.length, text: text.slice(have) })
  const listener = (offset: number, piece: string) => tell({ type: 'delta', offset, text: piece })
  listeners.add(listener)
  let isHere = true
  void finished.then((outcome) => isHere && tell(outcome))
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
  const shaped = await shapeMessages(db, own, known)
  const assistant = shaped.find(({ id, role }) => id === messageId && role === 'assistant')
  const question = shaped.find(({ id }) => id === assistant?.parentId)
  if (!assistant || !question) throw noSuchMessage()
  return { user: question, assistant }
}
