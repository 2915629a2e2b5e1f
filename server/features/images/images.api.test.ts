import { desc, eq, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type Image, imagesApi } from '#contract/images.ts'
import { images, modelCalls } from '#server/db/schema.ts'
import { markSource } from '#server/files/image-mark.ts'
import { newId } from '#server/lib/ids.ts'
import { draws } from '#server/llm/testing/fake-openai.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { reconcile } from '../billing/invariants.ts'
import { drawsWhenLet, PRICE, startGallery } from './testing/gallery.ts'

let anna: SignedIn
const gallery = await closeAfterTests(startGallery())
beforeEach(async () => {
  gallery.provider.play(draws(gallery.image))
  anna = await gallery.signIn()
})
afterAll(async () => expect(await reconcile(gallery.db)).toEqual([]))

const { list, balance, entries, storedKeys } = gallery

describe('looking', () => {
  test('images are paged newest first, and new images shift nothing', async () => {
    const drawn: Image[] = []
    for (const prompt of ['Первая', 'Вторая', 'Третья']) drawn.push(...(await gallery.draw(anna, { prompt })))
    const response = await anna.fetch('/api/images?limit=2')
    const page = (await response.json()) as Image[]
    expect(page.map(({ prompt }) => prompt)).toEqual(['Третья', 'Вторая'])
    await gallery.draw(anna, { prompt: 'Четвёртая' })
    const cursor = response.headers.get('x-next-cursor') ?? ''
    const rest = await anna.fetch(`/api/images?limit=2&cursor=${encodeURIComponent(cursor)}`)
    expect(((await rest.json()) as Image[]).map(({ prompt }) => prompt)).toEqual(['Первая'])
    expect(rest.headers.get('x-next-cursor')).toBeNull()
    expect((await anna.fetch('/api/images?cursor=nonsense')).status).toBe(400)
  })

  test('a description is found by other word forms and by parts', async () => {
    await gallery.draw(anna, { prompt: 'Рыжие коты на подоконниках' })
    await gallery.draw(anna, { prompt: 'Ёлка в снегу 100%' })
    expect((await list(anna, { query: 'рыжий кот' })).map(({ prompt }) => prompt)).toEqual([
      'Рыжие коты на подоконниках',
    ])
    expect(await list(anna, { query: 'елк' })).toHaveLength(1)
    expect(await list(anna, { query: '100%' })).toHaveLength(1)
    expect(await list(anna, { query: 'собака' })).toEqual([])
  })

  test('image bytes are original, thumbnails small WebP, and neither can run', async () => {
    const large = await sharp({ create: { width: 1536, height: 1024, channels: 3, background: '#246' } })
      .png()
      .toBuffer()
    gallery.provider.play(draws(large))
    const [image] = await gallery.draw(anna)
    const file = await anna.fetch(image?.url ?? '')
    const marked = markSource(large, 'image/png', { width: 1536, height: 1024, source: 'drawn' })
    expect(Buffer.from(await file.arrayBuffer()).equals(marked)).toBe(true)
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(marked.length),
      'content-disposition': `inline; filename*=UTF-8''${encodeURIComponent('Рыжий-кот')}.png`,
      'cache-control': 'private, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    })
    const small = await anna.fetch(image?.thumbnailUrl ?? '')
    const bytes = Buffer.from(await small.arrayBuffer())
    expect(small.headers.get('content-type')).toBe('image/webp')
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 720, height: 480 })
    expect(bytes.length).toBeLessThan(50_000)
  })

  test('a row that claims to be a page is not served', async () => {
    const [image] = await gallery.draw(anna)
    await gallery.db
      .update(images)
      .set({ mime: 'text/html' })
      .where(eq(images.id, image?.id ?? ''))
    expect((await anna.fetch(image?.url ?? '')).status).toBe(404)
  })

  test('the image of another user is not found', async () => {
    const [image] = await gallery.draw(anna)
    const boris = await gallery.signIn()
    const at = `/api/images/${image?.id}`
    for (const path of [at, `${at}/file`, `${at}/thumbnail`]) expect((await boris.fetch(path)).status).toBe(404)
    expect((await boris.fetch(at, { method: 'DELETE' })).status).toBe(404)
    expect(await boris.call(imagesApi.deleteMany, { body: { ids: [image?.id ?? ''] } })).toMatchObject({ ids: [] })
    expect(await list(boris)).toEqual([])
    for (const path of [`${at}/file`, `${at}/thumbnail`]) expect((await gallery.visitor().fetch(path)).status).toBe(401)
    expect(await list(anna)).toHaveLength(1)
  })

  test('all windows of the owner learn of each change', async () => {
    const received: string[] = []
    const watch = gallery.bus.listen((published) => {
      if (published.type === 'event' && published.userId === anna.user.id && published.event.topic === 'images')
        received.push(published.event.type)
    })
    const [image] = await gallery.draw(anna)
    await anna.call(imagesApi.delete, { params: { id: image?.id ?? '' } })
    // Created, sent to the provider, ready, deleted.
    expect(received).toEqual(['changed', 'changed', 'changed', 'removed'])
    watch()
  })
})

