import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shrinkPicture } from './shrink-picture.ts'
import { makeGif, makeJpeg, makePng, makeWebp } from './testing/make-images.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'symbol-pictures-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function shrink(bytes: Uint8Array, mime: string, signal = new AbortController().signal) {
  const path = join(folder, 'picture')
  await writeFile(path, bytes)
  const { content, mime: kept } = await shrinkPicture({ path, bytes: bytes.length }, mime, signal)
  return { bytes: content.length, mime: kept, ...(await sharp(content).metadata()) }
}

const plain = (width: number, height: number, alpha = 1) =>
  sharp({ create: { width, height, channels: 4, background: { r: 20, g: 90, b: 160, alpha } } })
const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: 'black', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  })
const MB = 1024 * 1024

test('a screenshot stays a PNG without loss, a photo a JPEG', async () => {
  expect(await shrink(await plain(300, 200).png().toBuffer(), 'image/png')).toMatchObject({
    mime: 'image/png',
    width: 300,
    height: 200,
  })
  expect(await shrink(await plain(300, 200).jpeg().toBuffer(), 'image/jpeg')).toMatchObject({ mime: 'image/jpeg' })
})

test('whatever it was, it is at most 2048 pixels long and 1.5 MB heavy', async () => {
  const huge = await noise(3000, 1500).png().toBuffer()
  const shrunk = await shrink(huge, 'image/png')
  expect(shrunk).toMatchObject({ mime: 'image/jpeg' })
  expect(shrunk.bytes).toBeLessThan(1.5 * MB)
  expect(Math.max(shrunk.width, shrunk.height)).toBeLessThanOrEqual(2048)
})

test('what is transparent stays so, however it is kept', async () => {
  expect(await shrink(await plain(300, 200, 0.5).png().toBuffer(), 'image/png')).toMatchObject({ hasAlpha: true })
  const heavy = await sharp(await noise(1200, 1200).png().toBuffer())
    .ensureAlpha(0.5)
    .png()
    .toBuffer()
  expect(await shrink(heavy, 'image/png')).toMatchObject({ mime: 'image/webp', hasAlpha: true })
  expect(await shrink(await plain(300, 200, 0.5).webp().toBuffer(), 'image/webp')).toMatchObject({ hasAlpha: true })
})

test('of an animation the first frame stays', async () => {
  const frames = [await plain(40, 30).png().toBuffer(), await plain(40, 30, 0.2).png().toBuffer()]
  const animation = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
  expect((await sharp(animation, { animated: true }).metadata()).pages).toBe(2)
  const { mime, width, height, pages } = await shrink(animation, 'image/gif')
  expect({ mime, width, height, pages }).toEqual({ mime: 'image/png', width: 40, height: 30, pages: undefined })
})

test('nothing that was hidden behind a picture is kept', async () => {
  const picture = await plain(20, 20).png().toBuffer()
  const { bytes } = await shrink(Buffer.concat([picture, Buffer.alloc(5 * MB, 'PK')]), 'image/png')
  expect(bytes).toBeLessThan(1000)
})

test.each([
  ['a header alone', makePng(2000, 2000), 'image/png'],
  ['a header and junk', Buffer.concat([makePng(200, 200).subarray(0, 33), Buffer.alloc(MB, 7)]), 'image/png'],
  ['more pixels than are looked at', makePng(30_000, 30_000), 'image/png'],
  ['the head of a JPEG', makeJpeg(800, 600), 'image/jpeg'],
  ['the head of a GIF', makeGif(8, 6), 'image/gif'],
  ['the head of a WebP', makeWebp('VP8 ', 8, 6), 'image/webp'],
])('%s is refused', async (_, bytes, mime) => {
  await expect(shrink(bytes, mime)).rejects.toMatchObject({ status: 415, message: expect.stringMatching(/повреждена/) })
})

test('half a photo is refused', async () => {
  const photo = await noise(400, 400).jpeg().toBuffer()
  await expect(shrink(photo.subarray(0, photo.length / 2), 'image/jpeg')).rejects.toMatchObject({ status: 415 })
})

test('nobody decodes for somebody who has left', async () => {
  await expect(shrink(makePng(10, 10), 'image/png', AbortSignal.abort())).rejects.toMatchObject({
    message: expect.stringMatching(/прервалась/),
  })
})
