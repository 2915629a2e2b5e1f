import { EventEmitter, once } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { promptsApi } from '#contract/prompts.ts'
import { BAD_FRAME, SESSION_ENDED } from '#contract/realtime.ts'
import { usersApi } from '#contract/users.ts'
import type { CurrentSession } from '#server/http/context.ts'
import { defaultTotals, readLimits } from '#server/http/limit-settings.ts'
import { memoryLimits, type SignedIn, testApp } from '#server/testing/app.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { listen } from '#server/testing/port.ts'
import { TEST_ORIGIN, type Visitor } from '#server/testing/visitor.ts'

const app = await testApp()
const server = await closeAfterTests(listen(app))

function connect(visitor: Visitor, { origin = TEST_ORIGIN, path = '/api/websocket', ip = '127.0.0.1', port = 0 } = {}) {
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const socket = new WebSocket(`ws://127.0.0.1:${port || server.port}${path}`, {
    headers: { cookie, 'x-forwarded-for': ip },
    origin,
  })
  const frames: string[] = []
  socket.on('message', (data) => frames.push(data.toString()))
  return {
    frames,
    send: (text: string | Buffer) => socket.send(text),
    opened: new Promise<number>((done) => {
      socket.on('open', () => done(101))
      socket.on('unexpected-response', (_request, response) => done(response.statusCode ?? 0))
      socket.on('error', () => {})
    }),
    closed: new Promise<number>((done) => socket.on('close', (code) => done(code))),
    until: (text: string) => expect.poll(() => frames).toContain(text),
    close: () => socket.close(),
  }
}

async function connectAs(visitor: Visitor) {
  const socket = connect(visitor)
  expect(await socket.opened).toBe(101)
  return socket
}

const rename = (person: SignedIn, name: string) =>
  person.call(usersApi.update, { params: { id: person.user.id }, body: { name } })

test('without a session the upgrade answers 401', async () => {
  expect(await connect(app.visitor()).opened).toBe(401)
})

test('without the database the upgrade answers 503 with a time to retry (S10.543)', async () => {
  const errors: unknown[] = []
  const down = await listen(app, {
    onError: (error) => errors.push(error),
    sessionOf: () => {
      const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
      return Promise.reject(new Error('Failed query: select …', { cause }))
    },
  })
  const socket = new WebSocket(`ws://127.0.0.1:${down.port}/api/websocket`, { origin: TEST_ORIGIN })
  socket.on('error', () => {})
  const [, response] = await once(socket, 'unexpected-response')
  const body = JSON.parse(String((await response.toArray()).join('')))
  expect(response.statusCode).toBe(503)
  expect(response.headers['retry-after']).toBe('2')
  expect(body).toMatchObject({
    code: 'unavailable',
    reason: 'database',
    message: expect.stringContaining('База данных'),
  })
  expect(errors).toEqual([])
  await down.close()
})

test('from a foreign origin the upgrade answers 403, elsewhere 404', async () => {
  const anna = await app.signIn()
  expect(await connect(anna, { origin: 'https://evil.example' }).opened).toBe(403)
  expect(await connect(anna, { path: '/api/other' }).opened).toBe(404)
})

test('a heartbeat is answered with pong, and another build id with new-build (S4.10, S9.22)', async () => {
  const socket = await connectAs(await app.signIn())
  socket.send('client-build:test-build')
  await socket.until('pong')
  expect(socket.frames).toEqual(['pong'])
  socket.send('client-build:yesterday')
  await socket.until('new-build:test-build')
  socket.close()
})

test('a subscriber receives the topic, other sockets and users do not (S9.22)', async () => {
  const anna = await app.signIn()
  const boris = await app.signIn()
  const [listening, silent, stranger] = await Promise.all([connectAs(anna), connectAs(anna), connectAs(boris)])
  for (const socket of [listening, stranger]) socket.send('subscribe:profile')
  for (const socket of [listening, silent, stranger]) socket.send('client-build:test-build')
  await Promise.all([listening.until('pong'), silent.until('pong'), stranger.until('pong')])
  await rename(anna, 'Анна')
  await listening.until('topic:{"topic":"profile","type":"changed","data":null}')
  expect(silent.frames).toEqual(['pong'])
  expect(stranger.frames).toEqual(['pong'])

  listening.send('unsubscribe:profile')
  listening.send('client-build:yesterday')
  await listening.until('new-build:test-build')
  const received = listening.frames.length
  await rename(anna, 'Анна Петровна')
  listening.send('client-build:test-build')
  await expect.poll(() => listening.frames.length).toBe(received + 1)
  for (const socket of [listening, silent, stranger]) socket.close()
})

test('a page learns whether its data has changed since it was read (S10.492)', async () => {
  const anna = await app.signIn()
  const [socket, { changes }] = [await connectAs(anna), app.hub]
  const isMissed = async (mark: string | null) => {
    const before = socket.frames.length
    socket.send(`since:${mark}`)
    socket.send('client-build:test-build')
    await expect.poll(() => socket.frames.slice(before)).toContain('pong')
    return socket.frames.slice(before).includes('missed')
  }
  const read = changes.mark()
  await rename(await app.signIn(), 'Борис')
  expect(await isMissed(read)).toBe(false)
  await rename(anna, 'Анна')
  expect([await isMissed(read), await isMissed(changes.mark())]).toEqual([true, false])

  const readAgain = changes.mark()
  await anna.call(promptsApi.create, { body: { title: 'Чай', content: 'Как заварить чай?' } })
  expect([await isMissed(readAgain), await isMissed('x'), await isMissed(changes.mark())]).toEqual([true, true, false])
  socket.close()
})

