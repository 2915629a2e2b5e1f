import { expect, test } from 'vitest'
import { type ApiKey, KEY_SPENDING_DAYS } from '#contract/api-keys.ts'
import { seriesOf } from './key-spending.tsx'

const now = Date.parse('2026-11-18T12:00:00Z')
const key = (id: string, name = id) => ({ id, name, lastFour: `${id}99` }) as ApiKey
const sumOf = ({ name, values }: { name: string; values: number[] }) => [name, values.reduce((a, b) => a + b, 0)]

test('each key has its own values by day, the largest first (S10.998)', () => {
  const rows = [
    { day: '2026-11-17', keyId: 'a', symbols: 5 },
    { day: '2026-11-18', keyId: 'a', symbols: 1 },
    { day: '2026-11-18', keyId: 'b', symbols: 10 },
  ]
  const [first, second] = seriesOf(rows, [key('a', 'n8n'), key('b', 'n8n')], now)
  expect([first?.name, second?.name]).toEqual(['n8n …b99', 'n8n …a99'])
  expect(first?.values).toHaveLength(KEY_SPENDING_DAYS)
  expect([first?.values.slice(-2), second?.values.slice(-2)]).toEqual([
    [0, 10],
    [5, 1],
  ])
})

test('more keys than can be told apart are shown together (S10.998)', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const rows = ids.map((keyId, i) => ({ day: '2026-11-18', keyId, symbols: 100 - i }))
  const keys = ids.map((id) => key(id))
  expect(seriesOf(rows, keys, now).map(sumOf)).toEqual([
    ...[
      ['a', 100],
      ['b', 99],
      ['c', 98],
      ['d', 97],
      ['e', 96],
    ],
    ['остальные ключи', 95 + 94],
  ])
  expect(seriesOf(rows.slice(0, 6), keys, now)).toHaveLength(6)
})
