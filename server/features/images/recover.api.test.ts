import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Area } from '#contract/image-area.ts'
import { imagesApi } from '#contract/images.ts'
import { usersApi } from '#contract/users.ts'
import { images } from '#server/db/schema.ts'
import { usualImageSkills } from '#server/llm/image-skills.ts'
import { createProviders } from '#server/llm/providers.ts'
import { draws } from '#server/llm/testing/fake-openai.ts'
import { s3Storage } from '#server/storage/s3.ts'
import { startFakeS3 } from '#server/storage/testing/fake-s3.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { reconcile } from '../billing/invariants.ts'
import { sweepHolds } from '../billing/sweeper.ts'
import { changeImage } from './change.ts'
import { createImages } from './create.ts'
import { recoverImages } from './finish.ts'
import { createImageQueue, type ImageQueue } from './image-queue.ts'
import { drawsWhenLet, PRICE, startGallery } from './testing/gallery.ts'

let anna: SignedIn
const gallery = await closeAfterTests(startGallery())
beforeEach(async () => {
  gallery.provider.play(draws(gallery.image))
  anna = await gallery.signIn()
})
afterAll(async () => expect(await reconcile(gallery.db)).toEqual([]))

const app = () => ({ db: gallery.db, publish: gallery.hub.publish, log: gallery.log })
const shown = (id: string) => anna.call(imagesApi.get, { params: { id } })
const free = async () => (await anna.call(usersApi.me, {})).SingleSubscription

/** The queue of a process that died a while ago. */
const deadQueue: ImageQueue = {
  begin: () => {},
  cancel: () => {},
  isOpen: () => true,
  instance: () => 'dead',
  skillsOf: () => usualImageSkills('openai', 'gpt-image-1'),
  idle: async () => {},
  close: async () => {},
}
const ctx = () => ({ ...app(), user: anna.user, session: { id: '', user: anna.user, impersonatedBy: null }, ip: '' })

async function staleImage(): Promise<string> {
  const request = { prompt: 'Кот', modelId: 'brush', size: 'auto', n: 1 } as const
  const [made] = await createImages(ctx(), deadQueue, request)
  return made?.id ?? ''
}

test('an image of a crashed process fails for free; live processes continue', async () => {
  const gate = drawsWhenLet(gallery.image)
  gallery.provider.play(gate.script)
  const [alive] = await gallery.request(anna)
  const stale = await staleImage()
  expect(await recoverImages(app())).toBe(1)
  expect(await shown(stale)).toMatchObject({
    status: 'failed',
    charged: 0,
    error: { code: 'unavailable', message: expect.stringContaining('Символы не списаны') },
  })
  expect(await free()).toMatchObject({ held: PRICE, availableTokens: 9 * PRICE })
  expect(await recoverImages(app())).toBe(0)
  gate.let()
  await gallery.imageQueue.idle()
  expect(await shown(alive?.id ?? '')).toMatchObject({ status: 'ready', charged: PRICE })
})

test('a change of a crashed process is free and can be repeated (S10.826)', async () => {
  const [original] = await gallery.draw(anna)
  const parentId = original?.id ?? ''
  const area: Area = [{ type: 'rectangle', x: 0, y: 0, width: 5000, height: 5000 }]
  const asked = { prompt: 'Синий', modelId: 'brush', size: 'auto' as const, area, exampleIds: [parentId] }
  const stale = await changeImage(ctx(), deadQueue, parentId, asked)
  expect(await free()).toMatchObject({ held: PRICE, availableTokens: 8 * PRICE })
  expect(await recoverImages(app())).toBe(1)
  expect(await shown(stale.id)).toMatchObject({
    status: 'failed',
    charged: 0,
    error: { code: 'unavailable' },
    prompt: 'Синий',
    parentId,
    hasArea: true,
    exampleIds: [parentId],
  })
  expect(await anna.call(imagesApi.area, { params: { id: stale.id } })).toEqual({ area })
  expect(await free()).toMatchObject({ held: 0, availableTokens: 9 * PRICE })
})

test('parallel recoveries end an image and its hold once', async () => {
  const id = await staleImage()
  const sweep = () => sweepHolds({ db: gallery.db, onChanged: () => {}, onError: (error) => expect(error).toBeNull() })
  await Promise.all([sweep(), recoverImages(app()), recoverImages(app()), sweep()])
  expect(await shown(id)).toMatchObject({ status: 'failed', charged: 0 })
  expect(await free()).toMatchObject({ held: 0, availableTokens: 10 * PRICE })
})

test('an image that ended meanwhile is not charged, and its bytes go', async () => {
  const gate = drawsWhenLet(gallery.image)
  gallery.provider.play(gate.script)
  const [made] = await gallery.request(anna)
  const id = made?.id ?? ''
  await gate.requested
  await gallery.db.update(images).set({ instance: 'dead' }).where(eq(images.id, id))
  expect(await recoverImages(app())).toBe(1)
  gate.let()
  await gallery.imageQueue.idle()
  expect(await shown(id)).toMatchObject({ status: 'failed', charged: 0 })
  expect(await free()).toMatchObject({ held: 0, availableTokens: 10 * PRICE })
  expect(await gallery.files.storage.read(`images/${id}`)).toBeNull()
})

test('a closing server fails its images for free and accepts no more', async () => {
  const gate = drawsWhenLet(gallery.image)
  gallery.provider.play(gate.script)
  const providers = createProviders([{ name: 'fake', baseUrl: gallery.provider.baseUrl, apiKey: null }])
  const imageQueue = createImageQueue({
    ...app(),
    providers,
    storage: gallery.files.storage,
    instance: gallery.instance,
  })
  const request = { prompt: 'Кот', modelId: 'brush', size: 'auto', n: 2 } as const
  const [made] = await createImages(ctx(), imageQueue, request)
  await gate.requested
  await imageQueue.close(0)
  expect(await shown(made?.id ?? '')).toMatchObject({ status: 'failed', error: { code: 'unavailable' } })
  expect(await free()).toMatchObject({ held: 0, availableTokens: 10 * PRICE })
  await expect(createImages(ctx(), imageQueue, request)).rejects.toMatchObject({ code: 'unavailable' })
  gate.let()
})

test('a bucket stores images with types, and serves and deletes them', async () => {
  const s3 = await startFakeS3()
  const files = { ...gallery.files, storage: s3Storage(s3.settings, 1) }
  const inBucket = await startGallery({ database: gallery.database, deps: { files } })
  const boris = await inBucket.signIn()
  const [image] = await inBucket.draw(boris)
  expect(s3.objects.get(`images/${image?.id}`)).toMatchObject({ mime: 'image/png' })
  expect(s3.objects.get(`thumbs/${image?.id}`)).toMatchObject({ mime: 'image/webp' })
  const file = await boris.fetch(image?.url ?? '')
  expect(Buffer.from(await file.arrayBuffer()).equals(inBucket.markedImage)).toBe(true)
  await boris.call(imagesApi.delete, { params: { id: image?.id ?? '' } })
  expect(s3.objects.size).toBe(0)
  s3.stumbles = 99
  expect(await inBucket.draw(boris)).toMatchObject([{ status: 'failed', charged: 0, error: { code: 'internal' } }])
  await inBucket.close()
  await s3.close()
})
