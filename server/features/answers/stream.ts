import { asc, eq, or, sql } from 'drizzle-orm'
import type { AnswerEvent, StageEvent } from '#contract/answers.ts'
import type { Db } from '#server/db/client.ts'
import { messages, thoughtChunks } from '#server/db/schema.ts'
import type { Ctx, Publish } from '#server/http/context.ts'
import type { Log } from '#server/lib/log.ts'
import { answerChannel, type Bus, type BusEvent } from '#server/realtime/bus.ts'
import { messageColumns, noSuchMessage, siblingsColumn, toMessages } from '../threads/message-rows.ts'
import type { ExchangeRows } from './begin.ts'
import type { Engine } from './engine.ts'
import { outcomeOf } from './finish.ts'
import { isOrphaned, recoverAnswer } from './recover.ts'
import { ownMessage, readChunks } from './rows.ts'
import { type ActiveRun, type ChunkListener, endEarly } from './run-state.ts'

/**
 * An answer is written in one process and may be read in any. Readers elsewhere get its chunks over the bus; lost
 * chunks are read from the database a moment after they were stored.
 */

export interface StreamDeps {
  engine: Engine
  bus: Bus
  log: Log
  onError: (error: unknown) => void
}

export interface OwnAnswer {
  threadId: string
  messageId: string
  /** Set when the answer is written in this process. */
  running: ActiveRun | null
  /** The rows just stored, when this request has started the answer. */
  rows: ExchangeRows | null
}

export type SendEvent = (event: AnswerEvent) => void

/** Throws 404 unless it is the caller's own. */
export async function findOwnAnswer(
  ctx: Ctx,
  { engine }: Pick<StreamDeps, 'engine'>,
  threadId: string,
  messageId: string,
): Promise<OwnAnswer> {
  const running = engine.find(messageId) ?? null
  if (!running) await ownMessage(ctx, threadId, messageId)
  else if (running.request.userId !== ctx.user.id || running.request.threadId !== threadId) throw noSuchMessage()
  return { threadId, messageId, running, rows: null }
}

/** How many symbols of an answer a reader already has. */
export interface ReaderOffset {
  /** Null sends the exchange first. */
  text: number | null
  thought: number
}

interface Position {
  text: number
  thought: number
}

/**
 * Sends an answer from the reader's offset until its end, running or finished, on any instance. Returns the function
 * that detaches the reader.
 */
export async function attach(
  ctx: Ctx,
  deps: StreamDeps,
  answer: OwnAnswer,
  offset: ReaderOffset,
  send: SendEvent,
): Promise<() => void> {
  const { messageId, running } = answer
  const sendStart = async (): Promise<Position> => {
    const exchange = await readExchange(ctx, answer)
    send({ type: 'start', ...exchange })
    return { text: exchange.assistant.content.length, thought: exchange.assistant.thought?.text.length ?? 0 }
  }
  const position = offset.text === null ? null : { text: offset.text, thought: offset.thought }
  if (running) {
    const isBeyond = !position || position.text > running.text.length || position.thought > running.thought.length
    return followHere(running, isBeyond ? await sendStart() : position, send)
  }
  const follower = { ...deps, db: ctx.db, publish: ctx.publish, sendStart }
  return followRemote(follower, messageId, position ?? (await sendStart()), send)
}

function followHere(running: ActiveRun, have: Position, send: SendEvent): () => void {
  const { text, thought, stage, listeners, stageListeners, finished } = running
  if (stage) send(stage)
  if (thought.length > have.thought)
    send({ type: 'thought', offset: thought.length, text: thought.slice(have.thought) })
  if (text.length > have.text) send({ type: 'delta', offset: text.length, text: text.slice(have.text) })
  const listener: ChunkListener = (length, chunk, as) => {
    const last = running.isWritten && as === 'output' && running.pending === ''
    send({ type: eventOf[as], offset: length, text: chunk, ...(last && { last }) })
  }
  listeners.add(listener)
  stageListeners.add(send)
  let isAttached = true
  void finished.then((outcome) => isAttached && send(outcome))
  return () => {
    isAttached = false
    listeners.delete(listener)
    stageListeners.delete(send)
  }
}

const eventOf = { output: 'delta', thought: 'thought' } as const

/** The text of an answer that is written here comes from memory. */
async function readExchange(ctx: Ctx, answer: OwnAnswer) {
  const { messageId, running } = answer
  const rows = answer.rows ? [answer.rows.question, answer.rows.answer] : await readRows(ctx, answer)
  const texts = running ? new Map([[messageId, { text: running.text, thought: running.thought }]]) : undefined
  const [first, second] = await toMessages(ctx.db, rows, texts)
  const assistant = [first, second].find((message) => message?.id === messageId && message.role === 'assistant')
  const user = [first, second].find((message) => message !== undefined && message.id === assistant?.parentId)
  if (!assistant || !user) throw noSuchMessage()
  return { user, assistant }
}

async function readRows({ db, user }: Ctx, { threadId, messageId }: OwnAnswer) {
  const parent = db.select({ id: messages.parentId }).from(messages).where(eq(messages.id, messageId))
  const rows = await db
    .select({ ...messageColumns, siblings: siblingsColumn })
    .from(messages)
    .where(or(eq(messages.id, messageId), eq(messages.id, parent)))
    .orderBy(asc(messages.createdAt))
  return rows.filter((row) => row.userId === user.id && row.threadId === threadId)
}

const WATCH_MS = 30_000
const REQUEST_MS = 2000
const CHECK_MS = 400
/** Without a chunk on the bus for this long the database is read, so text is at most two seconds late. */
const SILENCE_MS = 500

