import { expect, test } from 'vitest'
import type { Area } from '#contract/image-area.ts'
import { drawArea, type Pixels, putBack } from './image-area.ts'

const rectangle = { type: 'rectangle', x: 0, y: 0, width: 5000, height: 10_000 } as const
const dot = (erases: boolean) => ({ type: 'stroke' as const, width: 2000, erases, points: [7500, 5000] })
const invert = { type: 'invert' } as const

/** The middle of the left and of the right half. */
async function halves(area: Area): Promise<(number | undefined)[]> {
  const drawn = await drawArea(area, 100, 60)
  expect(drawn.length).toBe(6000)
  return [drawn[30 * 100 + 25], drawn[30 * 100 + 75]]
}

test('strokes, rectangles, eraser and inversion mark together (S10.823)', async () => {
  expect(await halves([rectangle])).toEqual([255, 0])
  expect(await halves([rectangle, dot(false)])).toEqual([255, 255])
  expect(await halves([rectangle, invert])).toEqual([0, 255])
  expect(await halves([rectangle, invert, dot(true)])).toEqual([0, 0])
  expect(await halves([rectangle, invert, dot(true), invert])).toEqual([255, 255])
  expect(await halves([rectangle, invert, rectangle])).toEqual([255, 255])
})

test('the soft edge lies inside of the marks', async () => {
  const drawn = await drawArea([rectangle], 2000, 1000)
  const row = drawn.subarray(500 * 2000, 501 * 2000)
  expect(row.subarray(1000).every((share) => share === 0)).toBe(true)
  expect(row[900]).toBe(255)
  expect(row.subarray(980, 1000).some((share) => share > 0 && share < 255)).toBe(true)
})

test('untouched pixels are copied, also under transparency', async () => {
  const original: Pixels = { width: 3, height: 1, data: Buffer.from([7, 77, 177, 3, 1, 2, 3, 0, 100, 100, 100, 255]) }
  const changed = Buffer.from([250, 0, 0, 255, 250, 0, 0, 255, 200, 0, 100, 255])
  const { hasMoved } = await putBack(original, changed, Buffer.from([0, 255, 128]))
  expect([...original.data]).toEqual([7, 77, 177, 3, 250, 0, 0, 255, 150, 50, 100, 255])
  expect(hasMoved).toBe(true)
})
