import type { Redis } from 'ioredis'
import type pg from 'pg'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '#server/lib/errors.ts'

export interface Limit {
  name: string
  points: number
  seconds: number
  /** Counted by this instance alone. */
  isLocal?: boolean
}

/** Counts one try; refuses with 429 when there were too many. A try that turns out to be fine may be given back. */
export type Limits = (limit: Limit, key: string, act?: 'count' | 'give back') => Promise<void>

/** Where counters live: Redis or Postgres when instances share one, otherwise memory. */
export function createLimits(store: { redis: Redis | null; pool: pg.Pool | null }): Limits {
  const limiters = new Map<string, RateLimiterMemory | RateLimiterRedis | RateLimiterPostgres>()

  function limiterFor({ name, points, seconds, isLocal }: Limit) {
    const known = limiters.get(name)
    if (known) return known
    const options = { keyPrefix: name, points, duration: seconds }
    const limiter = isLocal
      ? new RateLimiterMemory(options)
      : store.redis
        ? new RateLimiterRedis({
            ...options,
            storeClient: store.redis,
            insuranceLimiter: new RateLimiterMemory(options),
          })
        : store.pool
          ? new RateLimiterPostgres({
              ...options,
              storeClient: store.pool,
              tableName: 'rate_limits',
              tableCreated: true,
              insuranceLimiter: new RateLimiterMemory(options),
            })
          : new RateLimiterMemory(options)
    limiters.set(name, limiter)
    return limiter
  }

  return async (limit, key, act = 'count') => {
    if (act === 'give back') {
      await limiterFor(limit).reward(key)
      return
    }
    try {
      await limiterFor(limit).consume(key)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      throw new TooManyRequests(Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)))
    }
  }
}

export class TooManyRequests extends AppError {
  constructor(retryAfterSeconds: number) {
    super('too_many_requests', `Слишком много попыток. Повторите ${waitInWords(retryAfterSeconds)}.`, {
      retryAfterSeconds,
    })
  }
}

function waitInWords(seconds: number): string {
  return seconds < 60 ? `через ${seconds} с` : `через ${Math.ceil(seconds / 60)} мин`
}
