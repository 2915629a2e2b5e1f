import { createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { dayZoneOf } from '#contract/day-zone.ts'
import { projectsApi } from '#contract/projects.ts'
import { emailsTo, PASSWORD, withPassword } from '#server/auth/testing/steps.ts'
import { newSignInEmail } from '#server/email/templates/security.ts'
import { setDayZone } from '#server/lib/day-zone.ts'
import { openLog } from '#server/lib/log.ts'
import { openRedis, type RedisLink } from '#server/realtime/redis.ts'
import { memoryLimits, startTestApp, type TestApp } from '#server/testing/app.ts'
import { openTestDatabase } from '#server/testing/database.ts'
import type { LimitRow } from './limit-table.ts'
import { createLimits, formatWait } from './limits.ts'

const redisUrl = inject('redisUrl')
const log = openLog('silent')
const openTestRedis = (prefix = `test-${process.pid}:`) => openRedis({ url: String(redisUrl), prefix, log })

const memory = { redis: null, pool: null }
const unset = () => Promise.reject(new Error('no limits'))
type Stores = Parameters<typeof createLimits>[0]
const row = (points: number, seconds: number, per: LimitRow['per'] = 'user') => ({ title: '', per, points, seconds })

/** Limits with a uniquely named row, so that tests on one store do not interfere. */
type Count = (key: string, action?: 'give back') => ReturnType<ReturnType<typeof createLimits>>
function limitsOf(limit: LimitRow, ...stores: Stores[]): Count[] {
  const name = `test-${Math.random()}`
  return stores.map((store) => {
    const limits = createLimits<string>(store, { [name]: limit })
    return (key, action) => limits(name, key, action)
  })
}

async function passedOf(stores: Stores[], tries: number) {
  const limits = limitsOf(row(3, 60), ...stores)
  const results = await Promise.allSettled(
    Array.from({ length: tries }, (_, i) => limits[i % limits.length]?.('a-user')),
  )
  return results.filter(({ status }) => status === 'fulfilled').length
}

test('in memory, tries beyond the limit are refused with the wait', async () => {
  const [limits = unset] = limitsOf(row(1, 600), memory)
  await limits('anna')
  await expect(limits('anna')).rejects.toMatchObject({
    code: 'too_many_requests',
    message: 'Слишком много попыток. Повторите через 10 мин.',
  })
  expect(await limits('boris')).toEqual({ limit: 1, left: 0, resetMs: expect.any(Number) })
})

test('in memory, tries are allowed again after the limit’s time', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const [limits = unset] = limitsOf(row(1, 30), memory)
  await limits('anna')
  await expect(limits('anna')).rejects.toMatchObject({ code: 'too_many_requests' })
  await vi.advanceTimersByTimeAsync(30_001)
  await limits('anna')
})

test('a rejection names the limit and when it ends', async () => {
  const [limits = unset] = limitsOf({ ...row(1, 40), rejection: 'Слишком много сообщений подряд.' }, memory)
  await limits('anna')
  await expect(limits('anna')).rejects.toMatchObject({
    message: 'Слишком много сообщений подряд. Продолжить можно через 40 с.',
    retryAfterSeconds: 40,
  })
  const noon = Date.parse('2026-03-01T09:00:00Z')
  expect(formatWait(59, noon)).toBe('через 59 с')
  expect(formatWait(61, noon)).toBe('через 2 мин')
  expect(formatWait(3600, noon)).toBe('после 13:00 по Москве')
  expect(formatWait(3601, noon)).toBe('после 13:01 по Москве')
  expect(formatWait(13 * 3600, noon)).toBe('завтра после 01:00 по Москве')
  expect(formatWait(72 * 3600, noon)).toBe('после 4 марта')
})

test('hours and days are named by the zone of the country (S10.1552)', () => {
  const noon = Date.parse('2026-03-01T09:00:00Z')
  const { text } = newSignInEmail({ to: 'a@example.test', appName: 'Символ', appUrl: '', at: new Date(noon) })
  expect(text).toContain('12:00 по Москве')
  setDayZone(dayZoneOf('BY'))
  try {
    expect(formatWait(3600, noon)).toBe('после 13:00 по Минску')
    const own = newSignInEmail({ to: 'a@example.test', appName: 'Символ', appUrl: '', at: new Date(noon) })
    expect(own.text).toContain('12:00 по Минску')
  } finally {
    setDayZone(dayZoneOf('RU'))
  }
})

