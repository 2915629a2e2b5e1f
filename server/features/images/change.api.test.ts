import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addressOf } from '#contract/endpoint.ts'
import type { Area } from '#contract/image-area.ts'
import { usualSizes } from '#contract/image-skills.ts'
import { type Image, imagesApi } from '#contract/images.ts'
import { usersApi } from '#contract/users.ts'
import { images } from '#server/db/schema.ts'
import { draws, hangs, refuses } from '#server/llm/testing/fake-openai.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { reconcile } from '../billing/invariants.ts'
import { drawsWhenLet, PRICE, startGallery } from './testing/gallery.ts'

let anna: SignedIn
let first: Image
const gallery = await closeAfterTests(startGallery())
const { balance } = gallery
beforeAll(async () => {
  await gallery.skilled('retoucher', { area: true, sizes: [...usualSizes] })
})
beforeEach(async () => {
  gallery.provider.play(draws(gallery.image))
  anna = await gallery.signIn()
  const [drawn] = await gallery.draw(anna)
  if (!drawn) throw new Error('nothing was drawn')
  first = drawn
})
afterAll(async () => expect(await reconcile(gallery.db)).toEqual([]))

const leftHalf: Area = [{ type: 'rectangle', x: 0, y: 0, width: 5000, height: 10_000 }]
const plain = (width: number, height: number, colour: string) =>
  sharp({ create: { width, height, channels: 3, background: colour } })
    .png()
    .toBuffer()
const change = (body: Parameters<typeof gallery.change>[2] = { modelId: 'retoucher' }, id = first.id) =>
  gallery.change(anna, id, body)
const post = async (body: object, who = anna, id = first.id) => {
  const response = await who.post(`/api/images/${id}/change`, { prompt: 'Синий фон', modelId: 'retoucher', ...body })
  return { ...((await response.json()) as { id?: string }), status: response.status }
}

async function pixelsOf(image: Image) {
  const file = await anna.fetch(image.url)
  return sharp(Buffer.from(await file.arrayBuffer()))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
}

