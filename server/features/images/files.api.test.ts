import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Image, imagesApi } from '#contract/images.ts'
import { makePng } from '#server/files/testing/make-images.ts'
import { draws } from '#server/llm/testing/fake-openai.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { PRICE, startGallery } from './testing/gallery.ts'

let anna: SignedIn
const gallery = await closeAfterTests(startGallery())
await gallery.skilled('retoucher', {})
beforeEach(async () => {
  gallery.provider.play(draws(gallery.image))
  anna = await gallery.signIn()
})

async function send(bytes: Uint8Array, name = 'Моя дача.jpg', who: Pick<SignedIn, 'fetch'> = anna) {
  const form = new FormData()
  form.set('file', new File([new Uint8Array(bytes)], name))
  const response = await who.fetch('/api/images/upload', { method: 'POST', body: form })
  return { ...((await response.json()) as Partial<Image>), code: response.status }
}

const photo = () =>
  sharp({ create: { width: 400, height: 300, channels: 3, background: '#7a5' } })
    .withExif({ IFD0: { Copyright: 'secret owner' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '55/1 45/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()

const metadataOf = async (url: string) => sharp(Buffer.from(await (await anna.fetch(url)).arrayBuffer())).metadata()

describe('uploads', () => {
  test('a photo loses its metadata and stands upright, free of charge (S10.832)', async () => {
    const uploaded = await send(await photo())
    expect(uploaded).toMatchObject({
      origin: 'uploaded',
      status: 'ready',
      prompt: 'Моя дача',
      width: 300,
      height: 400,
      charged: 0,
    })
    const stored = await metadataOf(uploaded.url ?? '')
    expect([stored.exif, stored.xmp, stored.orientation]).toEqual([undefined, undefined, undefined])
    expect(await gallery.balance(anna)).toMatchObject({ availableTokens: 10 * PRICE, held: 0 })
  })

  test('a changed photo is marked as changed by a model', async () => {
    const { id = '' } = await send(await photo())
    const changed = await gallery.change(anna, id, { modelId: 'retoucher' })
    expect((await metadataOf(changed.url)).xmp?.toString()).toContain('compositeWithTrainedAlgorithmicMedia')
    const again = await gallery.change(anna, changed.id, { modelId: 'retoucher' })
    expect((await metadataOf(again.url)).xmp?.toString()).toContain('compositeWithTrainedAlgorithmicMedia')
  })

  test('of a TIFF of several pages the first one is taken (S10.1090)', async () => {
    const page = (background: string) =>
      sharp({ create: { width: 90, height: 60, channels: 3, background } })
        .png()
        .toBuffer()
    const tiff = await sharp([await page('#f00'), await page('#00f')], { join: { animated: true } })
      .tiff()
      .toBuffer()
    const uploaded = await send(tiff, 'скан.tiff')
    expect(uploaded).toMatchObject({ status: 'ready', width: 90, height: 60 })
    const stored = Buffer.from(await (await anna.fetch(uploaded.url ?? '')).arrayBuffer())
    const { dominant } = await sharp(stored).stats()
    expect(dominant.r).toBeGreaterThan(dominant.b)
  })

  test('what is no image, or too many pixels, is refused before decoding', async () => {
    expect(await send(Buffer.from('просто текст'), 'a.png')).toMatchObject({ code: 415 })
    expect(await send(Buffer.from('просто текст'), 'a.txt')).toMatchObject({ code: 415 })
    expect(await send(makePng(30_000, 30_000), 'a.png')).toMatchObject({ code: 413 })
    expect(await send(await photo(), 'a.jpg', gallery.visitor())).toMatchObject({ code: 401 })
    expect(await gallery.list(anna)).toEqual([])
  })
})

describe('downloads', () => {
  test.each([
    ['png', undefined, 'png', 300, 'image/png'],
    ['jpeg', '512', 'jpeg', 512, 'image/jpeg'],
    ['webp', '512', 'webp', 512, 'image/webp'],
  ] as const)('%s comes in the chosen size with its mark (S10.833)', async (format, side, kind, width, type) => {
    const big = await sharp({ create: { width: side ? 1200 : 300, height: 200, channels: 4, background: '#12345680' } })
      .png()
      .toBuffer()
    gallery.provider.play(draws(big))
    const [image] = await gallery.draw(anna)
    const url = `/api/images/${image?.id}/download?format=${format}${side ? `&side=${side}` : ''}`
    const response = await anna.fetch(url)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('content-disposition')).toContain(encodeURIComponent('Рыжий-кот'))
    const file = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
    expect(file).toMatchObject({ format: kind, width })
    expect(file.xmp?.toString()).toContain('/trainedAlgorithmicMedia')
  })

  test('files of others and strangers are not found', async () => {
    const [image] = await gallery.draw(anna)
    const boris = await gallery.signIn()
    const url = `/api/images/${image?.id}/download?format=png`
    expect((await boris.fetch(url)).status).toBe(404)
    expect((await gallery.visitor().fetch(url)).status).toBe(401)
    expect((await anna.fetch(`/api/images/${image?.id}/download?format=bmp`)).status).toBe(400)
    await anna.call(imagesApi.delete, { params: { id: image?.id ?? '' } })
    expect((await anna.fetch(url)).status).toBe(404)
  })
})
