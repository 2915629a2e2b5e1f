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

interface FollowDeps {
  db: Db
  publish: Publish
  log: Log
  bus: Bus
  /** Says what is stored, from the beginning; how much that is. */
  sendStart: () => Promise<number>
  onError: (error: unknown) => void
}

/** Reads an answer that is not written here, until its end. */
export function followRemote(deps: FollowDeps, messageId: string, reader: Reader): () => void {
  const { bus, onError } = deps
  let { have } = reader
  let isHere = true
  let lastFrameAt = 0
  let askedAt = 0
  let isChecking = false

  function take(from: number, text: string) {
    if (from > have) return askForMore()
    const fresh = text.slice(have - from)
    if (fresh === '') return
    have += fresh.length
    reader.send({ type: 'delta', offset: have, text: fresh })
  }

  function askForMore() {
    askedAt = Date.now()
    bus.send({ type: 'answer-watch', messageId, have })
  }

  async function check() {
    const row = await currentRow(deps, messageId)
    if (!isHere) return
    if (row?.status === 'streaming') {
      if (Date.now() - askedAt >= ASK_MS) askForMore()
      const chunks = await readChunks(deps.db, messageId, have)
      if (!isHere) return
      take(0, row.content)
      for (const { at, text } of chunks) take(at, text)
      return
    }
    leave()
    // Who has more than was stored read what a dying server had not kept: he begins again from what is.
    if (row && row.content.length < have) have = await deps.sendStart()
    if (row && row.content.length > have) {
      reader.send({ type: 'delta', offset: row.content.length, text: row.content.slice(have) })
    }
    reader.send(await outcomeOf(deps.db, row ?? messageId))
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

  const unlisten = bus.listen((event) => {
    if (!('messageId' in event) || event.messageId !== messageId) return
    lastFrameAt = Date.now()
    if (event.type === 'answer-piece') take(event.from, event.text)
    if (event.type === 'answer-end') checkSoon()
  })
  const timer = setInterval(() => {
    if (Date.now() - lastFrameAt >= SILENCE_MS) checkSoon()
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
async function currentRow(deps: FollowDeps, messageId: string) {
  const row = await readRow(deps.db, messageId)
  if (row?.status !== 'streaming' || !row.isOrphaned) return row
  await recoverAnswer(deps, messageId)
  return readRow(deps.db, messageId)
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

  return bus.listen((event) => {
    if (event.type !== 'answer-watch' && event.type !== 'answer-stop') return
    const running = engine.find(event.messageId)
    if (!running) return
    if (event.type === 'answer-stop') return endEarly(running, 'stopped')
    watch(running)
    const missing = running.text.slice(event.have)
    if (missing) bus.send({ type: 'answer-piece', messageId: event.messageId, from: event.have, text: missing })
  })
}