describe('deleting', () => {
  test('a deleted image loses bytes and description; its charge stays', async () => {
    const [image] = await gallery.draw(anna, { prompt: 'Тайна' })
    const id = image?.id ?? ''
    expect(await storedKeys()).toContain(`images/${id}`)
    expect(await anna.call(imagesApi.delete, { params: { id } })).toEqual({ id, charged: 0, free: null })
    expect((await storedKeys()).filter((key) => key.endsWith(id))).toEqual([])
    expect((await anna.fetch(image?.url ?? '')).status).toBe(404)
    expect((await anna.fetch(`/api/images/${id}`)).status).toBe(404)
    expect((await anna.fetch(`/api/images/${id}`, { method: 'DELETE' })).status).toBe(404)
    const [row] = await gallery.db.select().from(images).where(eq(images.id, id))
    expect(row).toMatchObject({ prompt: '', storageKey: null, charged: PRICE })
    expect(await entries(anna)).toHaveLength(1)
    expect(await anna.call(imagesApi.usage, {})).toMatchObject({ count: 0, bytes: 0 })
  })

  test('several images are deleted at once, skipping missing images', async () => {
    const made = await gallery.draw(anna, { n: 3 })
    const [first, second, third] = made.map(({ id }) => id)
    await anna.call(imagesApi.delete, { params: { id: first ?? '' } })
    const { ids } = await anna.call(imagesApi.deleteMany, { body: { ids: [first ?? '', second ?? '', 'no-such-one'] } })
    expect(ids).toEqual([second])
    expect((await list(anna)).map(({ id }) => id)).toEqual([third])
  })

  test('an image deleted while being drawn costs its price after three stops (S10.23)', async () => {
    const gate = drawsWhenLet(gallery.image)
    gallery.provider.play(gate.script)
    const drop = async () => {
      const before = gallery.provider.received.length
      const [made] = await gallery.request(anna)
      const id = made?.id ?? ''
      await expect.poll(() => gallery.provider.received.length).toBeGreaterThan(before)
      expect(await anna.call(imagesApi.get, { params: { id } })).toMatchObject({ requested: true, price: PRICE })
      return anna.call(imagesApi.delete, { params: { id } })
    }
    for (const free of [1, 2, 3]) expect(await drop()).toMatchObject({ charged: 0, free })
    expect(await balance(anna)).toMatchObject({ availableTokens: 10 * PRICE, held: 0 })
    const paid = await drop()
    expect(paid).toMatchObject({ charged: PRICE, free: null })
    expect(await entries(anna)).toMatchObject([
      { symbols: -PRICE, note: 'Изображение заказано и остановлено до того, как было готово' },
    ])
    gate.let()
    await gallery.imageQueue.idle()
    expect(await list(anna)).toEqual([])
    expect((await storedKeys()).filter((key) => key.endsWith(paid.id))).toEqual([])
    expect(await balance(anna)).toMatchObject({ availableTokens: 9 * PRICE, held: 0 })
    const [row] = await gallery.db.select().from(images).where(eq(images.id, paid.id))
    expect(row).toMatchObject({ charged: PRICE })
    const calls = await gallery.db.select().from(modelCalls).orderBy(desc(modelCalls.id)).limit(4)
    expect(calls.map(({ kind, cost }) => [kind, cost])).toEqual(Array.from({ length: 4 }, () => ['image', 4]))
  })

  test('exactly three of many simultaneous deletions are free', async () => {
    const gate = drawsWhenLet(gallery.image)
    gallery.provider.play(gate.script)
    const made = await gallery.request(anna, { n: 4 })
    await expect.poll(async () => (await list(anna)).filter(({ requested }) => requested).length).toBe(4)
    const removed = await Promise.all(made.map(({ id }) => anna.call(imagesApi.delete, { params: { id } })))
    expect(removed.map(({ charged }) => charged).toSorted()).toEqual([0, 0, 0, PRICE])
    gate.let()
    await gallery.imageQueue.idle()
    expect(await balance(anna)).toMatchObject({ availableTokens: 9 * PRICE, held: 0 })
  })

  test('deleting an image that waits for its turn is free', async () => {
    const gate = drawsWhenLet(gallery.image)
    gallery.provider.play(gate.script)
    const boris = await gallery.signIn()
    await gallery.request(boris, { n: 4 })
    await expect.poll(async () => (await list(boris)).filter(({ requested }) => requested).length).toBe(4)
    const [waiting] = await gallery.request(anna)
    const id = waiting?.id ?? ''
    expect(await anna.call(imagesApi.delete, { params: { id } })).toEqual({ id, charged: 0, free: null })
    gate.let()
    await gallery.imageQueue.idle()
    expect(await balance(anna)).toMatchObject({ availableTokens: 10 * PRICE, held: 0 })
  })

  test('repeating a request whose images were deleted is a conflict', async () => {
    const id = newId()
    const made = await gallery.request(anna, { id })
    await gallery.imageQueue.idle()
    await anna.call(imagesApi.deleteMany, { body: { ids: made.map((image) => image.id) } })
    await expect(gallery.request(anna, { id })).rejects.toMatchObject({ status: 409, field: 'id' })
    expect(await balance(anna)).toMatchObject({ held: 0 })
  })

  test('images go with their owner', async () => {
    await gallery.draw(anna)
    await gallery.db.execute(sql`delete from users where id = ${anna.user.id}`)
    expect(await gallery.db.$count(images, eq(images.userId, anna.user.id))).toBe(0)
  })
})
