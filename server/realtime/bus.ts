import type { Redis } from 'ioredis'
import * as z from 'zod/mini'
import { TopicEvent } from '#contract/realtime.ts'

/** What instances tell each other. */
const News = z.discriminatedUnion('type', [
  z.object({ type: z.literal('event'), userId: z.string(), event: TopicEvent }),
  z.object({ type: z.literal('session-ended'), sessionId: z.string() }),
  /** Somebody here reads an answer that is written elsewhere, and has so much of it. */
  z.object({ type: z.literal('answer-watch'), messageId: z.string(), have: z.int() }),
  /** A piece of such an answer and where it begins. */
  z.object({ type: z.literal('answer-piece'), messageId: z.string(), from: z.int(), text: z.string() }),
  z.object({ type: z.literal('answer-end'), messageId: z.string() }),
  z.object({ type: z.literal('answer-stop'), messageId: z.string() }),
])
export type News = z.infer<typeof News>

export interface Bus {
  send: (news: News) => void
  /** The returned function ends it. */
  listen: (listener: (news: News) => void) => () => void
  isAlive: () => Promise<boolean>
  close: () => Promise<void>
}

export function inProcessBus(): Bus {
  const listeners = new Set<(news: News) => void>()
  return {
    send: (news) => {
      for (const listener of listeners) listener(news)
    },
    listen: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isAlive: async () => true,
    close: async () => {},
  }
}

const CHANNEL = 'symbol:news'

/** Everybody hears everything, the sender too; each instance hands on what its own sockets asked for. */
export async function redisBus(redis: Redis, onError: (error: unknown) => void): Promise<Bus> {
  const reader = redis.duplicate()
  reader.on('error', onError)
  const listeners = new Set<(news: News) => void>()
  reader.on('message', (_channel: string, text: string) => {
    const news = News.safeParse(JSON.parse(text))
    if (news.success) for (const listener of listeners) listener(news.data)
  })
  await reader.subscribe(CHANNEL)
  return {
    send: (news) => {
      redis.publish(CHANNEL, JSON.stringify(news)).catch(onError)
    },
    listen: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isAlive: async () => (await redis.ping()) === 'PONG',
    close: async () => {
      reader.disconnect()
    },
  }
}
