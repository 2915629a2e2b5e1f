import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { testFolder } from '#server/testing/folder.ts'
import { readImage, shrinkImage } from './image.ts'
import { makeGif, makeJpeg, makePng, makeWebp } from './testing/make-images.ts'

const red = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 40, b: 30 } } })

test('PNG, JPEG and WebP are recognised by their content, with their size', async () => {
  expect(await readImage(await red(40, 30).png().toBuffer())).toMatchObject({
    mime: 'image/png',
    width: 40,
    height: 30,
  })
  expect(await readImage(await red(40, 30).jpeg().toBuffer())).toMatchObject({ mime: 'image/jpeg' })
  expect(await readImage(await red(40, 30).webp().toBuffer())).toMatchObject({ mime: 'image/webp' })
})

test('a thumbnail is a WebP with a shorter side of 480 pixels', async () => {
  const original = await red(1536, 1024)
    .withExif({ IFD0: { Copyright: 'the owner', ImageDescription: 'a secret' } })
    .jpeg()
    .toBuffer()
  const image = await readImage(original)
  const thumbnail = await sharp(image?.thumbnail).metadata()
  expect(thumbnail).toMatchObject({ format: 'webp', width: 720, height: 480 })
  expect(thumbnail.exif).toBeUndefined()
  expect(image?.thumbnail.length).toBeLessThan(20_000)
})

test('a rotated image is measured and shown upright', async () => {
  const image = await readImage(await red(80, 40).withMetadata({ orientation: 6 }).jpeg().toBuffer())
  expect(image).toMatchObject({ width: 40, height: 80 })
  expect(await sharp(image?.thumbnail).metadata()).toMatchObject({ width: 40, height: 80 })
})

test.each([
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['SVG after a declaration', Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['GIF', makeGif(10, 10)],
  ['nothing', Buffer.alloc(0)],
  ['a PNG that breaks off', makePng(2000, 2000)],
  ['a PNG that claims to be huge', makePng(30_000, 30_000)],
])('%s is not an image', async (_, bytes) => {
  expect(await readImage(bytes)).toBeNull()
})

const folder = testFolder()

async function shrink(bytes: Uint8Array, mime: string, signal = new AbortController().signal) {
  const path = join(folder, 'image')
  await writeFile(path, bytes)
  const { content, mime: storedMime } = await shrinkImage({ path, bytes: bytes.length }, mime, signal)
  return { bytes: content.length, mime: storedMime, ...(await sharp(content).metadata()) }
}

const plain = (width: number, height: number, alpha = 1) =>
  sharp({ create: { width, height, channels: 4, background: { r: 20, g: 90, b: 160, alpha } } })
const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: 'black', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  })
const MB = 1024 * 1024

test('a screenshot stays a lossless PNG, a photo a JPEG', async () => {
  expect(await shrink(await plain(300, 200).png().toBuffer(), 'image/png')).toMatchObject({
    mime: 'image/png',
    width: 300,
    height: 200,
  })
  expect(await shrink(await plain(300, 200).jpeg().toBuffer(), 'image/jpeg')).toMatchObject({ mime: 'image/jpeg' })
})

test('any image becomes at most 2048 pixels and 1.5 MB', async () => {
  const huge = await noise(2400, 700).png().toBuffer()
  expect(huge.length).toBeGreaterThan(1.5 * MB)
  const shrunk = await shrink(huge, 'image/png')
  expect(shrunk).toMatchObject({ mime: 'image/jpeg' })
  expect(shrunk.bytes).toBeLessThan(1.5 * MB)
  expect(Math.max(shrunk.width, shrunk.height)).toBeLessThanOrEqual(2048)
})

test('transparency is preserved in every format', async () => {
  expect(await shrink(await plain(300, 200, 0.5).png().toBuffer(), 'image/png')).toMatchObject({ hasAlpha: true })
  const heavy = await sharp(await noise(800, 800).png().toBuffer())
    .ensureAlpha(0.5)
    .png()
    .toBuffer()
  expect(heavy.length).toBeGreaterThan(1.5 * MB)
  expect(await shrink(heavy, 'image/png')).toMatchObject({ mime: 'image/webp', hasAlpha: true })
  expect(await shrink(await plain(300, 200, 0.5).webp().toBuffer(), 'image/webp')).toMatchObject({ hasAlpha: true })
})

test('an animation is reduced to its first frame', async () => {
  const frames = [await plain(40, 30).png().toBuffer(), await plain(40, 30, 0.2).png().toBuffer()]
  const animation = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
  expect((await sharp(animation, { animated: true }).metadata()).pages).toBe(2)
  const { mime, width, height, pages } = await shrink(animation, 'image/gif')
  expect({ mime, width, height, pages }).toEqual({ mime: 'image/png', width: 40, height: 30, pages: undefined })
})

test('bytes appended to an image are not stored', async () => {
  const image = await plain(20, 20).png().toBuffer()
  const { bytes } = await shrink(Buffer.concat([image, Buffer.alloc(5 * MB, 'PK')]), 'image/png')
  expect(bytes).toBeLessThan(1000)
})

test.each([
  ['a header alone', makePng(2000, 2000), 'image/png'],
  ['a header and junk', Buffer.concat([makePng(200, 200).subarray(0, 33), Buffer.alloc(MB, 7)]), 'image/png'],
  ['more pixels than are looked at', makePng(30_000, 30_000), 'image/png'],
  ['the head of a JPEG', makeJpeg(800, 600), 'image/jpeg'],
  ['the head of a GIF', makeGif(8, 6), 'image/gif'],
  ['the head of a WebP', makeWebp('VP8 ', 8, 6), 'image/webp'],
])('%s is rejected', async (_, bytes, mime) => {
  await expect(shrink(bytes, mime)).rejects.toMatchObject({ status: 415, message: expect.stringMatching(/повреждена/) })
})

test('a truncated photo is rejected', async () => {
  const photo = await noise(400, 400).jpeg().toBuffer()
  await expect(shrink(photo.subarray(0, photo.length / 2), 'image/jpeg')).rejects.toMatchObject({ status: 415 })
})

test('nothing is decoded after the client disconnected', async () => {
  await expect(shrink(makePng(10, 10), 'image/png', AbortSignal.abort())).rejects.toMatchObject({
    message: expect.stringMatching(/прервалась/),
  })
})
