import type pg from 'pg'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import { dayZone } from '#server/lib/day-zone.ts'
import { AppError } from '#server/lib/errors.ts'
import type { RedisLink } from '#server/realtime/redis.ts'
import { networkOf, wideNetworkOf } from './client-ip.ts'
import { type LimitName, type LimitRow, limitTable, type TotalName } from './limit-table.ts'
import { countLimitRejection } from './metrics.ts'

interface Limit extends LimitRow {
  name: string
}

/** A counter after an attempt. */
export interface LimitState {
  limit: number
  left: number
  resetMs: number
}

/**
 * Counts one attempt; throws 429 when there were too many. A successful attempt may be given back. Undefined where
 * nothing is counted.
 */
export type Limits<Name extends string = LimitName> = (
  name: Name,
  key: string,
  action?: 'count' | 'give back',
) => Promise<LimitState | undefined>

type LimiterOptions = { keyPrefix: string; points: number; duration: number }

interface CounterStore {
  create: (options: LimiterOptions) => RateLimiterAbstract
  /** False during an outage, so that only the first calls wait for it. */
  isUp: () => boolean
  succeeded: () => void
  failed: () => void
}

/** A store that takes longer is treated as failed. */
const COUNT_MS = 1000
const RETRY_MS = 5000

/** Counts in the first store that is available: Redis, Postgres, memory. */
export function createLimits<Name extends string = LimitName>(
  where: {
    redis: Pick<RedisLink, 'client' | 'prefix' | 'isUp' | 'suspect'> | null
    pool: pg.Pool | null
  },
  table: Record<Name, LimitRow> = limitTable as Record<string, LimitRow>,
): Limits<Name> {
  const stores = [
    ...(where.redis ? [redisStore(where.redis)] : []),
    ...(where.pool ? [postgresStore(where.pool)] : []),
  ].map(withLimiters)
  const memory = withLimiters(memoryStore)

  async function run(
    limit: Limit,
    action: (limiter: RateLimiterAbstract) => Promise<RateLimiterRes>,
  ): Promise<RateLimiterRes> {
    for (const store of limit.isLocal ? [] : stores) {
      if (!store.isUp()) continue
      try {
        const counted = await inTime(action(store.limiterFor(limit)))
        store.succeeded()
        return counted
      } catch (error) {
        if (error instanceof RateLimiterRes) {
          store.succeeded()
          throw error
        }
        store.failed()
      }
    }
    return action(memory.limiterFor(limit))
  }

  return async (name, key, action = 'count') => {
    let state: LimitState | undefined
    for (const [limit, counted] of countersOf({ ...table[name], name }, key)) {
      try {
        const { remainingPoints, msBeforeNext } = await run(limit, (limiter) =>
          action === 'count' ? limiter.consume(counted) : limiter.reward(counted),
        )
        state ??= { limit: limit.points, left: remainingPoints, resetMs: msBeforeNext }
      } catch (rejection) {
        if (!(rejection instanceof RateLimiterRes)) throw rejection
        noteRejection(name)
        const ended = { limit: limit.points, left: 0, resetMs: rejection.msBeforeNext }
        throw new TooManyRequests(Math.max(1, Math.ceil(ended.resetMs / 1000)), limit.rejection, ended)
      }
    }
    return state
  }
}

/** Customers easily get a whole /48 of IPv6, so it has a counter of its own. */
const WIDE_NETWORK = 8

function countersOf(limit: Limit, key: string): [Limit, string][] {
  if (limit.per !== 'network') return [[limit, key]]
  const wide = wideNetworkOf(key)
  if (!wide) return [[limit, networkOf(key)]]
  return [
    [limit, networkOf(key)],
    [{ ...limit, name: `${limit.name}-48`, points: limit.points * WIDE_NETWORK }, wide],
  ]
}

function withLimiters(store: CounterStore) {
  const limiters = new Map<string, RateLimiterAbstract>()
  return {
    ...store,
    limiterFor: ({ name, points, seconds }: Limit): RateLimiterAbstract => {
      const known = limiters.get(name)
      if (known) return known
      const limiter = store.create({ keyPrefix: name, points, duration: seconds })
      limiters.set(name, limiter)
      return limiter
    },
  }
}

/** The Redis link pings by itself and knows when it is back. */
function redisStore({ client, prefix, isUp, suspect }: Pick<RedisLink, 'client' | 'prefix' | 'isUp' | 'suspect'>) {
  return {
    create: (options: LimiterOptions) =>
      new RateLimiterRedis({
        ...options,
        keyPrefix: `${prefix}limit:${options.keyPrefix}`,
        storeClient: client,
        rejectIfRedisNotReady: true,
      }),
    isUp,
    succeeded: () => {},
    failed: suspect,
  }
}