describe('changing', () => {
  test('a change is a new image that knows its parent (S10.820)', async () => {
    const result = await plain(48, 32, '#1144ee')
    gallery.provider.play(draws(result))
    const changed = await change()
    expect(changed).toMatchObject({
      status: 'ready',
      origin: 'changed',
      parentId: first.id,
      prompt: 'Сделай фон синим',
      charged: PRICE,
      hasArea: false,
    })
    expect(changed.id).not.toBe(first.id)
    expect(await balance(anna)).toMatchObject({ availableTokens: 8 * PRICE, held: 0 })
    const received = gallery.provider.received.at(-1)
    expect(received).toMatchObject({ path: '/v1/images/edits', prompt: 'Сделай фон синим', n: '1', mask: null })
    expect(received?.images).toMatchObject([{ mime: 'image/png' }])
  })

  test('versions are listed oldest first, and each can be branched (S10.821)', async () => {
    const second = await change()
    const third = await change({ modelId: 'retoucher', prompt: 'Ещё' }, second.id)
    const branch = await change({ modelId: 'retoucher', prompt: 'Иначе' })
    for (const id of [first.id, third.id]) {
      const versions = await anna.call(imagesApi.versions, { params: { id } })
      expect(versions.map((one) => [one.id, one.parentId])).toEqual([
        [first.id, null],
        [second.id, first.id],
        [third.id, second.id],
        [branch.id, first.id],
      ])
    }
    await anna.call(imagesApi.delete, { params: { id: second.id } })
    const rest = await anna.call(imagesApi.versions, { params: { id: third.id } })
    expect(rest.map(({ id }) => id)).toEqual([first.id, third.id, branch.id])
    expect((await anna.fetch(third.url)).status).toBe(200)
  })

  test('outside the marked area not a byte of the image changes (S10.824)', async () => {
    const before = await pixelsOf(first)
    gallery.provider.play(draws(await plain(1536, 1024, '#ee2211')))
    const changed = await change({ modelId: 'retoucher', area: leftHalf })
    expect(changed).toMatchObject({ status: 'ready', hasArea: true, width: 48, height: 32 })
    const after = await pixelsOf(changed)
    let same = 0
    for (let y = 0; y < 32; y += 1)
      for (let x = 24; x < 48; x += 1) {
        const at = (y * 48 + x) * 4
        expect(after.data.subarray(at, at + 4).equals(before.data.subarray(at, at + 4))).toBe(true)
        same += 1
      }
    expect(same).toBe(24 * 32)
    expect([...after.data.subarray(0, 4)]).toEqual([0xee, 0x22, 0x11, 255])
  })

  test('a model that moved everything shows both images (S10.825)', async () => {
    gallery.provider.play(draws(await plain(1536, 1024, '#ee2211')))
    const moved = await change({ modelId: 'retoucher', area: leftHalf })
    expect(moved.hasWhole).toBe(true)
    const whole = await anna.fetch(`/api/images/${moved.id}/whole`)
    expect(whole.headers.get('content-type')).toBe('image/webp')
    expect(await sharp(Buffer.from(await whole.arrayBuffer())).metadata()).toMatchObject({ width: 1536, height: 1024 })
    gallery.provider.play(draws(gallery.image))
    const still = await change({ modelId: 'retoucher', area: leftHalf })
    expect(still.hasWhole).toBe(false)
    expect((await anna.fetch(`/api/images/${still.id}/whole`)).status).toBe(404)
  })

  test('the model gets a mask in the size of the image (S10.823)', async () => {
    gallery.provider.play(draws(await plain(700, 300, '#336699')))
    const [wide] = await gallery.draw(anna)
    await change({ modelId: 'retoucher', area: leftHalf }, wide?.id)
    const { images: sent = [], mask, size } = gallery.provider.received.at(-1) ?? {}
    const [image] = await Promise.all(sent.map(({ bytes }) => sharp(bytes).metadata()))
    const marked = await sharp(mask?.bytes).metadata()
    // 700 × 300 is padded to 3:2, so that the answer can be cut back to the same place.
    expect([size, image?.width, image?.height]).toEqual(['1536x1024', 700, 467])
    expect([marked.width, marked.height, marked.hasAlpha]).toEqual([700, 467, true])
    const alpha = await sharp(mask?.bytes).extractChannel('alpha').raw().toBuffer()
    const at = (x: number, y: number) => alpha[y * 700 + x]
    expect([at(100, 233), at(600, 233), at(100, 10)]).toEqual([0, 255, 255])
  })

  test('own images come along as examples (S10.822)', async () => {
    const [example] = await gallery.draw(anna)
    const changed = await change({ modelId: 'retoucher', exampleIds: [example?.id ?? ''] })
    expect(changed).toMatchObject({ status: 'ready', exampleIds: [example?.id] })
    expect(gallery.provider.received.at(-1)?.images).toHaveLength(2)
  })

  test('a model without masks gets none and the rest is put back', async () => {
    await gallery.skilled('wordy', { area: false })
    const changed = await change({ modelId: 'wordy', area: leftHalf })
    expect(changed.status).toBe('ready')
    expect(gallery.provider.received.at(-1)?.mask).toBeNull()
  })

  test('the same change sent twice changes once', async () => {
    const body = { id: 'change-of-anna-1' }
    const [one, two] = await Promise.all([post(body), post(body)])
    expect(one.id).toBe(two.id)
    await gallery.imageQueue.idle()
    expect((await post(body)).id).toBe(one.id)
    expect(await balance(anna)).toMatchObject({ availableTokens: 8 * PRICE, held: 0 })
  })

  test('a price of changes replaces that of drawing', async () => {
    await gallery.skilled('dear', { changePrice: 2 * PRICE })
    expect(await change({ modelId: 'dear' })).toMatchObject({ charged: 2 * PRICE })
  })
})

