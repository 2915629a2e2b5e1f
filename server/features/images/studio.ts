import { inArray, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { images } from '#server/db/schema.ts'
import type { Publish } from '#server/http/context.ts'
import { type Log, withoutSecrets } from '#server/lib/log.ts'
import type { Drawn, DrawRequest } from '#server/llm/draw.ts'
import { LlmError } from '#server/llm/errors.ts'
import type { Providers } from '#server/llm/providers.ts'
import type { Storage } from '#server/storage/storage.ts'
import { extend } from '../billing/ledger.ts'
import { failPicture, finishPicture, INTERRUPTED, type PictureFault, type Priced } from './finish.ts'
import { keepPicture } from './keep.ts'
import { holdOf } from './rows.ts'

export interface StudioWorld {
  db: Db
  log: Log
  publish: Publish
  providers: Providers
  storage: Storage
}

/** A picture that is to be drawn; its row and its hold are there already. */
export interface DrawingOrder {
  id: string
  userId: string
  price: number
  model: Priced & { provider: string }
  request: DrawRequest
}

/** Owns the pictures that are being drawn in this process. Whether anybody watches is not its business. */
export interface Studio {
  begin: (order: DrawingOrder) => void
  /** Stops drawing what nobody wants any more. */
  drop: (id: string) => void
  /** False once it is closing: nothing new may begin. */
  isOpen: () => boolean
  /** Resolves when nothing is being drawn. */
  idle: () => Promise<void>
  /** Lets pictures finish for a while, then ends them: they cost nothing. */
  close: (lastMs?: number) => Promise<void>
}

const AT_ONCE = 4
const HEARTBEAT_MS = 5000
const LEASE_MS = 240_000
const RENEW_EVERY = 12
const LAST_MS = 8000

export const drawingLease = () => new Date(Date.now() + LEASE_MS)

interface Drawing {
  order: DrawingOrder
  abort: AbortController
  finished: Promise<void>
}

export function createStudio(world: StudioWorld): Studio {
  const drawings = new Map<string, Drawing>()
  const turns = createTurns(AT_ONCE)
  const stopPulse = createPulse(world, drawings)
  let isOpen = true

  const idle = async () => {
    while (drawings.size > 0) await Promise.all([...drawings.values()].map(({ finished }) => finished))
  }

  return {
    begin: (order) => {
      const abort = new AbortController()
      const finished = turns(() => draw(world, order, abort.signal))
        .catch((error: unknown) => world.log.error({ err: error, imageId: order.id }, 'a picture could not be kept'))
        .finally(() => drawings.delete(order.id))
      drawings.set(order.id, { order, abort, finished })
    },
    drop: (id) => drawings.get(id)?.abort.abort(),
    isOpen: () => isOpen,
    idle,
    close: async (lastMs = LAST_MS) => {
      isOpen = false
      await Promise.race([idle(), new Promise((resolve) => setTimeout(resolve, lastMs).unref())])
      for (const { abort } of drawings.values()) abort.abort()
      await idle()
      stopPulse()
    },
  }
}

async function draw(world: StudioWorld, order: DrawingOrder, signal: AbortSignal): Promise<void> {
  const { model, request } = order
  try {
    signal.throwIfAborted()
    const drawn: Drawn = await world.providers.draw(model.provider)(request, signal)
    const kept = await keepPicture(world.storage, order.id, drawn)
    await finishPicture(world, order, kept)
  } catch (error) {
    await failPicture(world, order, faultIn(world, order, error, signal))
  }
}

function faultIn({ log }: StudioWorld, { id }: DrawingOrder, error: unknown, signal: AbortSignal): PictureFault {
  if (signal.aborted) return INTERRUPTED
  if (error instanceof LlmError) {
    log.warn({ imageId: id, fault: error.fault, details: withoutSecrets(error.details) }, 'a model did not draw')
    return { code: 'model_failed', message: error.message }
  }
  log.error({ err: error, imageId: id }, 'a picture failed')
  return { code: 'internal', message: `Что-то сломалось на нашей стороне. Номер обращения: ${id}` }
}

/** Lets only so many work at once; the others wait in order. */
function createTurns(most: number) {
  const waiting: (() => void)[] = []
  let busy = 0
  return async (work: () => Promise<void>) => {
    if (busy >= most) await new Promise<void>((turn) => waiting.push(turn))
    else busy += 1
    try {
      await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else busy -= 1
    }
  }
}

/** Says that the pictures here have a living maker, and keeps their holds from running out. */
function createPulse({ db, log }: StudioWorld, drawings: Map<string, Drawing>): () => void {
  let beats = 0
  const beat = async () => {
    const orders = [...drawings.values()].map(({ order }) => order)
    if (orders.length === 0) return
    const ids = orders.map(({ id }) => id)
    await db
      .update(images)
      .set({ heartbeatAt: sql`now()` })
      .where(sql`${inArray(images.id, ids)} and ${images.state} = 'making'`)
    beats += 1
    if (beats % RENEW_EVERY === 0)
      for (const { id, price } of orders) await extend(db, holdOf(id), price, drawingLease())
  }
  const timer = setInterval(
    () => void beat().catch((error: unknown) => log.error({ err: error }, 'pictures: no heartbeat')),
    HEARTBEAT_MS,
  )
  timer.unref()
  return () => clearInterval(timer)
}