/** After an error the store is skipped for a while; then one call tries it again. */
function postgresStore(pool: pg.Pool): CounterStore {
  let closedUntil = 0
  return {
    create: (options) =>
      new RateLimiterPostgres({ ...options, storeClient: pool, tableName: 'rate_limits', tableCreated: true }),
    isUp: () => {
      if (closedUntil === 0) return true
      if (performance.now() < closedUntil) return false
      closedUntil = performance.now() + RETRY_MS
      return true
    },
    succeeded: () => {
      closedUntil = 0
    },
    failed: () => {
      closedUntil = performance.now() + RETRY_MS
    },
  }
}

const memoryStore: CounterStore = {
  create: (options) => new RateLimiterMemory(options),
  isUp: () => true,
  succeeded: () => {},
  failed: () => {},
}

async function inTime<T>(counted: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`Nothing was counted in ${COUNT_MS} ms`)), COUNT_MS)
  })
  try {
    return await Promise.race([counted, late])
  } finally {
    clearTimeout(timer)
  }
}

export class TooManyRequests extends AppError {
  /** The counter that has ended; absent when something else than a counter refuses. */
  readonly state: LimitState | undefined

  /** The default message speaks of attempts. */
  constructor(retryAfterSeconds: number, message?: string, state?: LimitState) {
    const wait = formatWait(retryAfterSeconds)
    super(
      'too_many_requests',
      message ? `${message} Продолжить можно ${wait}.` : `Слишком много попыток. Повторите ${wait}.`,
      { retryAfterSeconds },
    )
    this.state = state
  }
}

const HOUR = 3600

/** Waits of an hour or more are shown as a time of day. */
export function formatWait(seconds: number, now = Date.now()): string {
  if (seconds < 60) return `через ${seconds} с`
  if (seconds < HOUR) return `через ${Math.ceil(seconds / 60)} мин`
  const end = new Date(now + seconds * 1000 + 59_999)
  const day = dayNumber(end.getTime()) - dayNumber(now)
  const clock = end.toLocaleTimeString('ru-RU', { hour: '2-digit', minute: '2-digit', timeZone: TIME_ZONE })
  if (day === 0) return `после ${clock} ${dayZone()}`
  if (day === 1) return `завтра после ${clock} ${dayZone()}`
  return `после ${end.toLocaleDateString('ru-RU', { day: 'numeric', month: 'long', timeZone: TIME_ZONE })}`
}

const TIME_ZONE = 'Europe/Moscow'
const dayNumber = (at: number) => Math.floor((at + 3 * HOUR * 1000) / (24 * HOUR * 1000))

const SLOT_MS = 600_000
const SLOTS_IN_HOUR = 6
const SLOTS_IN_DAY = 144

interface Slot {
  slot: number
  count: number
}

const startedAt = new Date()
const rejections = new Map<string, Slot[]>()
const slotOf = (at: number) => Math.floor(at / SLOT_MS)

/** Counts a rejection for the admin screen and for /metrics, in this process since its start. */
export function noteRejection(name: string, now = Date.now()): void {
  countLimitRejection(name)
  const slot = slotOf(now)
  const slots = (rejections.get(name) ?? []).filter((each) => each.slot > slot - SLOTS_IN_DAY)
  const current = slots.at(-1)
  if (current?.slot === slot) current.count += 1
  else slots.push({ slot, count: 1 })
  rejections.set(name, slots)
}

/** Rejections in the last hour and the last day, in steps of ten minutes. */
export function rejectionsOf(name: string, now = Date.now()): { hour: number; day: number } {
  const slots = rejections.get(name) ?? []
  const last = (many: number) =>
    slots.reduce((sum, { slot, count }) => (slot > slotOf(now) - many ? sum + count : sum), 0)
  return { hour: last(SLOTS_IN_HOUR), day: last(SLOTS_IN_DAY) }
}

export const rejectionsSince = () => startedAt

/** The returned function releases the slot. */
export type TakeSlot = (key: string) => () => void

const RETRY_AFTER_SECONDS = 10

export function createSlots(name: TotalName, most: number, message: string): TakeSlot {
  const taken = new Map<string, number>()
  return (key) => {
    const already = taken.get(key) ?? 0
    if (already >= most) {
      noteRejection(name)
      throw new AppError('too_many_requests', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
    }
    taken.set(key, already + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      const left = (taken.get(key) ?? 1) - 1
      if (left > 0) taken.set(key, left)
      else taken.delete(key)
    }
  }
}
