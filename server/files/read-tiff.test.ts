import sharp from 'sharp'
import { expect, test } from 'vitest'
import { readTiff } from './read-tiff.ts'

const page = (colour: string) => sharp({ create: { width: 8, height: 8, channels: 3, background: colour } }).png()

test('every page of a TIFF is to be read (S10.750)', async () => {
  const frames = await Promise.all(['#000', '#fff', '#00f'].map((colour) => page(colour).toBuffer()))
  const tiff = await sharp(frames, { join: { animated: true } })
    .tiff()
    .toBuffer()
  const { content, pdf } = readTiff(new Uint8Array(tiff))
  expect([content, pdf?.pages.map(({ number, needsReading }) => [number, needsReading])]).toEqual([
    ...['', [1, 2, 3].map((number) => [number, true])],
  ])
})

test('a chain of pages that is broken or leads back ends (S10.750)', () => {
  const header = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
  expect(() => readTiff(new Uint8Array(header))).toThrow(/повреждён/)
  expect(() => readTiff(new Uint8Array([1, 2, 3, 4]))).toThrow(/повреждён/)
  const loop = new Uint8Array([...header, 0, 0, 8, 0, 0, 0])
  expect(readTiff(loop).pdf?.pageCount).toBe(1)
})
