import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { openLog } from '#server/lib/log.ts'
import { makeDataDir } from '#server/testing/migrated.ts'
import { nodeArgs } from '#server/testing/node-args.ts'
import { freePort } from '../../scripts/lib/services.mjs'
import { type BusEvent, redisBus } from './bus.ts'
import { openRedis, type RedisLink } from './redis.ts'

/** A Redis of this test, killed and frozen under a real server process. */

const hasRedis = inject('redisUrl') !== null
// A new folder for every try: a retry must not meet the lock of the try before.
let folder = ''
const running = new Map<ChildProcess, Promise<unknown>>()
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'symbol-redis-test-'))
})
afterEach(async () => {
  for (const child of running.keys()) child.kill('SIGKILL')
  await Promise.all(running.values())
  running.clear()
  rmSync(folder, { recursive: true, force: true })
})

function startRedis(port: number): ChildProcess {
  const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder], {
    stdio: 'ignore',
  })
  running.set(child, once(child, 'exit'))
  return child
}

function startServer(env: Record<string, string>) {
  const child = spawn(process.execPath, nodeArgs('server'), {
    env: { PATH: dirname(process.execPath), DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'info', ...env },
  })
  running.set(child, once(child, 'exit'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => {
      output += data.toString()
    })
  }
  return { child, output: () => output }
}

const published: BusEvent = { type: 'session-ended', sessionId: 's1' }

test.skipIf(!hasRedis)(
  'a server starts without Redis and works while it is frozen',
  async () => {
    await makeDataDir(join(folder, 'data'))
    const [port, redisPort] = [await freePort(), await freePort()]
    const server = startServer({
      PORT: String(port),
      REDIS_URL: `redis://127.0.0.1:${redisPort}`,
      REDIS_PREFIX: 'mine:',
    })
    await expect.poll(server.output, { timeout: 100_000 }).toContain('server: started, accepting requests')
    expect(server.output()).toContain('redis: unavailable')
    const timed = async (path: string, init: RequestInit = {}) => {
      const started = performance.now()
      const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
      return { status: response.status, body: await response.text(), ms: performance.now() - started }
    }
    const degraded = async () => JSON.parse((await timed('/api/health/ready')).body).degraded
    const outages = () => server.output().match(/redis: unavailable/g)?.length ?? 0
    let people = 0
    async function answersAsUsual() {
      const link = await timed('/api/auth/sign-in/magic-link', {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: `http://localhost:${port}` },
        body: JSON.stringify({ email: `person-${++people}@example.test` }),
      })
      const session = await timed('/api/auth/get-session')
      const ready = await timed('/api/health/ready')
      expect([link.status, session.status, ready.status]).toEqual([200, 200, 200])
      // A frozen Redis may cost its one second, never the time-out of its socket.
      expect(Math.max(link.ms, session.ms, ready.ms)).toBeLessThan(5000)
    }

    await answersAsUsual()
    expect(await degraded()).toEqual(['redis'])
    let redis = startRedis(redisPort)
    await expect.poll(degraded, { timeout: 10_000 }).toEqual([])

    const stranger = new Redis(redisPort, '127.0.0.1')
    for (const text of ['not json', '{}', '{"from":"x","event":{"type":"unknown"}}'])
      expect(await stranger.publish('mine:events', text)).toBe(1)
    stranger.disconnect()
    await answersAsUsual()

    redis.kill('SIGSTOP')
    await answersAsUsual()
    await expect.poll(degraded, { timeout: 10_000 }).toEqual(['redis'])
    await answersAsUsual()
    expect((await timed('/metrics')).body).toMatch(/^redis_up 0$/m)
    await expect.poll(outages, { timeout: 10_000 }).toBe(2)
    redis.kill('SIGCONT')
    await expect.poll(degraded, { timeout: 10_000 }).toEqual([])

    redis.kill('SIGKILL')
    await answersAsUsual()
    expect(await degraded()).toEqual(['redis'])
    redis = startRedis(redisPort)
    await expect.poll(degraded, { timeout: 10_000 }).toEqual([])
    expect((await timed('/metrics')).body).toMatch(/^redis_up 1$/m)

    expect(server.child.exitCode).toBeNull()
    expect(outages()).toBe(3)
    expect(server.output().match(/redis: available again/g)).toHaveLength(3)
    expect(server.output()).not.toContain('background: failed')
    redis.kill('SIGKILL')
    const stopped = once(server.child, 'exit')
    server.child.kill('SIGTERM')
    expect((await stopped)[0]).toBe(0)
  },
  180_000,
)

test.skipIf(!hasRedis)(
  'events of a frozen time are lost, and sending never waits',
  async () => {
    const port = await freePort()
    const redis = startRedis(port)
    const log = openLog('silent')
    const open = () => openRedis({ url: `redis://127.0.0.1:${port}`, prefix: 'two:', log })
    const links: RedisLink[] = [await open(), await open()]
    const buses = links.map((link) => redisBus(link, log))
    const received = buses.map((bus) => {
      const items: BusEvent[] = []
      bus.listen((item) => items.push(item))
      return items
    })
    const areUp = () => links.map((link) => link.isUp())
    await expect.poll(areUp, { timeout: 10_000 }).toEqual([true, true])
    const before = buses[0]?.outages() ?? Number.NaN
    redis.kill('SIGSTOP')
    await expect.poll(areUp, { timeout: 10_000 }).toEqual([false, false])
    expect(buses[0]?.outages()).toBeNull()
    // No `await` in between: this proves that local delivery does not wait for Redis.
    for (let i = 0; i < 1000; i++) buses[0]?.send(published)
    expect(received[0]).toHaveLength(1000)
    // Longer than the socket timeout, so that both reconnect to a server that accepts connections but does not answer.
    await new Promise((done) => setTimeout(done, 7000))
    redis.kill('SIGCONT')
    await expect.poll(areUp, { timeout: 10_000 }).toEqual([true, true])
    expect(buses[0]?.outages()).toBeGreaterThan(before)
    expect(received[1]).toEqual([])
    buses[0]?.send(published)
    await expect.poll(() => received[1]).toEqual([published])
    for (const link of links) link.close()
    redis.kill('SIGKILL')
  },
  60_000,
)
