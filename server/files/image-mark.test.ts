import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { ImageMime } from './image.ts'
import { markSource } from './image-mark.ts'

const image = (alpha: number) =>
  sharp({ create: { width: 33, height: 21, channels: 4, background: { r: 9, g: 120, b: 240, alpha } } })

const kinds: [string, ImageMime, () => Promise<Buffer>][] = [
  ['PNG', 'image/png', () => image(0.5).png().toBuffer()],
  ['JPEG', 'image/jpeg', () => image(1).jpeg().toBuffer()],
  ['WebP', 'image/webp', () => image(1).webp().toBuffer()],
  ['lossless WebP with transparency', 'image/webp', () => image(0.5).webp({ lossless: true }).toBuffer()],
  ['extended WebP', 'image/webp', () => image(0.5).webp().toBuffer()],
]

test.each(kinds)('%s carries the digital source type and keeps its pixels (S10.831)', async (_, mime, make) => {
  const bytes = await make()
  const marked = markSource(bytes, mime, { width: 33, height: 21, source: 'drawn' })
  const { xmp, width, height, hasAlpha } = await sharp(marked).metadata()
  expect(xmp?.toString()).toContain('digitalsourcetype/trainedAlgorithmicMedia"')
  expect({ width, height, hasAlpha }).toEqual({
    width: 33,
    height: 21,
    hasAlpha: (await sharp(bytes).metadata()).hasAlpha,
  })
  const pixels = (file: Buffer) => sharp(file, { failOn: 'warning' }).raw().toBuffer()
  expect((await pixels(marked)).equals(await pixels(bytes))).toBe(true)
})

test('a changed photo is marked as such', async () => {
  const marked = markSource(await image(1).jpeg().toBuffer(), 'image/jpeg', {
    width: 33,
    height: 21,
    source: 'changed-photo',
  })
  expect((await sharp(marked).metadata()).xmp?.toString()).toContain('/compositeWithTrainedAlgorithmicMedia"')
})
