import { and, eq } from 'drizzle-orm'
import sharp from 'sharp'
import type { ImageSkills } from '#contract/image-skills.ts'
import { type Image, type ImageChange, imagesApi } from '#contract/images.ts'
import { usersApi } from '#contract/users.ts'
import { ledger, models } from '#server/db/schema.ts'
import { markSource } from '#server/files/image-mark.ts'
import { usualImageSkills } from '#server/llm/image-skills.ts'
import { createProviders } from '#server/llm/providers.ts'
import { draws, type Script, startFakeOpenAi } from '#server/llm/testing/fake-openai.ts'
import { type SignedIn, startTestApp, type TestAppOptions } from '#server/testing/app.ts'

export const PRICE = 300

/** A real image, as small as can be. */
export const anImage = (width = 48, height = 32) =>
  sharp({ create: { width, height, channels: 3, background: { r: 40, g: 90, b: 200 } } })
    .png()
    .toBuffer()

/** The whole server with a scripted provider whose model `brush` draws. */
export async function startGallery(options: TestAppOptions = {}) {
  const provider = await startFakeOpenAi()
  const providers = createProviders([{ name: 'fake', baseUrl: provider.baseUrl, apiKey: 'key' }])
  const app = await startTestApp({ startSymbols: 10 * PRICE, ...options, deps: { providers, ...options.deps } })
  const image = await anImage()
  provider.play(draws(image))
  await app.db
    .insert(models)
    .values({
      id: 'brush',
      name: 'Кисть',
      kind: 'image',
      provider: 'fake',
      providerModel: 'vendor/brush',
      imagePrice: PRICE,
      costInput: 1000,
      costOutput: 4000,
      costCurrency: 'USD',
    })
    .onConflictDoNothing()

  /** The same model with other skills. */
  const skilled = async (id: string, skills: Partial<ImageSkills>) => {
    const imageSkills = { ...usualImageSkills('gemini', ''), ...skills }
    const row = { id, name: id, kind: 'image', provider: 'fake', providerModel: 'vendor/brush' } as const
    await app.db
      .insert(models)
      .values({ ...row, imagePrice: PRICE, imageSkills })
      .onConflictDoUpdate({ target: models.id, set: { imageSkills } })
    return id
  }

  return {
    ...app,
    skilled,
    change: async (who: SignedIn, id: string, body: Partial<ImageChange> & { modelId: string }): Promise<Image> => {
      const made = await who.call(imagesApi.change, { params: { id }, body: { prompt: 'Сделай фон синим', ...body } })
      await app.imageQueue.idle()
      return who.call(imagesApi.get, { params: { id: made.id } })
    },
    provider,
    image,
    /** As it is stored. */
    markedImage: markSource(image, 'image/png', { width: 48, height: 32, source: 'drawn' }),
    request: (who: SignedIn, body: { prompt?: string; n?: number; most?: number; id?: string } = {}) =>
      who.call(imagesApi.create, { body: { prompt: 'Рыжий кот', modelId: 'brush', ...body } }),
    draw: async (who: SignedIn, body: { prompt?: string; n?: number; most?: number } = {}): Promise<Image[]> => {
      const made = await who.call(imagesApi.create, { body: { prompt: 'Рыжий кот', modelId: 'brush', ...body } })
      await app.imageQueue.idle()
      return Promise.all(made.map(({ id }) => who.call(imagesApi.get, { params: { id } })))
    },
    list: (who: SignedIn, query: { limit?: number; cursor?: string; query?: string } = {}) =>
      who.call(imagesApi.list, { query }),
    balance: async (who: SignedIn) => (await who.call(usersApi.me, {})).SingleSubscription,
    entries: (who: SignedIn) =>
      app.db
        .select()
        .from(ledger)
        .where(and(eq(ledger.userId, who.user.id), eq(ledger.kind, 'image'))),
    storedKeys: async () => {
      const keys: string[] = []
      for (const prefix of ['images', 'thumbs', 'wholes'])
        for await (const { key } of app.files.storage.list(prefix)) keys.push(key)
      return keys
    },
    close: async () => {
      await app.close()
      await provider.close()
    },
  }
}

export function drawsWhenLet(bytes: Uint8Array): { script: Script; let: () => void; requested: Promise<void> } {
  let letDraw = () => {}
  let resolveRequested = () => {}
  const gate = new Promise<void>((done) => {
    letDraw = done
  })
  const requested = new Promise<void>((done) => {
    resolveRequested = done
  })
  const script: Script = async (response, body) => {
    resolveRequested()
    await gate
    await draws(bytes)(response, body)
  }
  return { script, let: () => letDraw(), requested }
}
