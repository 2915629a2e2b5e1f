import { desc, eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { imagesApi, MAX_IMAGES_BYTES } from '#contract/images.ts'
import { images, modelCalls, models } from '#server/db/schema.ts'
import { draws, refuses } from '#server/llm/testing/fake-openai.ts'
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
const rejection = async (body: object, who = anna) => (await who.post('/api/images', body)).json()

describe('making', () => {
  test('the call answers at once, holds the price, and images follow', async () => {
    const gate = drawsWhenLet(gallery.image)
    gallery.provider.play(gate.script)
    const made = await gallery.request(anna, { n: 2 })
    expect(made).toHaveLength(2)
    for (const image of made)
      expect(image).toMatchObject({
        status: 'making',
        prompt: 'Рыжий кот',
        modelId: 'brush',
        size: 'auto',
        width: 1024,
        height: 1024,
        charged: 0,
        url: `/api/images/${image.id}/file`,
        thumbnailUrl: `/api/images/${image.id}/thumbnail`,
      })
    expect(await balance(anna)).toMatchObject({ availableTokens: 8 * PRICE, held: 2 * PRICE })
    expect((await anna.fetch(made[0]?.url ?? '')).status).toBe(404)
    gate.let()
    await gallery.imageQueue.idle()
    const ready = await list(anna)
    expect(ready.map(({ id }) => id).sort()).toEqual(made.map(({ id }) => id).sort())
    for (const image of ready)
      expect(image).toMatchObject({
        status: 'ready',
        charged: PRICE,
        width: 48,
        height: 32,
        bytes: gallery.markedImage.length,
      })
    expect(await balance(anna)).toMatchObject({ availableTokens: 8 * PRICE, held: 0 })
  })

  test('each image is charged separately with its own entry', async () => {
    await gallery.draw(anna, { n: 2 })
    expect(await entries(anna)).toMatchObject([
      { symbols: -PRICE, modelId: 'brush', note: 'Изображение' },
      { symbols: -PRICE, modelId: 'brush' },
    ])
  })

  test('a failed image among several is free, and the others are charged', async () => {
    gallery.provider.play(draws(gallery.image), refuses(400, { error: { code: 'moderation_blocked' } }))
    const made = await gallery.draw(anna, { n: 2 })
    const failed = made.filter(({ status }) => status === 'failed')
    expect(made.filter(({ status }) => status === 'ready')).toHaveLength(1)
    expect(failed).toMatchObject([
      {
        charged: 0,
        bytes: null,
        error: {
          code: 'model_failed',
          message: 'Модель отказалась это рисовать по своим правилам. Измените описание.',
        },
      },
    ])
    expect(await balance(anna)).toMatchObject({ availableTokens: 9 * PRICE, held: 0 })
  })

  test('a response that is not an image fails, and nothing is kept', async () => {
    const before = await storedKeys()
    gallery.provider.play(draws(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')))
    expect(await gallery.draw(anna)).toMatchObject([{ status: 'failed', charged: 0 }])
    gallery.provider.play(draws(Buffer.from('<!doctype html><h1>Не картинка</h1>')))
    expect(await gallery.draw(anna)).toMatchObject([{ status: 'failed', charged: 0 }])
    expect(await storedKeys()).toEqual(before)
  })

  test('the owner’s cost is stored by the price of a thousand images', async () => {
    await gallery.draw(anna)
    const [call] = await gallery.db.select().from(modelCalls).orderBy(desc(modelCalls.id)).limit(1)
    expect(call).toMatchObject({ kind: 'image', cost: 4, costCurrency: 'USD', status: null })
  })

  test('the same request sent twice, even at once, draws once', async () => {
    const request = { id: 'order-of-anna-1', n: 4 }
    const [first, second] = await Promise.all([gallery.request(anna, request), gallery.request(anna, request)])
    expect(second.map(({ id }) => id)).toEqual(first.map(({ id }) => id))
    await gallery.imageQueue.idle()
    expect((await gallery.request(anna, request)).map(({ id }) => id)).toEqual(first.map(({ id }) => id))
    expect(await entries(anna)).toHaveLength(4)
  })

  test('the demo draws without any provider', async () => {
    const richer = await gallery.signIn()
    const owner = await gallery.signIn('owner@example.test')
    await owner.post(`/api/users/${richer.user.id}/gift`, { symbols: 2000, reason: 'для проверки' })
    const body = { prompt: 'Горы', modelId: 'demo-image', size: '1536x1024' as const }
    const [made] = await richer.call(imagesApi.create, { body })
    await gallery.imageQueue.idle()
    const ready = await richer.call(imagesApi.get, { params: { id: made?.id ?? '' } })
    expect(ready).toMatchObject({ status: 'ready', width: 1536, height: 1024, charged: 2000 })
  })
})

describe('refusing', () => {
  test('without symbols for all images nothing is stored or held', async () => {
    const owner = await gallery.signIn('owner@example.test')
    await owner.post(`/api/users/${anna.user.id}/gift`, { symbols: -(8 * PRICE + 1), reason: 'для проверки' })
    expect(await rejection({ prompt: 'Кот', modelId: 'brush', n: 2 })).toMatchObject({
      status: 402,
      code: 'out_of_symbols',
    })
    expect(await list(anna)).toEqual([])
    expect(await balance(anna)).toMatchObject({ availableTokens: 2 * PRICE - 1, held: 0 })
    expect(await gallery.draw(anna)).toMatchObject([{ status: 'ready' }])
  })

  test('the user’s daily limit applies to images too', async () => {
    const cap = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: `{"dailyCap":${PRICE}}` }
    await anna.fetch('/api/profile/daily-cap', cap)
    expect(await rejection({ prompt: 'Кот', modelId: 'brush', n: 2 })).toMatchObject({
      status: 402,
      message: expect.stringContaining('дневной предел'),
    })
  })

  test.each([
    [{ prompt: '   ', modelId: 'brush' }, 'prompt'],
    [{ prompt: 'а'.repeat(4001), modelId: 'brush' }, 'prompt'],
    [{ prompt: 'Кот', modelId: 'brush', n: 0 }, 'n'],
    [{ prompt: 'Кот', modelId: 'brush', n: 5 }, 'n'],
    [{ prompt: 'Кот', modelId: 'brush', size: '10x10' }, 'size'],
    [{ prompt: 'Кот', modelId: 'demo' }, 'modelId'],
    [{ prompt: 'Кот', modelId: 'brush', price: 0 }, 'price'],
  ])('an invalid request is refused by its field: %j', async (body, field) => {
    expect(await rejection(body)).toMatchObject({ status: 400, field })
  })

  test('images dearer than their button named are not begun (S10.1603)', async () => {
    const order = { prompt: 'Кот', modelId: 'brush', n: 2 }
    expect(await rejection({ ...order, most: 2 * PRICE - 1 })).toMatchObject({
      ...{ status: 409, field: 'most' },
      message: expect.stringMatching(/Теперь это стоит .* а было названо .*\. Ничего не списано/),
    })
    const made = await gallery.draw(anna, { n: 2, most: 2 * PRICE })
    expect(made).toHaveLength(2)
  })

  test('a hidden or deleted model cannot draw', async () => {
    await gallery.db
      .insert(models)
      .values({
        id: 'secret',
        name: 'x',
        kind: 'image',
        provider: 'fake',
        providerModel: 'x',
        imagePrice: 1,
        hidden: true,
      })
      .onConflictDoNothing()
    expect(await rejection({ prompt: 'Кот', modelId: 'secret' })).toMatchObject({ status: 404 })
    expect(await rejection({ prompt: 'Кот', modelId: 'no-such' })).toMatchObject({ status: 404 })
  })

  test('a model without a price does not draw', async () => {
    await gallery.db
      .insert(models)
      .values({ id: 'unpriced', name: 'x', kind: 'image', provider: 'fake', providerModel: 'x' })
      .onConflictDoNothing()
    expect(await rejection({ prompt: 'Кот', modelId: 'unpriced' })).toMatchObject({ status: 409 })
  })

  test('at most four images are drawn for a person at once', async () => {
    const gate = drawsWhenLet(gallery.image)
    gallery.provider.play(gate.script)
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => anna.post('/api/images', { prompt: 'Кот', modelId: 'brush', n: 2 })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429])
    const busy = responses.find(({ status }) => status === 429)
    expect(await busy?.json()).toMatchObject({ message: expect.stringContaining('не больше 4 картинок') })
    expect(await list(anna)).toHaveLength(4)
    gate.let()
    await gallery.imageQueue.idle()
    expect((await list(anna)).map(({ status }) => status)).toEqual(['ready', 'ready', 'ready', 'ready'])
  })

  test('a full storage is answered with the advice to delete images', async () => {
    const [made] = await gallery.draw(anna)
    const full = { bytes: 2_147_483_647 }
    await gallery.db
      .update(images)
      .set(full)
      .where(eq(images.id, made?.id ?? ''))
    const [second] = await gallery.draw(anna)
    await gallery.db
      .update(images)
      .set(full)
      .where(eq(images.id, second?.id ?? ''))
    expect(await anna.call(imagesApi.usage, {})).toEqual({ count: 2, bytes: 2 * full.bytes, limit: MAX_IMAGES_BYTES })
    expect(await rejection({ prompt: 'Кот', modelId: 'brush' })).toMatchObject({ status: 413 })
  })
})

test('shapes and transparency are asked for where the model can (S10.840)', async () => {
  await gallery.skilled('free', { sizes: ['1536x864', 'auto'], transparent: true })
  const order = { prompt: 'Логотип', size: '1536x864', transparent: true }
  const made = await anna.post('/api/images', { ...order, modelId: 'free' })
  expect(await made.json()).toMatchObject([{ size: '1536x864', width: 1536, height: 864, transparent: true }])
  await gallery.imageQueue.idle()
  expect(gallery.provider.received.at(-1)).toMatchObject({ size: '1536x864', background: 'transparent' })
  for (const [body, field] of [
    [{ ...order, size: '864x1536', modelId: 'free' }, 'size'],
    [{ ...order, size: 'auto', modelId: 'brush' }, 'transparent'],
  ] as const) {
    const refused = await anna.post('/api/images', body)
    expect([refused.status, await refused.json()]).toMatchObject([400, { field }])
  }
})
