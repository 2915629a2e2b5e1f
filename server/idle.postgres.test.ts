import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { freePort } from '../scripts/lib/services.mjs'
import { openTestDatabase } from './testing/database.ts'
import { nodeArgs } from './testing/node-args.ts'

const QUERY = 'Q'.charCodeAt(0)
const EXECUTE = 'E'.charCodeAt(0)

/** Counts the statements in what a client sends: after the first message each has a type and a length. */
function createCounter() {
  let rest = Buffer.alloc(0)
  let isStarted = false
  return (data: Buffer): number => {
    rest = Buffer.concat([rest, data])
    let statements = 0
    for (;;) {
      const at = isStarted ? 1 : 0
      if (rest.length < at + 4) return statements
      const length = at + rest.readInt32BE(at)
      if (rest.length < length) return statements
      if (isStarted && (rest[0] === QUERY || rest[0] === EXECUTE)) statements += 1
      isStarted = true
      rest = rest.subarray(length)
    }
  }
}

/** Stands between a server and Postgres. */
async function startCounting(url: string) {
  const { hostname, port } = new URL(url)
  let statements = 0
  const proxy = createServer((client) => {
    const count = createCounter()
    const database = connect(Number(port), hostname)
    client.on('data', (data: Buffer) => {
      statements += count(data)
    })
    client.pipe(database).pipe(client)
    for (const end of [client, database]) end.on('error', () => client.destroy()).on('close', () => database.destroy())
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const counted = new URL(url)
  counted.hostname = '127.0.0.1'
  counted.port = String((proxy.address() as AddressInfo).port)
  return { url: counted.href, statements: () => statements, close: () => proxy.close() }
}

const SETTLE_MS = 10_000
const WATCH_MS = 40_000
const MOST_PER_SECOND = 1
/** A timer may fire once more at the edges. */
const SLACK = 1.2

test.runIf('url' in inject('snapshot'))(
  'an idle server sends at most a statement per second (S10.719)',
  { timeout: 300_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'symbol-idle-'))
    const database = await openTestDatabase()
    const proxy = await startCounting(database.url ?? '')
    const env = { PATH: dirname(process.execPath), DATA_DIR: folder, PORT: String(await freePort()) }
    const server = spawn(process.execPath, nodeArgs('server'), { env: { ...env, DATABASE_URL: proxy.url } })
    const exited = once(server, 'exit')
    let output = ''
    for (const stream of [server.stdout, server.stderr]) stream.on('data', (data) => (output += data))
    try {
      await expect.poll(() => output, { timeout: 150_000 }).toContain('Сборка:')
      await pause(SETTLE_MS)
      const [before, since] = [proxy.statements(), performance.now()]
      await pause(WATCH_MS)
      const seconds = (performance.now() - since) / 1000
      const sent = proxy.statements() - before
      expect(sent).toBeGreaterThan(0)
      expect(sent / seconds).toBeLessThan(MOST_PER_SECOND * SLACK)
    } finally {
      server.kill('SIGKILL')
      await exited
      proxy.close()
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
