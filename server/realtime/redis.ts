import { setTimeout as pause } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { Log } from '#server/lib/log.ts'

/**
 * The connection to Redis, which may be down or frozen at any time. No command takes longer than a second; callers
 * check `isUp` first and have a fallback.
 */
export interface RedisLink {
  client: Redis
  /** Prefix of every key and channel, so that installations can share a Redis. */
  prefix: string
  isUp: () => boolean
  /** How often it was down; null while it is. */
  outages: () => number | null
  /** Reports a failed command: Redis is not used until the next ping succeeds. */
  suspect: () => void
  /** Never throws and never waits; when Redis is down the message is dropped. */
  publish: (channel: string, text: string) => void
  /** Subscribes for the lifetime of the process, again after every reconnect. Redis counts as down until confirmed. */
  subscribe: (channel: string, listener: (text: string) => void) => void
  /** Subscribes until the returned function is called. Messages published before Redis confirms it are not received. */
  follow: (channel: string, listener: (text: string) => void) => () => void
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
/** A connection that does not answer for this long is dropped. */
const SILENT_MS = 5000
const MAX_RETRY_MS = 2000
const START_MS = 1000
/** A busy process may miss one ping; two mean an outage. */
const MISSED_PINGS = 2

/** Waits up to a second for Redis, then continues without it and connects later. */
export async function openRedis({ url, prefix, log }: RedisOptions): Promise<RedisLink> {
  const { Redis: Client } = await import('ioredis')
  const client = new Client(url, {
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
  const permanent = new Set<string>()
  /** Channels confirmed by Redis on this connection. */
  const subscribed = new Set<string>()
  const outage = watchOutage(log)
  let isSuspected = true
  let outages = 0
  let missed = 0
  let isClosed = false

  function suspect() {
    if (!isSuspected) outages += 1
    isSuspected = true
  }

  for (const connection of [client, reader]) {
    connection.on('error', (error: unknown) => outage.lastError(error))
    connection.on('close', () => {
      suspect()
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
      for (const channel of missing) {
        if (channels.has(channel)) subscribed.add(channel)
        else void reader.unsubscribe(channel).catch(() => {})
      }
      await Promise.all([client.ping(), reader.ping()])
      missed = 0
      isSuspected = false
      outage.end()
    } catch (error) {
      suspect()
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

  const isUp = () =>
    !isSuspected && client.status === 'ready' && [...permanent].every((channel) => subscribed.has(channel))
  const link: RedisLink = {
    client,
    prefix,
    isUp,
    outages: () => (isUp() ? outages : null),
    suspect,
    publish: (channel, text) => {
      if (!isUp()) return
      client.publish(prefix + channel, text).catch((error: unknown) => {
        suspect()
        outage.lastError(error)
      })
    },
    subscribe: (channel, listener) => {
      permanent.add(prefix + channel)
      channels.set(prefix + channel, listener)
      void renew()
    },
    follow: (channel, listener) => {
      const name = prefix + channel
      channels.set(name, listener)
      if (reader.status === 'ready')
        reader.subscribe(name).then(
          () => channels.has(name) && subscribed.add(name),
          () => {},
        )
      return () => {
        channels.delete(name)
        subscribed.delete(name)
        if (reader.status === 'ready') reader.unsubscribe(name).catch(() => {})
      }
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

/** Logs one line when an outage begins and one when it ends. */
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
        { err: lastError ?? new Error('Connection is closed.') },
        'redis: unavailable, reconnecting; events between instances go through the database, limits are counted without it',
      )
    },
    end: () => {
      if (since !== null) log.info({ seconds: Math.round((Date.now() - since) / 1000) }, 'redis: available again')
      else if (!wasUp) log.info('redis: connected')
      wasUp = true
      since = null
      lastError = undefined
    },
  }
}
