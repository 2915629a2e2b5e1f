import { eq } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { messages } from '#server/db/schema.ts'
import type { Publish } from '#server/http/context.ts'
import type { Bus } from '#server/realtime/bus.ts'
import { type MessageRow, messageColumns } from '../threads/branch.ts'
import type { Engine } from './engine.ts'
import { doneOutcome } from './finish.ts'
import { errorOutcome, type Outcome } from './outcome.ts'
import type { Reader } from './reader.ts'
import { isDead, recoverAnswer } from './recover.ts'
import { endEarly, type Running } from './running.ts'

/** An answer is written in one process and may be read in any: over the bus its pieces go to whoever asked for them. */

const WATCH_MS = 30_000
const CHECK_MS = 2000

interface FollowWorld {
  db: Db
  publish: Publish
  bus: Bus
  /** Says what is stored, from the beginning; how much that is. */
  tellStart: () => Promise<number>
  onError: (error: unknown) => void
}

/** Reads an answer that is not written here: from the bus while its writer lives, from the rows when it has ended. */
export function followRemote(world: FollowWorld, messageId: string, reader: Reader): () => void {
  const { bus, onError } = world
  let { have } = reader
  let isHere = true

  function hear(from: number, text: string) {
    if (from > have) return askForMore()
    const fresh = text.slice(have - from)
    if (fresh === '') return
    have += fresh.length
    reader.tell({ type: 'delta', offset: have, text: fresh })
  }

  const askForMore = () => bus.send({ type: 'answer-watch', messageId, have })

  async function check() {
    const row = await settledRow(world, messageId)
    if (!isHere) return
    if (row?.status === 'streaming') return askForMore()
    leave()
    // Who has more than was stored read what a dying server had not kept: he begins again from what is.
    if (row && row.content.length < have) have = await world.tellStart()
    if (row && row.content.length > have) {
      reader.tell({ type: 'delta', offset: row.content.length, text: row.content.slice(have) })
    }
    reader.tell(await outcomeOf(world.db, row))
  }

  const unlisten = bus.listen((news) => {
    if (!('messageId' in news) || news.messageId !== messageId) return
    if (news.type === 'answer-piece') hear(news.from, news.text)
    if (news.type === 'answer-end') check().catch(onError)
  })
  const timer = setInterval(() => check().catch(onError), CHECK_MS)
  function leave() {
    isHere = false
    clearInterval(timer)
    unlisten()
  }
  check().catch(onError)
  return leave
}

/** The message as it is now; an answer whose writer is dead is ended first. */
async function settledRow(world: FollowWorld, messageId: string): Promise<MessageRow | null> {
  const row = await readRow(world.db, messageId)
  if (!row || !isDead(row)) return row
  await recoverAnswer(world, messageId)
  return readRow(world.db, messageId)
}

async function readRow(db: Db, messageId: string): Promise<MessageRow | null> {
  const [row] = await db.select(messageColumns).from(messages).where(eq(messages.id, messageId))
  return row ?? null
}

async function outcomeOf(db: Db, row: MessageRow | null): Promise<Outcome> {
  if (!row) return errorOutcome({ code: 'not_found', message: 'Этого сообщения больше нет.' })
  if (row.status === 'failed')
    return errorOutcome({ code: row.errorCode ?? 'internal', message: row.errorMessage ?? '' })
  return doneOutcome(db, row, row.charged)
}

/** Serves readers elsewhere with the answers that are written here, and obeys their word to stop. */
export function serveRemoteReaders(bus: Bus, engine: Engine): () => void {
  const watchedUntil = new WeakMap<Running, number>()

  function watch(running: Running) {
    const { messageId } = running.order
    const isNew = !watchedUntil.has(running)
    watchedUntil.set(running, Date.now() + WATCH_MS)
    if (!isNew) return
    const listener = (offset: number, text: string) => {
      if (Date.now() < (watchedUntil.get(running) ?? 0)) {
        return bus.send({ type: 'answer-piece', messageId, from: offset - text.length, text })
      }
      running.listeners.delete(listener)
      watchedUntil.delete(running)
    }
    running.listeners.add(listener)
    void running.finished.then(() => bus.send({ type: 'answer-end', messageId }))
  }

  return bus.listen((news) => {
    if (news.type !== 'answer-watch' && news.type !== 'answer-stop') return
    const running = engine.find(news.messageId)
    if (!running) return
    if (news.type === 'answer-stop') return endEarly(running, 'stopped')
    watch(running)
    const missing = running.text.slice(news.have)
    if (missing) bus.send({ type: 'answer-piece', messageId: news.messageId, from: news.have, text: missing })
  })
}
