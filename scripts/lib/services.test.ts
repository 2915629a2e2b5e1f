import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { freePort } from './services.mjs'

afterEach(() => vi.restoreAllMocks())

test('a free port has a free neighbour and is given once', async () => {
  const taken = createServer().listen(await freePort(), '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const random = vi.spyOn(Math, 'random')
  // The port below a taken one, the taken one itself, then a free one.
  for (const wanted of [port - 1, port, 29_000]) random.mockReturnValueOnce((wanted - 15_000) / 15_000)
  const given = await freePort()
  expect([port - 1, port]).not.toContain(given)
  expect(given).toBeLessThan(30_001)
  random.mockReturnValueOnce((given - 15_000) / 15_000)
  expect(await freePort()).not.toBe(given)
  taken.close()
})