test('an IPv6 /64 has its own count, its /48 a larger count', async () => {
  const [limits = unset] = limitsOf(row(2, 600, 'network'), memory)
  await limits('2001:db8:1:2::1')
  await limits('2001:0DB8:1:2::2')
  await expect(limits('2001:db8:1:2:3::3')).rejects.toMatchObject({ code: 'too_many_requests' })
  for (let i = 0; i < 14; i++) await limits(`2001:db8:1:${100 + i}::1`)
  await expect(limits('2001:db8:1:200::1')).rejects.toMatchObject({ code: 'too_many_requests' })
  await limits('2001:db8:2:200::1')
  await limits('203.0.113.9')
})

test('a returned attempt allows another, in every store', async () => {
  const database = await openTestDatabase()
  const redis = redisUrl ? await openTestRedis() : null
  for (const limits of limitsOf(row(2, 60), memory, { redis: null, pool: database.pool }, { redis, pool: null })) {
    await limits('anna')
    await limits('anna')
    await limits('anna', 'give back')
    await limits('anna')
    await expect(limits('anna')).rejects.toMatchObject({ code: 'too_many_requests' })
  }
  redis?.close()
  await database.close()
})

test.skipIf(!redisUrl)('across instances with Redis, parallel tries share a count', async () => {
  const instances = [await openTestRedis(), await openTestRedis()]
  expect(
    await passedOf(
      instances.map((redis) => ({ redis, pool: null })),
      20,
    ),
  ).toBe(3)
  for (const redis of instances) redis.close()
})

test.skipIf(!redisUrl)('two installations on the same Redis count separately', async () => {
  const [one, other] = [await openTestRedis(), await openTestRedis('other:')]
  const [first = unset, second = unset] = limitsOf(row(1, 60), { redis: one, pool: null }, { redis: other, pool: null })
  await first('anna')
  await expect(first('anna')).rejects.toMatchObject({ code: 'too_many_requests' })
  await second('anna')
  for (const link of [one, other]) link.close()
})

/** Redis whose commands never return, until the link notices. */
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

async function endsAfterASecond(call: Promise<unknown>) {
  let isDone = false
  const done = call.then(() => {
    isDone = true
  })
  await vi.advanceTimersByTimeAsync(999)
  expect(isDone).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await done
}

function stopTime() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

test('a hanging Redis delays a single call, then another store counts', async () => {
  stopTime()
  const redis = frozenRedis()
  const [limits = unset] = limitsOf(row(2, 60), { redis: redis.link, pool: null })
  await endsAfterASecond(limits('anna'))
  // The fake timers do not advance here, so a call that waits for a timeout would never end.
  await limits('anna')
  await expect(limits('anna')).rejects.toMatchObject({ code: 'too_many_requests' })
  expect(redis.calls()).toBe(1)
})

