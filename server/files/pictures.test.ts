import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { testFolder } from '#server/testing/folder.ts'
import { readBmp } from './bmp.ts'
import { shrinkImage } from './image.ts'
import { recogniseFile } from './recognise.ts'
import { makeHeic } from './testing/make-heic.ts'
import { makePng } from './testing/make-images.ts'

const folder = testFolder()
let made = 0

async function upload(content: Buffer, name = 'a') {
  const path = join(folder, String(++made))
  await writeFile(path, content)
  const file = { path, bytes: content.length }
  const { mime } = await recogniseFile(file, name)
  return { mime, stored: () => shrinkImage(file, mime, AbortSignal.timeout(60_000)) }
}

async function colourOf(content: Uint8Array) {
  const { data, info } = await sharp(content).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { size: [info.width, info.height], colour: [...data.subarray(0, 3)] }
}

/** One colour, rows from the bottom, in the given number of bits. */
function makeBmp(width: number, height: number, bits: 1 | 4 | 8 | 16 | 24 | 32): Buffer {
  const colours = bits <= 8 ? 2 ** bits * 4 : 0
  const stride = Math.ceil((width * bits) / 32) * 4
  const file = Buffer.alloc(54 + colours + stride * height)
  file.write('BM')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(54 + colours, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(width, 18)
  file.writeInt32LE(height, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(bits, 28)
  const pixels = file.subarray(54 + colours)
  if (bits <= 8) file.set([10, 20, 250, 0], 54)
  else if (bits === 16) for (let at = 0; at < pixels.length; at += 2) pixels.writeUInt16LE(31 << 10, at)
  else
    for (let row = 0; row < height; row += 1)
      for (let x = 0; x < width; x += 1) pixels.set([10, 20, 250], row * stride + (x * bits) / 8)
  return file
}

describe('pictures of other kinds are stored as ones that models know (S10.736)', () => {
  const red = { create: { width: 40, height: 20, channels: 3, background: { r: 250, g: 20, b: 10 } } } as const

  test.each([
    ['AVIF', 'image/avif', () => sharp(red).avif({ quality: 90 }).toBuffer()],
    ['TIFF', 'image/tiff', () => sharp(red).tiff().toBuffer()],
    ['BMP', 'image/bmp', async () => makeBmp(40, 20, 24)],
  ])('%s', { timeout: 60_000 }, async (_, expected, make) => {
    const { mime, stored } = await upload(await make())
    expect(mime).toBe(expected)
    const image = await stored()
    expect(['image/png', 'image/jpeg']).toContain(image.mime)
    const { size, colour } = await colourOf(image.content)
    expect(size).toEqual([40, 20])
    for (const [at, value] of [250, 20, 10].entries()) expect(Math.abs((colour[at] ?? 0) - value)).toBeLessThan(16)
  })

  test.each([
    ['as it is', false, [64, 32]],
    ['turned', true, [32, 64]],
  ])('HEIC %s', { timeout: 60_000 }, async (_, isRotated, size) => {
    const { mime, stored } = await upload(makeHeic({ isRotated }))
    expect(mime).toBe('image/heic')
    const image = await stored()
    expect(image.mime).toBe('image/jpeg')
    const found = await colourOf(image.content)
    expect(found.size).toEqual(size)
    expect(found.colour[0]).toBeGreaterThan(220)
    expect(found.colour[1]).toBeLessThan(40)
  })

  test('half a HEIC is rejected, and the next picture decodes (S10.737)', { timeout: 60_000 }, async () => {
    const { stored } = await upload(makeHeic().subarray(0, 300))
    await expect(stored()).rejects.toMatchObject({ status: 415, message: /повреждена/ })
    expect((await (await upload(makeHeic())).stored()).mime).toBe('image/jpeg')
  })

  test.each([1, 4, 8, 16, 24, 32] as const)('BMP of %i bits', (bits) => {
    const { data, width, height } = readBmp(makeBmp(5, 3, bits), 100)
    expect([width, height, data.length]).toEqual([5, 3, 60])
    expect([...data.subarray(56)]).toEqual(bits === 16 ? [255, 0, 0, 255] : [250, 20, 10, 255])
  })

  test('a BMP that claims too much is rejected before decoding (S10.737)', () => {
    const bmp = makeBmp(5, 3, 24)
    bmp.writeInt32LE(50_000, 18)
    expect(() => readBmp(bmp, 40_000_000)).toThrow()
    expect(() => readBmp(makeBmp(50, 30, 24), 1000)).toThrow()
  })
})

test('a picture that is too large or too long is rejected (S10.736)', async () => {
  await expect(upload(makeHeic({ width: 9000, height: 9000 }))).rejects.toMatchObject({ status: 413 })
  const wide = makeBmp(2, 2, 24)
  wide.writeInt32LE(30_000, 18)
  wide.writeInt32LE(10, 22)
  await expect(upload(wide)).rejects.toMatchObject({ status: 415, message: /30000 × 10 слишком вытянута/ })
  await expect(upload(makePng(10, 30_000))).rejects.toMatchObject({ status: 415, message: /Разрежьте/ })
  expect((await upload(makePng(1080, 20_000))).mime).toBe('image/png')
})
