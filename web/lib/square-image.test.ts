import { expect, test } from 'vitest'
import { centredSquare, encodeWithin } from './square-image.ts'

test('the middle of a picture is kept', () => {
  expect(centredSquare(400, 200)).toEqual({ x: 100, y: 0, side: 200 })
  expect(centredSquare(200, 500)).toEqual({ x: 0, y: 150, side: 200 })
  expect(centredSquare(64, 64)).toEqual({ x: 0, y: 0, side: 64 })
})

const sized = (type: string, quality: number) => `data:${type};base64,${'A'.repeat(Math.round(quality * 1000))}`

test('the best quality that fits is chosen', () => {
  expect(encodeWithin(sized, 10_000)).toBe(sized('image/webp', 0.9))
  expect(encodeWithin(sized, 750)).toBe(sized('image/webp', 0.7))
})

test('a browser that cannot write WebP writes JPEG', () => {
  const withoutWebp = (type: string, quality: number) => sized(type === 'image/webp' ? 'image/png' : type, quality)
  expect(encodeWithin(withoutWebp, 10_000)).toBe(sized('image/jpeg', 0.9))
})

test('a picture that never fits is null', () => {
  expect(encodeWithin(sized, 10)).toBeNull()
})
