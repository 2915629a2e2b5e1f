import { expect, test } from 'vitest'
import { BROKEN, Unreadable } from '#server/files/rejections.ts'
import { createGate } from '#server/testing/gate.ts'
import { createPictures } from './pictures.ts'

const signal = new AbortController().signal
const bytes = Buffer.from('picture')

/** Counts how many are made, all together and at once, until it is let go. */
function maker(content: Buffer | null = bytes) {
  const made = { all: 0, now: 0, most: 0 }
  const gate = createGate()
  const make = async () => {
    made.all += 1
    made.now += 1
    made.most = Math.max(made.most, made.now)
    await gate.opened
    made.now -= 1
    if (!content) throw new Unreadable(BROKEN)
    return { content, isBlank: false }
  }
  return { made, make, open: gate.open }
}

test('a picture of a page is made once for several requests (S10.1225)', async () => {
  const pictures = createPictures()
  const { made, make, open } = maker()
  const asked = Array.from({ length: 5 }, () => pictures.find('a 1', { userId: 'anna', signal, make }))
  open()
  expect(await Promise.all(asked)).toEqual(Array(5).fill(bytes))
  expect(await pictures.find('a 1', { userId: 'boris', signal, make })).toEqual(bytes)
  expect(made.all).toBe(1)
})

test('a page without a picture is not tried again for a while (S10.1225)', async () => {
  const pictures = createPictures()
  const { made, make, open } = maker(null)
  open()
  for (let n = 0; n < 3; n += 1)
    await expect(pictures.find('a 1', { userId: 'anna', signal, make })).rejects.toMatchObject({ code: 'conflict' })
  expect(made.all).toBe(1)
})

test('one person makes one picture at a time and waits for twelve (S10.1224)', async () => {
  const pictures = createPictures()
  const { made, make, open } = maker()
  const of = (userId: string, n: number) => pictures.find(`${userId} ${n}`, { userId, signal, make })
  const asked = Array.from({ length: 16 }, (_, n) => of('anna', n))
  const others = ['boris', 'vera', 'gleb', 'dina'].map((userId) => of(userId, 1))
  const refused = await Promise.all(asked.slice(13).map((each) => each.catch((error) => error)))
  expect(refused).toMatchObject(Array(3).fill({ code: 'too_many_requests', retryAfterSeconds: 5 }))
  expect(made).toEqual({ all: 4, now: 4, most: 4 })
  open()
  await Promise.all([...asked.slice(0, 13), ...others])
  expect(made).toEqual({ all: 17, now: 0, most: 4 })
})