test('a hanging Postgres delays a single call, then memory counts', async () => {
  const sockets = new Set<Socket>()
  const mute = createServer((socket) => sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1')
  await new Promise((done) => mute.once('listening', done))
  const { port } = mute.address() as { port: number }
  const pool = new pg.Pool({ connectionString: `postgres://user@127.0.0.1:${port}/none` })
  pool.on('error', () => {})
  stopTime()
  const [limits = unset] = limitsOf(row(2, 60), { redis: null, pool })
  await endsAfterASecond(limits('anna'))
  await limits('anna')
  await expect(limits('anna')).rejects.toMatchObject({ code: 'too_many_requests' })
  await expect.poll(() => sockets.size).toBe(1)
  for (const socket of sockets) socket.destroy()
  mute.close()
})

test('across instances with Postgres, parallel tries share a count', async (context) => {
  const database = await openTestDatabase()
  const { pool } = database
  if (!pool) {
    await database.close()
    return context.skip()
  }
  expect(
    await passedOf(
      [
        { redis: null, pool },
        { redis: null, pool },
      ],
      20,
    ),
  ).toBe(3)
  await database.close()
})

describe('sign-in calls', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({
      deps: { limits: memoryLimits() },
      settings: { trustedProxies: 1 },
    })
  })
  afterAll(() => app.close())

  const from = (ip: string) => ({ 'x-forwarded-for': ip })

  test('an address gets 5 emails in 10 minutes, from any client', async () => {
    const statuses = []
    for (let i = 0; i < 6; i++) {
      const email = i % 2 ? 'flood@example.test' : 'Flood@Example.test'
      const response = await app.visitor().post('/api/auth/sign-in/magic-link', { email }, from(`203.0.113.${i}`))
      statuses.push(response.status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })

  test('password guessing is limited to 10 a minute, with Retry-After', async () => {
    let tries = 0
    const guess = (ip: string) => {
      const body = { email: `a-${++tries}@example.test`, password: 'guess-guess' }
      return app.visitor().post('/api/auth/sign-in/email', body, from(ip))
    }
    for (let i = 0; i < 10; i++) expect((await guess('198.51.100.1')).status).toBe(401)
    const refused = await guess('198.51.100.1')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.json()).toMatchObject({ status: 429, code: 'too_many_requests' })
    expect((await guess('198.51.100.2')).status).toBe(401)
  })

  test('an address gets 5 reset emails in 10 minutes, by either call', async () => {
    const statuses = []
    for (let i = 0; i < 6; i++) {
      const path = i % 2 ? 'forget-password' : 'request-password-reset'
      const response = await app.visitor().post(`/api/auth/${path}`, { email: 'reset@example.test', redirectTo: '/' })
      statuses.push(response.status)
    }
    expect(statuses).toEqual([...Array(5).fill(200), 429])
  })

  test('an account’s password cannot be guessed from many networks', async () => {
    const { email } = await withPassword(app)
    const guess = (network: number, password: string) =>
      app.visitor().post('/api/auth/sign-in/email', { email, password }, from(`2001:db8:${network}:1::1`))
    const statuses = []
    for (let i = 0; i < 12; i++) statuses.push((await guess(i, 'wrong password')).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
    expect((await guess(50, PASSWORD)).status).toBe(429)
    expect(
      (await app.visitor().post('/api/auth/sign-in/email', { email: ` ${email.toUpperCase()}`, password: 'x' })).status,
    ).toBe(429)
    const mail = await app.visitor().post('/api/auth/sign-in/magic-link', { email }, from('203.0.113.77'))
    expect(mail.status).toBe(200)
  })

  test('right passwords are not counted as tries', async () => {
    const { email } = await withPassword(app)
    for (let i = 0; i < 15; i++) {
      const answer = await app
        .visitor()
        .post('/api/auth/sign-in/email', { email, password: PASSWORD }, from(`192.0.2.${i}`))
      expect(answer.status).toBe(200)
    }
  })

  test('a stolen session cannot guess the password by any call', async () => {
    const [anna, boris] = [await withPassword(app), await withPassword(app)]
    for (const path of ['verify-password', 'update-session'])
      expect((await boris.post(`/api/auth/${path}`, { password: PASSWORD })).status).toBe(404)
    const wrong = [
      () =>
        anna.post('/api/auth/change-password', { currentPassword: 'wrong password', newPassword: 'another password' }),
      () => anna.post('/api/auth/delete-user', { password: 'wrong password' }),
    ]
    const statuses = []
    for (let i = 0; i < 7; i++) statuses.push((await wrong[i % 2]?.())?.status)
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429])
    const right = { currentPassword: PASSWORD, newPassword: 'another password' }
    expect((await anna.post('/api/auth/change-password', right)).status).toBe(429)
  })

  test('a mailbox gets six emails in ten minutes, whatever their kind', async () => {
    const email = 'victim@example.test'
    await app.visitor().post('/api/auth/sign-up/email', { email, password: PASSWORD, name: 'Анна' }, from('192.0.2.50'))
    // Each correct password of an unverified account sends an email, from any number of networks.
    for (let i = 0; i < 10; i++)
      await app.visitor().post('/api/auth/sign-in/email', { email, password: PASSWORD }, from(`192.0.3.${i}`))
    const response = await app
      .visitor()
      .post('/api/auth/sign-in/magic-link', { email: 'Victim+spam@example.test' }, from('192.0.2.51'))
    expect(response.status).toBe(429)
    expect(await response.json()).toMatchObject({ message: expect.stringMatching(/^На этот адрес уже ушло/) })
    await expect.poll(() => emailsTo(app, email)).toHaveLength(6)
  })

  test('repeated requests to delete an account are limited', async () => {
    const anna = await app.signIn('leaving@example.test')
    const statuses = []
    for (let i = 0; i < 7; i++) statuses.push((await anna.post('/api/auth/delete-user', {})).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect(emailsTo(app, 'leaving@example.test')).toHaveLength(6)
  })
})

test('a malformed request is not a use of its limit (S10.1609)', async () => {
  const app = await startTestApp({ deps: { limits: memoryLimits() } })
  onTestFinished(() => app.close())
  const anna = await app.signIn()
  const create = (body: object) => anna.post(projectsApi.create.path, body)
  const statuses = new Set<number>()
  for (let i = 0; i < 40; i += 1) statuses.add((await create({ name: 5 })).status)
  expect([...statuses]).toEqual([400])
  for (let i = 0; i < 30; i += 1) expect((await create({ name: `Проект ${i}` })).status).toBe(200)
  expect((await create({ name: 'Ещё один' })).status).toBe(429)
})
