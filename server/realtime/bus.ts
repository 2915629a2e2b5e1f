import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { TopicEvent } from '#contract/realtime.ts'
import { Citation } from '#contract/threads.ts'
import { WebStage, WebUse } from '#contract/web-search.ts'
import type { Log } from '#server/lib/log.ts'
import type { RedisLink } from './redis.ts'

/** Messages between instances. */
const BusEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('event'), userId: z.string(), event: TopicEvent }),
  z.object({ type: z.literal('session-ended'), sessionId: z.string() }),
  /**
   * A client of this instance reads an answer that another instance writes, and has so much of it; what is missing and
   * all that follows is sent on the channel of the answer.
   */
  z.object({
    type: z.literal('answer-watch'),
    messageId: z.string(),
    have: z.int(),
    haveThought: z.int(),
  }),
  /** A part of such an answer and its offset. */
  z.object({ type: z.literal('answer-text'), messageId: z.string(), from: z.int(), text: z.string() }),
  /** The same for its thought. */
  z.object({ type: z.literal('answer-thought'), messageId: z.string(), from: z.int(), text: z.string() }),
  /** The stage of such an answer before the model is asked. */
  z.object({ type: z.literal('answer-stage'), messageId: z.string(), stage: WebStage }),
  z.object({
    type: z.literal('answer-stage-end'),
    messageId: z.string(),
    citations: z.array(Citation),
    web: z.nullable(WebUse),
  }),
  z.object({ type: z.literal('answer-end'), messageId: z.string() }),
  z.object({ type: z.literal('answer-stop'), messageId: z.string() }),
  /** All answers of a user who was banned or is being deleted. */
  z.object({ type: z.literal('answers-stop'), userId: z.string() }),
])
export type BusEvent = z.infer<typeof BusEvent>

/** `from` is the sender, which has already delivered the event locally and ignores its own copy. */
const Envelope = z.object({ from: z.string(), event: BusEvent })

export interface Bus {
  /** Delivered locally before it returns, and elsewhere if Redis is available. Never throws. */
  send: (busEvent: BusEvent, channel?: string) => void
  /** From the common channel, or from another, which only its listeners receive. The returned function unsubscribes. */
  listen: (listener: (busEvent: BusEvent) => void, channel?: string) => () => void
  /** The number of outages in which events of other instances may have been missed; null during an outage. */
  outages: () => number | null
}

/** The channel for the parts of one answer: only the instances of its readers receive them. */
export const answerChannel = (messageId: string) => `answer:${messageId}`

const COMMON_CHANNEL = 'events'

/** For one process: calls listeners at once. A listener that throws does not stop the others. */
export function inProcessBus(onError: (error: unknown) => void = () => {}): Bus {
  const channels = new Map<string, Set<(busEvent: BusEvent) => void>>()
  return {
    send: (busEvent, channel = COMMON_CHANNEL) => {
      for (const listener of [...(channels.get(channel) ?? [])]) {
        try {
          listener(busEvent)
        } catch (error) {
          onError(error)
        }
      }
    },
    listen: (listener, channel = COMMON_CHANNEL) => {
      const listeners = channels.get(channel) ?? new Set()
      channels.set(channel, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) channels.delete(channel)
      }
    },
    outages: () => 0,
  }
}

const WARN_MS = 60_000

/** For several instances: delivers locally and publishes through Redis to the others. */
export function redisBus(link: Pick<RedisLink, 'publish' | 'subscribe' | 'follow' | 'outages'>, log: Log): Bus {
  const local = inProcessBus((error) => log.error({ err: error }, 'bus: a listener failed'))
  const me = randomUUID()
  const warn = throttle(WARN_MS)
  const followed = new Map<string, { listeners: number; unfollow: () => void }>()
  const receiveOn = (channel: string) => (text: string) => {
    const envelope = read(text)
    if (!envelope) warn((skipped) => log.warn({ skipped }, 'bus: unknown message on the Redis channel ignored'))
    else if (envelope.from !== me) local.send(envelope.event, channel)
  }
  link.subscribe(COMMON_CHANNEL, receiveOn(COMMON_CHANNEL))

  /** Redis is subscribed to once for all local listeners of a channel. */
  function follow(channel: string): () => void {
    const known = followed.get(channel) ?? { listeners: 0, unfollow: link.follow(channel, receiveOn(channel)) }
    known.listeners += 1
    followed.set(channel, known)
    return () => {
      known.listeners -= 1
      if (known.listeners > 0) return
      known.unfollow()
      followed.delete(channel)
    }
  }

  return {
    send: (busEvent, channel = COMMON_CHANNEL) => {
      local.send(busEvent, channel)
      link.publish(channel, JSON.stringify({ from: me, event: busEvent }))
    },
    listen: (listener, channel = COMMON_CHANNEL) => {
      const unlisten = local.listen(listener, channel)
      const unfollow = channel === COMMON_CHANNEL ? () => {} : follow(channel)
      return () => {
        unlisten()
        unfollow()
      }
    },
    outages: link.outages,
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
function throttle(ms: number) {
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
