import { afterEach, expect, test } from 'vitest'
import { createPool, type Pool } from './pool.ts'

let pool: Pool
afterEach(() => pool.close())

/** Work that ends when the test says so. */
function slow() {
  let finish = () => {}
  const work = new Promise<void>((done) => {
    finish = done
  })
  return { work: () => work, finish: () => finish() }
}

test.each(['use', 'beside'] as const)('ten slow files of a person do not delay another person (%s)', async (way) => {
  pool = createPool({ threads: 1, workMs: 60_000, heapMb: 64 })
  const order: string[] = []
  const works = Array.from({ length: 12 }, slow)
  const run = (person: string, index: number) =>
    pool[way](async () => {
      order.push(`${person}-${index}`)
      await works[index]?.work()
    }, person)
  const atOnce = way === 'use' ? 1 : 2
  const running = Array.from({ length: 10 }, (_, index) => run('anna', index))
  const boris = run('boris', 10)
  const vera = run('vera', 11)
  works[0]?.finish()
  works[10]?.finish()
  await boris
  works[11]?.finish()
  await vera
  expect(order.slice(atOnce, atOnce + 2)).toEqual(['boris-10', 'vera-11'])
  for (const { finish } of works) finish()
  await Promise.all(running)
  expect(order.filter((each) => each.startsWith('anna'))).toEqual(Array.from({ length: 10 }, (_, i) => `anna-${i}`))
})

test('a file that takes long holds up its owner only (S10.1624)', async () => {
  pool = createPool({ threads: 2, workMs: 60_000, heapMb: 64 })
  const long = slow()
  const order: string[] = []
  const first = pool.use(long.work, 'anna').then(() => order.push('anna'))
  const second = pool.use(async () => {}, 'anna').then(() => order.push('anna again'))
  await pool.use(async () => {}, 'boris').then(() => order.push('boris'))
  long.finish()
  await Promise.all([first, second])
  expect(order).toEqual(['boris', 'anna', 'anna again'])
})
