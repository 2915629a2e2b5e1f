import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { TopicEvent } from '#contract/realtime.ts'
import type { Log } from '#server/lib/log.ts'
import type { RedisLink } from './redis.ts'

/** What instances tell each other. */
const BusEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('event'), userId: z.string(), event: TopicEvent }),
  z.object({ type: z.literal('session-ended'), sessionId: z.string() }),
  /** Somebody here reads an answer that is written elsewhere, and has so much of it. */
  z.object({ type: z.literal('answer-watch'), messageId: z.string(), have: z.int() }),
  /** A piece of such an answer and where it begins. */
  z.object({ type: z.literal('answer-piece'), messageId: z.string(), from: z.int(), text: z.string() }),
  z.object({ type: z.literal('answer-end'), messageId: z.string() }),
  z.object({ type: z.literal('answer-stop'), messageId: z.string() }),
])
export type BusEvent = z.infer<typeof BusEvent>

/** Who sent it: the sender has delivered it to itself already and ignores the copy that comes back. */
const Envelope = z.object({ from: z.string(), busEvent: BusEvent })

export interface Bus {
  /** Delivered here before it returns, elsewhere when Redis lets it. Never throws. */
  send: (busEvent: BusEvent) => void
  /** The returned function ends it. */
  listen: (listener: (busEvent: BusEvent) => void) => () => void
}

/** For one process: whoever listens in it is called at once. A listener that throws does not stop the others. */
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

/** For several: each delivers to its own listeners directly, Redis carries the event to the other instances. */
export function redisBus(link: Pick<RedisLink, 'publish' | 'subscribe'>, log: Log): Bus {
  const local = inProcessBus((error) => log.error({ err: error }, 'a listener of events failed'))
  const me = randomUUID()
  const warn = onceIn(WARN_MS)
  link.subscribe(CHANNEL, (text) => {
    const envelope = read(text)
    if (!envelope) warn((skipped) => log.warn({ skipped }, 'a message on the Redis channel is not ours and is ignored'))
    else if (envelope.from !== me) local.send(envelope.busEvent)
  })
  return {
    send: (busEvent) => {
      local.send(busEvent)
      link.publish(CHANNEL, JSON.stringify({ from: me, busEvent }))
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

/** Runs at most once in so many milliseconds, told how many calls were left out since. */
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
