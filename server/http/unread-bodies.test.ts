import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Hono } from 'hono'
import { afterAll, expect, test } from 'vitest'
import { AppError } from '#server/lib/errors.ts'
import { openLog } from '#server/lib/log.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { usedBytes } from '#server/testing/memory.ts'
import { withBody } from './body.ts'
import { answerError } from './errors.ts'
import { listen } from './listen.ts'
import type { Env } from './route.ts'
import { UNREAD } from './unread-bodies.ts'

/** Answers that come before the body has been read, over real connections: a rejected client reads why. */

const KB = 1024
const MB = 1024 * KB
const SENTENCE = 'Слишком много правок подряд. Продолжить можно через 57 с.'
const ms = 1500

let port = 0
const statuses: number[] = []
const app = new Hono<Env>()
app.onError((error, c) => {
  const answer = answerError(error, c)
  statuses.push(answer.status)
  return answer
})
app.use(async (c, next) => {
  c.set('log', openLog('silent'))
  await next()
})
const refuse = () => {
  throw new AppError('too_many_requests', SENTENCE)
}
app.get('/', (c) => c.text('ok'))
app.patch('/refused', refuse)
app.post('/upload', refuse)
app.post('/counted', (c) => withBody(c, { mostBytes: MB, caller: 'a' }, ({ length }) => c.text(String(length))))
app.post('/begun', async (c) => {
  const reader = c.req.raw.body?.getReader()
  await reader?.read()
  return refuse()
})
app.post('/cancelled', async (c) => {
  for await (const _ of c.req.raw.body ?? []) break
  return refuse()
})
const server = await closeAfterTests(listen(app.fetch, { host: '127.0.0.1', port: 0, unread: { ...UNREAD, ms } }))
port = (server.address() as AddressInfo).port
afterAll(async () => {
  server.closeAllConnections()
})

interface HttpAnswer {
  status: number
  text: string
  connection: string | undefined
}

function send(agent: Agent, method: string, path: string, body: Buffer, headers: Record<string, string> = {}) {
  return new Promise<HttpAnswer>((done, fail) => {
    const length = headers['transfer-encoding'] ? {} : { 'content-length': body.length }
    const sent = request({ port, host: '127.0.0.1', method, path, agent, headers: { ...length, ...headers } })
    sent.once('error', fail)
    sent.once('response', async (answer) => {
      let text = ''
      for await (const chunk of answer.setEncoding('utf8')) text += chunk
      done({ status: answer.statusCode ?? 0, text, connection: answer.headers.connection })
    })
    if (headers.expect) sent.once('continue', () => sent.end(body))
    else sent.end(body)
  })
}

/** Writes everything before it reads, as simple clients do, and returns what came until the end. */
async function sendRaw(...parts: (string | Buffer)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  for (const part of parts) if (!socket.write(part)) await once(socket, 'drain')
  let text = ''
  for await (const chunk of socket.setEncoding('utf8')) text += chunk
  return text
}
const head = (...lines: string[]) => `${[...lines, 'Host: localhost'].join('\r\n')}\r\n\r\n`

const edit = Buffer.alloc(300 * KB, 'x')

test('each of many refused edits of 300 KB gets its reason (S10.540)', async () => {
  const answers = Array.from({ length: 80 }, async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/refused`, { method: 'PATCH', body: edit })
    return { status: answer.status, text: await answer.text() }
  })
  const refused = { status: 429, text: expect.stringContaining(SENTENCE) }
  expect(await Promise.all(answers)).toEqual(answers.map(() => refused))
})

test.each(['/refused', '/begun', '/cancelled'])(
  'a kept-alive connection serves what follows a rejection: %s (S10.540)',
  async (path) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const sockets = new Set<unknown>()
    agent.on('free', (socket) => sockets.add(socket))
    const method = path === '/refused' ? 'PATCH' : 'POST'
    for (let i = 0; i < 20; i++) {
      expect(await send(agent, method, path, edit)).toMatchObject({
        status: 429,
        text: expect.stringContaining(SENTENCE),
      })
      expect(await send(agent, 'POST', '/counted', edit)).toMatchObject({ status: 200, text: String(edit.length) })
    }
    expect(sockets.size).toBe(1)
    agent.destroy()
  },
)

test('a pipelined request after a refused request is answered (S10.540)', async () => {
  const answered = await sendRaw(
    head('PATCH /refused HTTP/1.1', `Content-Length: ${edit.length}`),
    edit,
    head('GET / HTTP/1.1', 'Connection: close'),
  )
  expect(answered.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 429', 'HTTP/1.1 200'])
})

test.each([
  ['/upload', 429, {}],
  ['/counted', 413, {}],
  ['/counted', 413, { 'transfer-encoding': 'chunked' }],
  ['/upload', 429, { 'transfer-encoding': 'chunked' }],
  ['/begun', 429, {}],
])('30 MB to %s read their %i and that the connection ends (S10.540)', async (path, status, headers) => {
  const agent = new Agent({ keepAlive: true })
  const body = Buffer.alloc(30 * MB)
  for (let i = 0; i < 3; i++) {
    const answered = await send(agent, 'POST', path, body, headers)
    expect(answered).toMatchObject({ status, connection: 'close' })
    expect(JSON.parse(answered.text)).toMatchObject({ status, message: expect.stringMatching(/[а-я]/) })
  }
  agent.destroy()
  const answered = await sendRaw(head(`POST ${path} HTTP/1.1`, `Content-Length: ${body.length}`), body)
  expect(answered).toContain(`HTTP/1.1 ${status}`)
})

test('a client that asks first is refused before it sends its body (S10.541)', async () => {
  const agent = new Agent({ keepAlive: true })
  const refused = await send(agent, 'POST', '/upload', Buffer.alloc(30 * MB), { expect: '100-continue' })
  expect(refused).toMatchObject({ status: 429, connection: 'close', text: expect.stringContaining(SENTENCE) })
  const taken = await send(agent, 'POST', '/counted', edit, { expect: '100-continue' })
  expect(taken).toMatchObject({ status: 200, text: String(edit.length) })
  const short = await send(agent, 'PATCH', '/refused', edit, { expect: '100-continue' })
  expect(short).toMatchObject({ status: 429, connection: 'close' })
  agent.destroy()
})

test('a client that leaves during its body is not a database outage (S10.544)', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.write(head('POST /counted HTTP/1.1', `Content-Length: ${edit.length}`))
  socket.write(edit.subarray(0, 1000), () => socket.resetAndDestroy())
  await once(socket, 'close')
  await expect.poll(() => statuses.at(-1)).toBe(400)
})

test.each([300 * KB, 30 * MB])('a dripping body of %i bytes is cut off after the answer (S10.540)', async (length) => {
  const socket = connect(port, '127.0.0.1')
  const began = performance.now()
  socket.write(head('POST /upload HTTP/1.1', `Content-Length: ${length}`))
  const dripping = setInterval(() => socket.write('x'), 50)
  socket.on('error', () => {})
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  await once(socket, 'close')
  clearInterval(dripping)
  expect(text).toContain(SENTENCE)
  expect(performance.now() - began).toBeGreaterThan(ms - 100)
})

test('dropped bodies do not stay in memory (S10.540)', async () => {
  const body = Buffer.alloc(30 * MB)
  const agent = new Agent({ keepAlive: true })
  const sendMany = async (count: number) => {
    for (let i = 0; i < count; i++) await send(agent, 'POST', '/upload', body)
  }
  await sendMany(3)
  const before = usedBytes()
  await sendMany(10)
  await expect.poll(() => usedBytes() - before).toBeLessThan(60 * MB)
  agent.destroy()
})
