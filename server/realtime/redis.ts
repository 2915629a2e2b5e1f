import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Log } from '#server/lib/log.ts'

/**
 * The connection to Redis. It may be down or frozen at any time: nobody waits for it longer than a second,
 * and whoever uses it asks `isUp` first and has another way when it is not.
 */
export interface RedisLink {
  client: Redis
  /** Stands before every key and channel, so that installations can share a Redis. */
  prefix: string
  isUp: () => boolean
  /** A command failed: nobody tries again until the next ping is answered. */
  suspect: () => void
  /** Never throws and never waits; what cannot be sent is dropped. */
  publish: (channel: string, text: string) => void
  /** Subscribed anew after every reconnect. */
  subscribe: (channel: string, listener: (text: string) => void) => void
  close: () => void
}

interface RedisOptions {
  url: string
  prefix: string
  log: Log
}

const COMMAND_MS = 800
const CONNECT_MS = 1000
const PING_MS = 1000
/** A connection whose other end vanished without a word is dropped after this long without an answer. */
const SILENT_MS = 5000
const MAX_RETRY_MS = 2000
const START_MS = 1000
/** A busy process misses one ping now and then; an outage misses two. */
const MISSED_PINGS = 2

/** Opens the connection. Waits a second for the first answer, then goes on without it and connects later. */
export async function openRedis({ url, prefix, log }: RedisOptions): Promise<RedisLink> {
  const client = new Redis(url, {
    commandTimeout: COMMAND_MS,
    connectTimeout: CONNECT_MS,
    socketTimeout: SILENT_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(100 * 2 ** Math.min(attempt, 5), MAX_RETRY_MS),
  })
  const reader = client.duplicate()
  const channels = new Map<string, (text: string) => void>()
  /** Channels that Redis has confirmed on this connection. */
  const subscribed = new Set<string>()
  const outage = watchOutage(log)
  let isSuspected = true
  let missed = 0
  let isClosed = false

  for (const connection of [client, reader]) {
    connection.on('error', (error: unknown) => outage.lastError(error))
    connection.on('close', () => {
      isSuspected = true
      if (connection === reader) subscribed.clear()
      if (!isClosed) outage.begin()
    })
    connection.on('ready', () => void renew())
  }
  reader.on('message', (channel: string, text: string) => channels.get(channel)?.(text))

  async function renew(): Promise<void> {
    if (client.status !== 'ready' || reader.status !== 'ready') return
    try {
      const missing = [...channels.keys()].filter((channel) => !subscribed.has(channel))
      if (missing.length > 0) await reader.subscribe(...missing)
      for (const channel of missing) subscribed.add(channel)
      await Promise.all([client.ping(), reader.ping()])
      missed = 0
      isSuspected = false
      outage.end()
    } catch (error) {
      isSuspected = true
      missed += 1
      outage.lastError(error)
      if (missed >= MISSED_PINGS && !isClosed) outage.begin()
    }
  }

  let isPinging = false
  const pings = setInterval(() => {
    if (isPinging) return
    isPinging = true
    void renew().finally(() => {
      isPinging = false
    })
  }, PING_MS)
  pings.unref()

  const isUp = () => !isSuspected && client.status === 'ready' && subscribed.size === channels.size
  const link: RedisLink = {
    client,
    prefix,
    isUp,
    suspect: () => {
      isSuspected = true
    },
    publish: (channel, text) => {
      if (!isUp()) return
      client.publish(prefix + channel, text).catch((error: unknown) => {
        isSuspected = true
        outage.lastError(error)
      })
    },
    subscribe: (channel, listener) => {
      channels.set(prefix + channel, listener)
      void renew()
    },
    close: () => {
      isClosed = true
      clearInterval(pings)
      reader.disconnect()
      client.disconnect()
    },
  }
  for (const until = Date.now() + START_MS; !isUp() && Date.now() < until; ) await pause(20)
  if (!isUp()) outage.begin()
  return link
}

/** One line when an outage begins and one when it ends, however many attempts are between. */
function watchOutage(log: Log) {
  let since: number | null = null
  let lastError: unknown
  let wasUp = false
  return {
    lastError: (error: unknown) => {
      lastError = error
    },
    begin: () => {
      if (since !== null) return
      since = Date.now()
      log.warn(
        { reason: lastError instanceof Error ? lastError.message : 'the connection was closed' },
        'Redis does not answer: events reach other instances through the database only, limits are counted without it; connecting goes on',
      )
    },
    end: () => {
      if (since !== null) log.info({ seconds: Math.round((Date.now() - since) / 1000) }, 'Redis answers again')
      else if (!wasUp) log.info('connected to Redis')
      wasUp = true
      since = null
      lastError = undefined
    },
  }
}
