import { expect, test } from 'vitest'
import type { Db } from '#server/db/client.ts'
import { openLog } from '#server/lib/log.ts'
import { createEngine } from './engine.ts'

const engineOf = (maxRunning: number) =>
  createEngine({
    db: {} as Db,
    log: openLog('silent'),
    publish: () => {},
    instance: { id: 'test' },
    afterAnswer: async () => {},
    maxRunning,
  })
const refused = expect.objectContaining({ code: 'unavailable', retryAfterSeconds: expect.any(Number) })

test('an engine at its limit rejects another answer with Retry-After', () => {
  const engine = engineOf(2)
  const [giveBack] = [engine.reserve(), engine.reserve()]
  expect(() => engine.reserve()).toThrow(refused)
  giveBack()
  giveBack()
  engine.reserve()
  expect(() => engine.reserve()).toThrow(refused)
})

test('a closing engine rejects new answers and waits for running answers', async () => {
  const engine = engineOf(2)
  const giveBack = engine.reserve()
  let isClosed = false
  const closing = engine.close(5000).then(() => {
    isClosed = true
  })
  expect(() => engine.reserve()).toThrow(refused)
  await new Promise((done) => setTimeout(done, 60))
  expect(isClosed).toBe(false)
  giveBack()
  await closing
})
