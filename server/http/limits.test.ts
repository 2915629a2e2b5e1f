import { createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openLog } from '#server/lib/log.ts'
import { openRedis, type RedisLink } from '#server/realtime/redis.ts'
import { memoryLimits, startTestApp, type TestApp } from '#server/testing/app.ts'
import { openTestDatabase } from '#server/testing/database.ts'
import { createLimits, type Limits } from './limits.ts'

const redisUrl = inject('redisUrl')
const log = openLog('silent')
const openTestRedis = (prefix = `test-${process.pid}:`) => openRedis({ url: String(redisUrl), prefix, log })

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
  const redis = redisUrl ? await openTestRedis() : null
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
  redis?.close()
  await database.close()
})

test.skipIf(!redisUrl)('across instances with Redis, parallel tries share one count', async () => {
  const instances = [await openTestRedis(), await openTestRedis()]
  expect(
    await passedOf(
      instances.map((redis) => createLimits({ redis, pool: null })),
      20,
    ),
  ).toBe(3)
  for (const redis of instances) redis.close()
})

test.skipIf(!redisUrl)('two installations on one Redis count apart', async () => {
  const [one, other] = [await openTestRedis(), await openTestRedis('other:')]
  const limit = { name: `apart-${Math.random()}`, points: 1, seconds: 60 }
  await createLimits({ redis: one, pool: null })(limit, 'anna')
  await createLimits({ redis: other, pool: null })(limit, 'anna')
  for (const link of [one, other]) link.close()
})

/** Redis whose commands never return, as of a frozen server, until the link notices. */
function frozenRedis() {
  let calls = 0
  let isUp = true
  const link = {
    prefix: 'frozen:',
    isUp: () => isUp,
    suspect: () => {
      isUp = false
    },
    client: {
      status: 'ready',
      defineCommand: () => {},
      rlflxIncr: () => {
        calls += 1
        return new Promise(() => {})
      },
    } as unknown as RedisLink['client'],
  }
  return { link, calls: () => calls }
}

test('a Redis that hangs costs one call a second, then the limit is counted elsewhere at once', async () => {
  const redis = frozenRedis()
  const limits = createLimits({ redis: redis.link, pool: null })
  const limit = { name: 'letters', points: 2, seconds: 60 }
  const started = performance.now()
  await limits(limit, 'anna')
  expect(performance.now() - started).toBeLessThan(1500)
  const again = performance.now()
  await limits(limit, 'anna')
  await expect(limits(limit, 'anna')).rejects.toMatchObject({ code: 'too_many_requests' })
  expect(performance.now() - again).toBeLessThan(200)
  expect(redis.calls()).toBe(1)
})

test('a Postgres that hangs costs one call a second, then memory counts and the pool is left alone', async () => {
  const sockets = new Set<Socket>()
  const mute = createServer((socket) => sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1')
  await new Promise((done) => mute.once('listening', done))
  const { port } = mute.address() as { port: number }
  const pool = new pg.Pool({ connectionString: `postgres://nobody@127.0.0.1:${port}/none` })
  pool.on('error', () => {})
  const limits = createLimits({ redis: null, pool })
  const limit = { name: 'letters', points: 2, seconds: 60 }
  const started = performance.now()
  await limits(limit, 'anna')
  expect(performance.now() - started).toBeGreaterThan(900)
  await limits(limit, 'anna')
  await expect(limits(limit, 'anna')).rejects.toMatchObject({ code: 'too_many_requests' })
  expect(performance.now() - started).toBeLessThan(1800)
  expect(sockets.size).toBe(1)
  for (const socket of sockets) socket.destroy()
  mute.close()
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
