import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { memoryLimits, startTestApp, type TestApp } from '#server/testing/app.ts'
import { openTestDatabase } from '#server/testing/database.ts'
import { createLimits, type Limits } from './limits.ts'

const redisUrl = inject('redisUrl')

async function passedOf(limits: Limits[], tries: number) {
  const limit = { name: `test-${Math.random()}`, points: 3, seconds: 60 }
  const results = await Promise.allSettled(
    Array.from({ length: tries }, (_, i) => (limits[i % limits.length] as Limits)(limit, 'somebody')),
  )
  return results.filter(({ status }) => status === 'fulfilled').length
}

test('in memory, tries beyond the limit are refused with the wait in words', async () => {
  const limits = memoryLimits()
  const limit = { name: 'letters', points: 1, seconds: 600 }
  await limits(limit, 'anna')
  await expect(limits(limit, 'anna')).rejects.toMatchObject({
    code: 'too_many_requests',
    message: 'Слишком много попыток. Повторите через 10 мин.',
  })
  await limits(limit, 'boris')
})

test('a try that is given back leaves room for another, wherever tries are counted', async () => {
  const database = await openTestDatabase()
  const redis = redisUrl ? new Redis(redisUrl) : null
  for (const limits of [
    memoryLimits(),
    createLimits({ redis: null, pool: database.pool }),
    createLimits({ redis, pool: null }),
  ]) {
    const limit = { name: `back-${Math.random()}`, points: 2, seconds: 60 }
    await limits(limit, 'anna')
    await limits(limit, 'anna')
    await limits(limit, 'anna', 'give back')
    await limits(limit, 'anna')
    await expect(limits(limit, 'anna')).rejects.toMatchObject({ code: 'too_many_requests' })
  }
  redis?.disconnect()
  await database.close()
})

test.skipIf(!redisUrl)('across instances with Redis, parallel tries share one count', async () => {
  const instances = [new Redis(String(redisUrl)), new Redis(String(redisUrl))]
  expect(
    await passedOf(
      instances.map((redis) => createLimits({ redis, pool: null })),
      20,
    ),
  ).toBe(3)
  for (const redis of instances) redis.disconnect()
})

test('across instances with Postgres, parallel tries share one count', async (context) => {
  const database = await openTestDatabase()
  const { pool } = database
  if (!pool) {
    await database.close()
    return context.skip()
  }
  expect(await passedOf([createLimits({ redis: null, pool }), createLimits({ redis: null, pool })], 20)).toBe(3)
  await database.close()
})

describe('sign-in calls', () => {
  let world: TestApp
  beforeAll(async () => {
    world = await startTestApp({
      deps: {
        limits: memoryLimits(),
        settings: {
          production: false,
          appUrl: 'http://localhost:3000',
          trustedOrigins: ['http://localhost:3000'],
          trustedProxies: 1,
          metricsToken: null,
          defaultModel: 'gpt-4.1-mini',
        },
      },
    })
  })
  afterAll(() => world.close())

  const from = (ip: string) => ({ 'x-forwarded-for': ip })

  test('one address gets 5 letters in 10 minutes, whoever asks', async () => {
    const statuses = []
    for (let i = 0; i < 6; i++) {
      const email = i % 2 ? 'flood@example.test' : 'Flood@Example.test'
      const response = await world.visitor().post('/api/auth/sign-in/magic-link', { email }, from(`203.0.113.${i}`))
      statuses.push(response.status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })

  test('password guessing is held back at 10 a minute from one place, with Retry-After', async () => {
    const guess = (ip: string) =>
      world.visitor().post('/api/auth/sign-in/email', { email: 'a@example.test', password: 'guess-guess' }, from(ip))
    for (let i = 0; i < 10; i++) expect((await guess('198.51.100.1')).status).toBe(401)
    const refused = await guess('198.51.100.1')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.json()).toMatchObject({ status: 429, code: 'too_many_requests' })
    expect((await guess('198.51.100.2')).status).toBe(401)
  })

  test('a reset letter goes to one address 3 times in 10 minutes, by either name of the call', async () => {
    const statuses = []
    for (const path of ['request-password-reset', 'forget-password', 'request-password-reset', 'forget-password']) {
      const response = await world.visitor().post(`/api/auth/${path}`, { email: 'reset@example.test', redirectTo: '/' })
      statuses.push(response.status)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
  })
})