interface FollowDeps {
  db: Db
  publish: Publish
  log: Log
  bus: Bus
  /** Sends the stored exchange and returns what the reader has then. */
  sendStart: () => Promise<Position>
  onError: (error: unknown) => void
}

function followRemote(deps: FollowDeps, messageId: string, offset: Position, send: SendEvent): () => void {
  const { bus, onError } = deps
  let have = { ...offset }
  let isAttached = true
  let lastFrameAt = 0
  let requestedAt = 0
  let isChecking = false
  let hasStageEnded = false

  function receive(as: keyof Position, from: number, text: string) {
    if (from > have[as]) return requestChunks()
    const fresh = text.slice(have[as] - from)
    if (fresh === '') return
    have[as] += fresh.length
    send({ type: as === 'text' ? 'delta' : 'thought', offset: have[as], text: fresh })
  }

  function endStage({ citations, web }: Pick<Extract<StageEvent, { type: 'stage-end' }>, 'citations' | 'web'>) {
    if (!hasStageEnded) send({ type: 'stage-end', citations, web })
    hasStageEnded = true
  }

  function requestChunks() {
    requestedAt = Date.now()
    bus.send({ type: 'answer-watch', messageId, have: have.text, haveThought: have.thought })
  }

  async function check() {
    const row = await currentRow(deps, messageId)
    if (!isAttached) return
    if (row?.status === 'streaming') {
      if (Date.now() - requestedAt >= REQUEST_MS) requestChunks()
      // Once there is text, the rest of the thought comes with the end.
      const thoughts = have.text === 0 ? await readChunks(deps.db, messageId, have.thought, thoughtChunks) : []
      const chunks = await readChunks(deps.db, messageId, have.text)
      if (!isAttached) return
      if (row.web && !row.web.pending) endStage({ citations: row.citations ?? [], web: row.web })
      receive('thought', 0, row.thought)
      for (const { at, text } of thoughts) receive('thought', at, text)
      receive('text', 0, row.content)
      for (const { at, text } of chunks) receive('text', at, text)
      return
    }
    detach()
    // The reader may have text that a crashed instance never stored: restart it from the stored text.
    if (row && (row.content.length < have.text || row.thought.length < have.thought)) have = await deps.sendStart()
    if (row) receive('thought', 0, row.thought)
    if (row) receive('text', 0, row.content)
    send(await outcomeOf(deps.db, row ?? messageId))
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
    lastFrameAt = Date.now()
    if (event.type === 'answer-thought') receive('thought', event.from, event.text)
    if (event.type === 'answer-text') receive('text', event.from, event.text)
    if (event.type === 'answer-stage') send({ type: 'stage', stage: event.stage })
    if (event.type === 'answer-stage-end') endStage(event)
    if (event.type === 'answer-end') checkSoon()
  }, answerChannel(messageId))
  const timer = setInterval(() => {
    if (Date.now() - lastFrameAt >= SILENCE_MS) checkSoon()
    else if (Date.now() - requestedAt >= REQUEST_MS) requestChunks()
  }, CHECK_MS)
  function detach() {
    isAttached = false
    clearInterval(timer)
    unlisten()
  }
  checkSoon()
  return detach
}

/** The message as it is now; an answer of a crashed process is ended first. */
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

/** Sends chunks of the answers written here to readers on other instances, and executes their stops. */
export function serveRemoteReaders(bus: Bus, engine: Engine): () => void {
  const sender = createSender((event) => bus.send(event, answerChannel(event.messageId)))
  return bus.listen((event) => {
    if (event.type === 'answers-stop') return engine.stopAllOf(event.userId)
    if (event.type !== 'answer-watch' && event.type !== 'answer-stop') return
    const running = engine.find(event.messageId)
    if (!running) return
    if (event.type === 'answer-stop') return endEarly(running, 'stopped')
    sender.watch(running)
    sender.sendMissing(running, event.have, event.haveThought)
  })
}

type AnswerPart = Extract<
  BusEvent,
  { type: 'answer-text' | 'answer-thought' | 'answer-stage' | 'answer-stage-end' | 'answer-end' }
>

/** Sends the chunks of an answer while a reader keeps asking for them. */
function createSender(send: (event: AnswerPart) => void) {
  const watchedUntil = new WeakMap<ActiveRun, number>()
  return {
    watch: (running: ActiveRun) => {
      const { messageId } = running.request
      const isNew = !watchedUntil.has(running)
      watchedUntil.set(running, Date.now() + WATCH_MS)
      if (!isNew) return
      const listener: ChunkListener = (offset, text, as) => {
        if (Date.now() < (watchedUntil.get(running) ?? 0)) {
          return send({ type: busEventOf[as], messageId, from: offset - text.length, text })
        }
        running.listeners.delete(listener)
        running.stageListeners.delete(stageListener)
        watchedUntil.delete(running)
      }
      const stageListener = (event: StageEvent) => send(onBus(messageId, event))
      running.listeners.add(listener)
      running.stageListeners.add(stageListener)
      void running.finished.then(() => send({ type: 'answer-end', messageId }))
    },
    sendMissing: ({ request: { messageId }, text, thought, stage }: ActiveRun, have: number, haveThought: number) => {
      if (stage) send(onBus(messageId, stage))
      if (thought.length > haveThought)
        send({ type: 'answer-thought', messageId, from: haveThought, text: thought.slice(haveThought) })
      if (text.length > have) send({ type: 'answer-text', messageId, from: have, text: text.slice(have) })
    },
  }
}

const onBus = (messageId: string, event: StageEvent): AnswerPart =>
  event.type === 'stage'
    ? { type: 'answer-stage', messageId, stage: event.stage }
    : { type: 'answer-stage-end', messageId, citations: event.citations, web: event.web }

const busEventOf = { output: 'answer-text', thought: 'answer-thought' } as const
