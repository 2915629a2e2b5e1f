import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ping } from '#server/db/client.ts'
import { sqlFolders } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { startTestApp, type TestApp, testApp } from '#server/testing/app.ts'
import { createHealth } from './health.ts'

const app = await testApp()

const askReady = async (app: TestApp['app']) => {
  const response = await app.request('/api/health/ready')
  return { status: response.status, body: await response.json(), response }
}

function stopTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}
async function after<T>(ms: number, answer: Promise<T>): Promise<T> {
  await vi.advanceTimersByTimeAsync(ms)
  return answer
}

test('a working server is ready and lists the services that are down', async () => {
  const health = createHealth(() => ping(app.db))
  const other = await startTestApp({ database: app.database, deps: { health } })
  expect(await askReady(other.app)).toMatchObject({ status: 200, body: { ok: true, degraded: [] } })
  let isDown = true
  health.degradedWhile('redis', () => isDown)
  expect(await askReady(other.app)).toMatchObject({ status: 200, body: { ok: true, degraded: ['redis'] } })
  isDown = false
  expect(await askReady(other.app)).toMatchObject({ body: { degraded: [] } })
  await other.close()
})

test('a stopping server answers 503 with the reason', async () => {
  const health = createHealth(() => ping(app.db))
  const other = await startTestApp({ database: app.database, deps: { health } })
  health.drain()
  const { status, body, response } = await askReady(other.app)
  expect(status).toBe(503)
  expect(body).toMatchObject({ code: 'unavailable', reason: 'draining', retryAfter: 1 })
  expect(response.headers.get('retry-after')).toBe('1')
  await other.close()
})

test('a failing database is 503, not 500, with the reason', async () => {
  const health = createHealth(() => Promise.reject(new Error('Connection terminated')))
  const other = await startTestApp({ database: app.database, deps: { health } })
  expect(await askReady(other.app)).toMatchObject({ status: 503, body: { reason: 'database' } })
  await other.close()
})

test('every check answers within 2 s while the database hangs', async () => {
  let queries = 0
  let thaw = () => {}
  const frozen = new Promise<void>((done) => {
    thaw = done
  })
  const health = createHealth(() => {
    queries += 1
    return frozen
  })
  const other = await startTestApp({ database: app.database, deps: { health } })
  stopTimers()
  const checks = await after(2000, Promise.all(Array.from({ length: 20 }, () => askReady(other.app))))
  for (const { status, body } of checks)
    expect({ status, body }).toMatchObject({ status: 503, body: { reason: 'database' } })
  await after(2000, askReady(other.app))
  expect(queries).toBe(1)
  thaw()
  expect((await askReady(other.app)).status).toBe(200)
  await other.close()
})

test('a Postgres that accepts but never answers does not delay the check', async () => {
  const sockets = new Set<Socket>()
  const mute = createServer((socket) => sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1')
  await new Promise((done) => mute.once('listening', done))
  const { port } = mute.address() as { port: number }
  const frozen = await openDatabase({ url: `postgres://user@127.0.0.1:${port}/none` }, sqlFolders())
  const health = createHealth(() => ping(frozen.db))
  stopTimers()
  expect((await after(2000, health.ready())).reason).toBe('database')
  expect((await after(2000, health.ready())).reason).toBe('database')
  for (const socket of sockets) socket.destroy()
  mute.close()
})

test('an outage has a beginning, and short pauses do not end it (S10.277)', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 })
  onTestFinished(() => void vi.useRealTimers())
  const health = createHealth(async () => {})
  let isOut = true
  health.degradedWhile('models', () => isOut)
  const since = () => health.outages().map((outage) => outage.since.getTime())
  expect(since()).toEqual([0])
  vi.setSystemTime(30_000)
  isOut = false
  expect(since()).toEqual([])
  vi.setSystemTime(50_000)
  isOut = true
  expect(since()).toEqual([0])
  vi.setSystemTime(200_000)
  expect(since()).toEqual([200_000])
})
