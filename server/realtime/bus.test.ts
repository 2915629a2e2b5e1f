import { Redis } from 'ioredis'
import { expect, inject, test } from 'vitest'
import { inProcessBus, type News, redisBus } from './bus.ts'

const news: News = { type: 'event', userId: 'anna', event: { topic: 'profile', type: 'changed', data: { n: 1 } } }
const redisUrl = inject('redisUrl')

test('in one process what is sent is heard', () => {
  const bus = inProcessBus()
  const heard: News[] = []
  bus.listen((item) => heard.push(item))
  bus.send(news)
  expect(heard).toEqual([news])
})

test.skipIf(!redisUrl)('through Redis every instance hears it, once, the sender too', async () => {
  const clients = [new Redis(String(redisUrl)), new Redis(String(redisUrl))] as const
  const fail = (error: unknown) => expect.fail(String(error))
  const buses = await Promise.all(clients.map((client) => redisBus(client, fail)))
  const heard = buses.map((bus) => {
    const items: News[] = []
    bus.listen((item) => items.push(item))
    return items
  })
  buses[0]?.send(news)
  buses[1]?.send({ type: 'session-ended', sessionId: 's1' })
  const both = expect.arrayContaining([news, { type: 'session-ended', sessionId: 's1' }])
  await expect.poll(() => heard).toEqual([both, both])
  expect(heard.map((items) => items.length)).toEqual([2, 2])
  expect(await buses[0]?.isAlive()).toBe(true)
  for (const bus of buses) await bus.close()
  for (const client of clients) client.disconnect()
})
