import { eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { messages } from '#server/db/schema.ts'
import type { Publish } from '#server/http/context.ts'
import type { Log } from '#server/lib/log.ts'
import type { Bus } from '#server/realtime/bus.ts'
import { messageColumns } from '../threads/branch.ts'
import type { Engine } from './engine.ts'
import { outcomeOf } from './finish.ts'
import type { Reader } from './reader.ts'
import { isOrphaned, recoverAnswer } from './recover.ts'
import { readChunks } from './rows.ts'
import { endEarly, type Running } from './running.ts'

/**
 * An answer is written in one process and may be read in any. Over the bus its pieces come at once; what does not come
 * that way is read from the database, a moment after it was stored.
 */

const WATCH_MS = 30_000
const ASK_MS = 2000
const CHECK_MS = 400
/** After so long without a piece the database is asked: what is said is read two seconds later at most. */
const SILENCE_MS = 500

interface FollowWorld {
  db: Db
  publish: Publish
  log: Log
  bus: Bus
  /** Says what is stored, from the beginning; how much that is. */
  tellStart: () => Promise<number>
  onError: (error: unknown) => void
}

/** Reads an answer that is not written here, until its end. */
export function followRemote(world: FollowWorld, messageId: string, reader: Reader): () => void {
  const { bus, onError } = world
  let { have } = reader
  let isHere = true
  let heardAt = 0
  let askedAt = 0
  let isChecking = false

  function take(from: number, text: string) {
    if (from > have) return askForMore()
    const fresh = text.slice(have - from)
    if (fresh === '') return
    have += fresh.length
    reader.tell({ type: 'delta', offset: have, text: fresh })
  }

  function askForMore() {
    askedAt = Date.now()
    bus.send({ type: 'answer-watch', messageId, have })
  }

  async function check() {
    const row = await currentRow(world, messageId)
    if (!isHere) return
    if (row?.status === 'streaming') {
      if (Date.now() - askedAt >= ASK_MS) askForMore()
      const chunks = await readChunks(world.db, messageId, have)
      if (!isHere) return
      take(0, row.content)
      for (const { at, text } of chunks) take(at, text)
      return
    }
    leave()
    // Who has more than was stored read what a dying server had not kept: he begins again from what is.
    if (row && row.content.length < have) have = await world.tellStart()
    if (row && row.content.length > have) {
      reader.tell({ type: 'delta', offset: row.content.length, text: row.content.slice(have) })
    }
    reader.tell(await outcomeOf(world.db, row ?? messageId))
  }

  function checkSoon() {
    if (isChecking) return
    isChecking = true
    check()
      .catch(onError)
      .finally(() => {
        isChecking = false
      })
  }

  const unlisten = bus.listen((news) => {
    if (!('messageId' in news) || news.messageId !== messageId) return
    heardAt = Date.now()
    if (news.type === 'answer-piece') take(news.from, news.text)
    if (news.type === 'answer-end') checkSoon()
  })
  const timer = setInterval(() => {
    if (Date.now() - heardAt >= SILENCE_MS) checkSoon()
    else if (Date.now() - askedAt >= ASK_MS) askForMore()
  }, CHECK_MS)
  function leave() {
    isHere = false
    clearInterval(timer)
    unlisten()
  }
  checkSoon()
  return leave
}

/** The message as it is now; an answer whose process died is ended first. */
async function currentRow(world: FollowWorld, messageId: string) {
  const row = await readRow(world.db, messageId)
  if (row?.status !== 'streaming' || !row.isOrphaned) return row
  await recoverAnswer(world, messageId)
  return readRow(world.db, messageId)
}

async function readRow(db: Db, messageId: string) {
  const [row] = await db
    .select({ ...messageColumns, isOrphaned: sql<boolean>`${isOrphaned}` })
    .from(messages)
    .where(eq(messages.id, messageId))
  return row ?? null
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
