import { once } from 'node:events'
import { Agent, type IncomingMessage, request, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { drain, listen } from './listen.ts'

/** The longest time for which a proxy named in docs/operations/proxy.md keeps an idle connection to us. */
const LONGEST_PROXY_SECONDS = 600
/** Headers that drip must not hold a connection for as long. */
const HEADERS_MS = 60_000

let server: Server
let isDraining = false
let answerMs = 0
afterEach(() => {
  isDraining = false
  answerMs = 0
  server.closeAllConnections()
  server.close()
})

async function open(): Promise<number> {
  const fetch = async () => {
    if (answerMs > 0) await pause(answerMs, undefined, { ref: false })
    return new Response('ok')
  }
  server = await listen(fetch, { host: '127.0.0.1', port: 0, isDraining: () => isDraining })
  return (server.address() as AddressInfo).port
}

async function ask(port: number, agent: Agent): Promise<IncomingMessage> {
  const sent = request({ port, host: '127.0.0.1', agent, method: 'POST' }).end('body')
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  await once(answer.resume(), 'end')
  return answer
}

const REQUEST = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody'

/** A connection that has served one request and is idle, as a proxy keeps it. */
async function openIdle(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  socket.write(REQUEST)
  await once(socket, 'data')
  return socket
}

test('an idle connection stays open longer than any named proxy keeps it (S10.542)', async () => {
  const agent = new Agent({ keepAlive: true })
  const answer = await ask(await open(), agent)
  const [, seconds] = /timeout=(\d+)/.exec(String(answer.headers['keep-alive'])) ?? []
  expect(Number(seconds)).toBeGreaterThan(LONGEST_PROXY_SECONDS)
  expect(server.headersTimeout).toBeLessThanOrEqual(HEADERS_MS)
  agent.destroy()
})

test('a server that is stopping ends each connection with its answer (S10.542)', async () => {
  const port = await open()
  const agent = new Agent({ keepAlive: true })
  expect((await ask(port, agent)).headers.connection).toBe('keep-alive')
  isDraining = true
  expect((await ask(port, agent)).headers.connection).toBe('close')
  agent.destroy()
})

test('a stopping server answers running requests and closes idle connections (S10.542)', async () => {
  const port = await open()
  const [busy, idle] = [await openIdle(port), await openIdle(port)]
  isDraining = true
  busy.write(REQUEST)
  const drained = drain(server, 5000)
  const [answered] = await Promise.all([once(busy, 'data'), once(idle.resume(), 'end'), drained])
  expect(answered.join()).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*connection: close/i)
})

test('a stopping server waits for a slow answer (S10.542)', async () => {
  const port = await open()
  const slow = await openIdle(port)
  answerMs = 1200
  slow.write(REQUEST)
  const [[answered]] = await Promise.all([once(slow, 'data'), drain(server, 60_000)])
  expect(answered).toMatch(/^HTTP\/1\.1 200 OK/)
})

test('a stopping server closes what takes longer than it may (S10.542)', async () => {
  const port = await open()
  const endless = await openIdle(port)
  answerMs = 60_000
  endless.write(REQUEST)
  await Promise.all([once(endless.resume(), 'close'), drain(server, 100)])
  expect(endless.bytesRead).toBeGreaterThan(0)
})