test('signing out closes the sockets of that session and of no other', async () => {
  const laptop = await app.signIn('two-devices@example.test')
  const phone = await app.signIn('two-devices@example.test')
  const [first, second] = await Promise.all([connectAs(laptop), connectAs(phone)])
  await laptop.post('/api/auth/sign-out', {})
  expect(await first.closed).toBe(SESSION_ENDED)
  second.send('client-build:test-build')
  await second.until('pong')
  second.close()
})

test('revoking a session from another device closes its socket', async () => {
  const laptop = await app.signIn('revoked@example.test')
  const phone = await app.signIn('revoked@example.test')
  const socket = await connectAs(phone)
  await laptop.post('/api/auth/revoke-other-sessions', {})
  expect(await socket.closed).toBe(SESSION_ENDED)
})

test.each(['hello', 'subscribe:users', 'subscribe:', 'topic:{}', ''])(
  'an unknown frame %j closes the socket',
  async (frame) => {
    const socket = await connectAs(await app.signIn())
    socket.send(frame)
    expect(await socket.closed).toBe(BAD_FRAME)
  },
)

test('a binary frame, a large frame and a flood close the socket', async () => {
  const anna = await app.signIn()
  const [binary, large, flood] = await Promise.all([connectAs(anna), connectAs(anna), connectAs(anna)])
  binary.send(Buffer.from([1, 2, 3]))
  expect(await binary.closed).toBe(BAD_FRAME)
  large.send(`client-build:${'x'.repeat(10_000)}`)
  expect(await large.closed).toBe(1009)
  for (let i = 0; i < 100; i++) flood.send('client-build:test-build')
  expect(await flood.closed).toBe(BAD_FRAME)
})

describe('limits', () => {
  let refused: { userId?: string; network: string }[] = []
  let few: Awaited<ReturnType<typeof listen>>
  beforeAll(async () => {
    const { rows } = readLimits('api=12/60').settings
    few = await listen(app, {
      limits: memoryLimits(rows),
      totals: { ...defaultTotals(), 'open-sockets': 3, 'open-sockets-ip': 5 },
      onRefused: (facts) => refused.push(facts),
    })
  })
  beforeEach(() => {
    refused = []
  })
  const sockets: ReturnType<typeof connect>[] = []
  afterAll(async () => {
    for (const socket of sockets) socket.close()
    await few.close()
  })
  const from = (visitor: Visitor, ip: string) => {
    const socket = connect(visitor, { ip, port: few.port })
    sockets.push(socket)
    return socket
  }

  test('a person usually has 20 sockets, a network 200', () => {
    expect(defaultTotals()).toMatchObject({ 'open-sockets': 20, 'open-sockets-ip': 200 })
  })

  test('a person opens only so many sockets, until a socket is closed', async () => {
    const anna = await app.signIn()
    const tabs = Array.from({ length: 6 }, (_, i) => from(anna, `10.0.0.${i}`))
    const statuses = await Promise.all(tabs.map(({ opened }) => opened))
    expect(statuses.toSorted()).toEqual([101, 101, 101, 429, 429, 429])
    expect(refused).toContainEqual(expect.objectContaining({ userId: anna.user.id }))
    tabs[statuses.indexOf(101)]?.close()
    await expect.poll(() => from(anna, '10.0.0.9').opened).toBe(101)
  })

  test('the network limit counts all its users, IPv6 by /64', async () => {
    const people = await Promise.all(Array.from({ length: 7 }, () => app.signIn()))
    const tabs = people.map((person, i) => from(person, `2001:db8:0:1::${i + 1}`))
    const statuses = await Promise.all(tabs.map(({ opened }) => opened))
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
    expect(await from(people[6] ?? app.visitor(), '2001:db8:0:2::1').opened).toBe(101)
  })

  test('opening is counted before anything is asked of the database', async () => {
    const statuses = []
    for (let i = 0; i < 14; i++) statuses.push(await from(app.visitor(), '203.0.113.7').opened)
    expect(statuses).toEqual([...Array(12).fill(401), 429, 429])
  })

  test('a client that does not read its events is disconnected', async () => {
    const sent: string[] = []
    let isDropped = false
    const stuck = Object.assign(new EventEmitter(), {
      bufferedAmount: 0,
      send: (text: string) => sent.push(text),
      terminate: () => {
        isDropped = true
      },
      close: () => {},
    })
    const anna = await app.signIn()
    const session = { id: 'session', user: anna.user, impersonatedBy: null } as CurrentSession
    app.hub.join(stuck as unknown as WebSocket, session)
    stuck.emit('message', Buffer.from('client-build:test-build'), false)
    expect(sent).toEqual(['pong'])
    stuck.bufferedAmount = 1024 * 1024 + 1
    stuck.emit('message', Buffer.from('client-build:test-build'), false)
    expect(sent).toEqual(['pong'])
    expect(isDropped).toBe(true)
    stuck.emit('close')
  })
})
