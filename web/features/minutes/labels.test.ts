import { expect, test } from 'vitest'
import { secondIn, withTimeLinks } from './labels.ts'

test('times of the recording become links, others stay text (S10.813)', () => {
  const text = withTimeLinks(
    'Решили [12:05], встреча в 15:30, [1:59:59], [ссылка](https://a.test) и [0:07](x)',
    '/transcribe?id=t1',
    3600,
  )
  expect(text).toBe(
    'Решили [12:05](/transcribe?id=t1&at=725 "Слушать с 12:05"), встреча в 15:30, [1:59:59], [ссылка](https://a.test) и [0:07](x)',
  )
})

test('only links of times name a second', () => {
  expect(secondIn('/transcribe?id=t1&at=725', '/transcribe?id=t1')).toBe(725)
  expect([
    secondIn('/transcribe?id=t1', '/transcribe?id=t1'),
    secondIn('https://a.test/?at=5', '/transcribe?id=t1'),
    secondIn(null, '/transcribe?id=t1'),
  ]).toEqual([null, null, null])
})
