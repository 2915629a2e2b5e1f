import sharp from 'sharp'
import { expect, test } from 'vitest'
import { readPicture } from './picture.ts'
import { makeGif, makePng } from './testing/make-images.ts'

const red = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 40, b: 30 } } })

test('a PNG, a JPEG and a WebP are known by their content, with their size', async () => {
  expect(await readPicture(await red(40, 30).png().toBuffer())).toMatchObject({
    mime: 'image/png',
    width: 40,
    height: 30,
  })
  expect(await readPicture(await red(40, 30).jpeg().toBuffer())).toMatchObject({ mime: 'image/jpeg' })
  expect(await readPicture(await red(40, 30).webp().toBuffer())).toMatchObject({ mime: 'image/webp' })
})

test('a thumbnail is a small WebP whose shorter side is 480, and says nothing of what the original tells', async () => {
  const original = await red(1536, 1024)
    .withExif({ IFD0: { Copyright: 'somebody', ImageDescription: 'a secret' } })
    .jpeg()
    .toBuffer()
  const picture = await readPicture(original)
  const thumbnail = await sharp(picture?.thumbnail).metadata()
  expect(thumbnail).toMatchObject({ format: 'webp', width: 720, height: 480 })
  expect(thumbnail.exif).toBeUndefined()
  expect(picture?.thumbnail.length).toBeLessThan(20_000)
})

test('a picture that lies on its side is measured and shown upright', async () => {
  const picture = await readPicture(await red(80, 40).withMetadata({ orientation: 6 }).jpeg().toBuffer())
  expect(picture).toMatchObject({ width: 40, height: 80 })
  expect(await sharp(picture?.thumbnail).metadata()).toMatchObject({ width: 40, height: 80 })
})

test.each([
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['SVG after a declaration', Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['GIF', makeGif(10, 10)],
  ['nothing', Buffer.alloc(0)],
  ['a PNG that breaks off', makePng(2000, 2000)],
  ['a PNG that claims to be huge', makePng(30_000, 30_000)],
])('%s is no picture', async (_, bytes) => {
  expect(await readPicture(bytes)).toBeNull()
})