describe('failing', () => {
  test('a failed change is free and keeps description, area and examples (S10.826)', async () => {
    gallery.provider.play(refuses(400, { error: { code: 'moderation_blocked', message: 'safety system' } }))
    const failed = await change({ modelId: 'retoucher', area: leftHalf, exampleIds: [first.id] })
    expect(failed).toMatchObject({
      status: 'failed',
      charged: 0,
      prompt: 'Сделай фон синим',
      hasArea: true,
      exampleIds: [first.id],
      error: { code: 'model_failed', message: expect.stringMatching(/отказалась/) },
    })
    expect(await anna.call(imagesApi.area, { params: { id: failed.id } })).toEqual({ area: leftHalf })
    expect(await balance(anna)).toMatchObject({ availableTokens: 9 * PRICE, held: 0 })
  })

  test('an area without a marked point is refused for free', async () => {
    const erased: Area = [{ type: 'stroke', width: 500, erases: true, points: [5000, 5000] }]
    const failed = await change({ modelId: 'retoucher', area: erased })
    expect(failed).toMatchObject({
      status: 'failed',
      charged: 0,
      error: { message: expect.stringMatching(/не отмечено/) },
    })
  })

  test('bytes that are no image fail for free and store nothing', async () => {
    const before = await gallery.storedKeys()
    gallery.provider.play(draws(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')))
    for (const area of [null, leftHalf])
      expect(await change({ modelId: 'retoucher', area })).toMatchObject({ status: 'failed', charged: 0 })
    expect(await gallery.storedKeys()).toEqual(before)
  })

  test('a deleted original ends a waiting change', async () => {
    await anna.call(imagesApi.delete, { params: { id: first.id } })
    expect(await post({})).toMatchObject({ status: 404 })
  })

  test('deleting a version erases description and area', async () => {
    const changed = await change({ modelId: 'retoucher', area: leftHalf })
    await anna.call(imagesApi.delete, { params: { id: changed.id } })
    const [row] = await gallery.db.select().from(images).where(eq(images.id, changed.id))
    expect(row).toMatchObject({ prompt: '', area: null, exampleIds: null, wholeKey: null, parentId: first.id })
  })

  test('cancelling a change before the provider is asked is free', async () => {
    const gate = drawsWhenLet(gallery.image)
    gallery.provider.play(gate.script)
    const made = await anna.call(imagesApi.change, {
      params: { id: first.id },
      body: { prompt: 'Синий', modelId: 'retoucher' },
    })
    await gate.requested
    expect(await anna.call(imagesApi.delete, { params: { id: made.id } })).toMatchObject({ charged: 0, free: 1 })
    gate.let()
    await gallery.imageQueue.idle()
    gallery.provider.play(hangs())
  })
})

test('the data file has parent, area and examples of an image (S10.838)', async () => {
  const changed = await change({ modelId: 'retoucher', area: leftHalf, exampleIds: [first.id] })
  const file = await anna.fetch(addressOf(usersApi.export, { params: { id: anna.user.id } }))
  const { images: exported } = (await file.json()) as { images: { id: string }[] }
  expect(exported.find(({ id }) => id === changed.id)).toMatchObject({
    prompt: 'Сделай фон синим',
    origin: 'changed',
    parentId: first.id,
    area: leftHalf,
    exampleIds: [first.id],
  })
})

describe('refusing', () => {
  test('images of others and strangers cannot be changed', async () => {
    const boris = await gallery.signIn()
    expect(await post({}, boris)).toMatchObject({ status: 404 })
    expect((await boris.fetch(`/api/images/${first.id}/versions`)).status).toBe(404)
    expect((await boris.fetch(`/api/images/${first.id}/area`)).status).toBe(404)
    const [own] = await gallery.draw(boris)
    expect(await post({ exampleIds: [first.id] }, boris, own?.id)).toMatchObject({ status: 400, field: 'exampleIds' })
    expect((await gallery.visitor().fetch(`/api/images/${first.id}/versions`)).status).toBe(401)
  })

  test.each([
    [{ prompt: '  ' }, 'prompt'],
    [{ modelId: 'brush' }, 'modelId'],
    [{ area: [] }, 'area'],
    [{ area: leftHalf, size: '1024x1024' }, 'size'],
    [{ transparent: true }, 'transparent'],
    [{ exampleIds: ['a', 'b', 'c', 'd', 'e'] }, 'exampleIds'],
  ])('a change that cannot be is refused by its field: %j', async (body, field) => {
    expect(await post(body)).toMatchObject({ status: 400, field })
  })
})

test('the demo recolours the marked area only (S10.828)', async () => {
  const owner = await gallery.signIn('owner@example.test')
  await owner.post(`/api/users/${anna.user.id}/gift`, { symbols: 4000, reason: 'для проверки' })
  const [drawn] = await anna.call(imagesApi.create, { body: { prompt: 'Горы', modelId: 'demo-image' } })
  await gallery.imageQueue.idle()
  const before = await anna.call(imagesApi.get, { params: { id: drawn?.id ?? '' } })
  const changed = await change({ modelId: 'demo-image', prompt: 'Сделай красным', area: leftHalf }, before.id)
  expect(changed).toMatchObject({ status: 'ready', width: 1024, height: 1024, hasWhole: false })
  const [old, now] = [await pixelsOf(before), await pixelsOf(changed)]
  const half = (pixels: Buffer, from: number) => {
    const rows = Array.from({ length: 1024 }, (_, y) =>
      pixels.subarray((y * 1024 + from) * 4, (y * 1024 + from + 512) * 4),
    )
    return Buffer.concat(rows)
  }
  expect(half(now.data, 512).equals(half(old.data, 512))).toBe(true)
  expect(half(now.data, 0).equals(half(old.data, 0))).toBe(false)
  const { channels } = await sharp(half(now.data, 0), { raw: { width: 512, height: 1024, channels: 4 } }).stats()
  expect((channels[0]?.mean ?? 0) - (channels[2]?.mean ?? 0)).toBeGreaterThan(30)
})
