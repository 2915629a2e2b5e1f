import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { TopicEvent } from '#contract/realtime.ts'
import type { Log } from '#server/lib/log.ts'
import type { RedisLink } from './redis.ts'

/** Messages between instances. */
const BusEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('event'), userId: z.string(), event: TopicEvent }),
  z.object({ type: z.literal('session-ended'), sessionId: z.string() }),
  /** A client of this instance reads an answer that another instance writes, and has `have` characters of it. */
  z.object({ type: z.literal('answer-watch'), messageId: z.string(), have: z.int(), haveThought: z.optional(z.int()) }),
  /** A part of such an answer and its offset. */
  z.object({ type: z.literal('answer-piece'), messageId: z.string(), from: z.int(), text: z.string() }),
  /** The same for its thought. */
  z.object({ type: z.literal('answer-thought'), messageId: z.string(), from: z.int(), text: z.string() }),
  z.object({ type: z.literal('answer-end'), messageId: z.string() }),
  z.object({ type: z.literal('answer-stop'), messageId: z.string() }),
])
export type BusEvent = z.infer<typeof BusEvent>

/**
 * `from` is the sender, which has already delivered the event locally and ignores its own copy. `news` is the name that
 * the previous release uses; both run side by side during an upgrade.
 */
const Envelope = z.object({ from: z.string(), news: BusEvent })

export interface Bus {
  /** Delivered locally before it returns, and elsewhere if Redis is available. Never throws. */
  send: (busEvent: BusEvent) => void
  /** The returned function unsubscribes. */
  listen: (listener: (busEvent: BusEvent) => void) => () => void
}

/** For one process: calls listeners at once. A listener that throws does not stop the others. */
export function inProcessBus(onError: (error: unknown) => void = () => {}): Bus {
  const listeners = new Set<(busEvent: BusEvent) => void>()
  return {
    send: (busEvent) => {
      for (const listener of [...listeners]) {
        try {
          listener(busEvent)
        } catch (error) {
          onError(error)
        }
      }
    },
    listen: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const CHANNEL = 'events'
const WARN_MS = 60_000

/** For several instances: delivers locally and publishes through Redis to the others. */
export function redisBus(link: Pick<RedisLink, 'publish' | 'subscribe'>, log: Log): Bus {
  const local = inProcessBus((error) => log.error({ err: error }, 'bus: a listener failed'))
  const me = randomUUID()
  const warn = onceIn(WARN_MS)
  link.subscribe(CHANNEL, (text) => {
    const envelope = read(text)
    if (!envelope) warn((skipped) => log.warn({ skipped }, 'bus: unknown message on the Redis channel ignored'))
    else if (envelope.from !== me) local.send(envelope.news)
  })
  return {
    send: (busEvent) => {
      local.send(busEvent)
      link.publish(CHANNEL, JSON.stringify({ from: me, news: busEvent }))
    },
    listen: local.listen,
  }
}

function read(text: string): z.infer<typeof Envelope> | null {
  try {
    const envelope = Envelope.safeParse(JSON.parse(text))
    return envelope.success ? envelope.data : null
  } catch {
    return null
  }
}

/** Calls at most once per `ms` and passes how many calls were skipped since. */
function onceIn(ms: number) {
  let last = Number.NEGATIVE_INFINITY
  let skipped = 0
  return (action: (skipped: number) => void) => {
    if (performance.now() - last < ms) {
      skipped += 1
      return
    }
    last = performance.now()
    action(skipped)
    skipped = 0
  }
}
