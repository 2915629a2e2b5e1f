import { Writable } from 'node:stream'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openLog } from '#server/lib/log.ts'
import { type BusEvent, inProcessBus, redisBus } from './bus.ts'
import { openRedis } from './redis.ts'

const published: BusEvent = {
  type: 'event',
  userId: 'anna',
  event: { topic: 'profile', type: 'changed', data: { n: 1 } },
}
const ended: BusEvent = { type: 'session-ended', sessionId: 's1' }
const redisUrl = inject('redisUrl')
const prefix = () => `test-${process.pid}-${Math.random()}:`

function collectedLog() {
  const lines: { level: number; msg: string }[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  return { log: openLog('info', destination), lines }
}

function listenTo(bus: ReturnType<typeof inProcessBus>) {
  const received: BusEvent[] = []
  bus.listen((item) => received.push(item))
  return received
}

async function openBus(under: string) {
  const { log, lines } = collectedLog()
  const link = await openRedis({ url: String(redisUrl), prefix: under, log })
  onTestFinished(() => link.close())
  const bus = redisBus(link, log)
  await expect.poll(link.isUp).toBe(true)
  return { bus, link, lines, received: listenTo(bus) }
}

test('a process receives its events at once, despite a failing listener', () => {
  const errors: unknown[] = []
  const bus = inProcessBus((error) => errors.push(error))
  bus.listen(() => {
    throw new Error('broken listener')
  })
  const received = listenTo(bus)
  bus.send(published)
  expect(received).toEqual([published])
  expect(errors).toHaveLength(1)
})

test('the sender receives its event before `send` returns, Redis or not', () => {
  const link = {
    publish: () => {},
    outages: () => 0,
    subscribe: () => {},
    follow: () => () => {},
  }
  const bus = redisBus(link, openLog('silent'))
  const received = listenTo(bus)
  bus.send(published)
  expect(received).toEqual([published])
})

test('a channel’s events reach only its listeners, until they leave', () => {
  const bus = inProcessBus()
  const common = listenTo(bus)
  const own: BusEvent[] = []
  const unlisten = bus.listen((item) => own.push(item), 'answer:1')
  bus.send(ended, 'answer:1')
  bus.send(ended, 'answer:2')
  bus.send(published)
  expect([own, common]).toEqual([[ended], [published]])
  unlisten()
  bus.send(ended, 'answer:1')
  expect(own).toEqual([ended])
})

test('Redis is subscribed to a channel once for all listeners', () => {
  const calls: string[] = []
  const link = {
    publish: () => {},
    outages: () => 0,
    subscribe: () => {},
    follow: (channel: string) => {
      calls.push(`follow ${channel}`)
      return () => calls.push(`leave ${channel}`)
    },
  }
  const bus = redisBus(link, openLog('silent'))
  const [first, second] = [bus.listen(() => {}, 'answer:1'), bus.listen(() => {}, 'answer:1')]
  first()
  expect(calls).toEqual(['follow answer:1'])
  second()
  expect(calls).toEqual(['follow answer:1', 'leave answer:1'])
})

test('invalid messages are ignored, with a single line in the log', () => {
  let deliver: (text: string) => void = () => {}
  const link = {
    publish: () => {},
    outages: () => 0,
    follow: () => () => {},
    subscribe: (_: string, listener: (text: string) => void) => {
      deliver = listener
    },
  }
  const { log, lines } = collectedLog()
  const received = listenTo(redisBus(link, log))
  const garbage = ['', 'привет', '{', '[]', 'null', '{"from":"x"}', '{"from":"x","event":{"type":"new-kind"}}']
  for (const text of garbage) deliver(text)
  expect(received).toEqual([])
  expect(lines).toEqual([expect.objectContaining({ level: 40, msg: expect.stringContaining('ignored') })])
  deliver(JSON.stringify({ from: 'another instance', event: published }))
  expect(received).toEqual([published])
})

test.skipIf(!redisUrl)('through Redis every instance receives it once, the sender too', async () => {
  const under = prefix()
  const [one, other] = [await openBus(under), await openBus(under)]
  one.bus.send(published)
  expect(one.received).toEqual([published])
  other.bus.send(ended)
  await expect.poll(() => [one.received.length, other.received.length]).toEqual([2, 2])
  expect(other.received).toEqual(expect.arrayContaining([published, ended]))
  // Proves that nothing comes twice.
  await new Promise((done) => setTimeout(done, 100))
  expect([one.received.length, other.received.length]).toEqual([2, 2])
})

test.skipIf(!redisUrl)('two installations on the same Redis do not share events', async () => {
  const [one, other] = [await openBus(prefix()), await openBus(prefix())]
  one.bus.send(published)
  other.bus.send(ended)
  // Proves that nothing more comes.
  await new Promise((done) => setTimeout(done, 200))
  expect(one.received).toEqual([published])
  expect(other.received).toEqual([ended])
})

test.skipIf(!redisUrl)('garbage on the channel does not stop events', async () => {
  const under = prefix()
  const [one, other] = [await openBus(under), await openBus(under)]
  for (const text of ['not json', '{"type":"event"}', '{"from":1}'])
    await one.link.client.publish(`${under}events`, text)
  one.bus.send(published)
  await expect.poll(() => other.received).toEqual([published])
  expect(other.lines.filter(({ level }) => level >= 40)).toHaveLength(1)
})

test.skipIf(!redisUrl)('a channel reaches the instance that follows it, and no other', async () => {
  const under = prefix()
  const [writer, reader, other] = [await openBus(under), await openBus(under), await openBus(under)]
  const received: BusEvent[] = []
  const unlisten = reader.bus.listen((item) => received.push(item), 'answer:1')
  await expect
    .poll(() => {
      writer.bus.send(ended, 'answer:1')
      return received.length
    })
    .toBeGreaterThan(0)
  expect([reader.link.isUp(), other.received]).toEqual([true, []])
  unlisten()
  const { length } = received
  writer.bus.send(ended, 'answer:1')
  writer.bus.send(published)
  await expect.poll(() => reader.received).toEqual([published])
  expect(received).toHaveLength(length)
})
