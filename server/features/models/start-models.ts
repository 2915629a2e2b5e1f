import { and, eq, inArray, notInArray } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { models } from '#server/db/schema.ts'
import { dayOf } from '../billing/days.ts'
import { isRetired, knownRetirement, noticeStep } from './known-retirements.ts'

/** The models of a new installation. Safe to repeat: existing rows stay as they are. */
export async function seedModels(db: Db): Promise<void> {
  await db
    .insert(models)
    .values([
      {
        id: 'demo',
        name: 'Демо',
        description: 'Отвечает прямо на сервере, без внешних моделей. Нужна, чтобы попробовать продукт.',
        provider: 'demo',
        providerModel: 'demo',
        thinks: true,
        canUseWithAssistant: true,
      },
      {
        id: 'demo-image',
        name: 'Демо-художник',
        description: 'Рисует прямо на сервере, без внешних моделей. Нужен, чтобы попробовать изображения.',
        kind: 'image',
        provider: 'demo',
        providerModel: 'demo-image',
        imagePrice: 2000,
        position: 1,
      },
      {
        id: 'demo-transcription',
        name: 'Демо-расшифровка',
        description:
          'Слышит, где в записи звук, а где тишина. Нужна, чтобы попробовать расшифровку без внешних моделей.',
        kind: 'transcription',
        provider: 'demo',
        providerModel: 'demo-transcription',
        minutePrice: 400,
        position: 2,
      },
    ])
    .onConflictDoNothing()
}

interface Setup {
  /** Names of the providers that have keys. */
  providers: string[]
  defaultModel: string
  /** Keep the demo models visible beside real ones. */
  wantsDemo: boolean
}

const DEMO = ['demo', 'demo-image', 'demo-transcription']
const SPEECH_MODEL = 'gpt-transcribe'
const SPEECH_MODEL_MINUTE = 400

/** The default model. If it retires soon, its successor comes before it; if it is retired, it is hidden. */
function firstModels(defaultModel: string, today: string): (typeof models.$inferInsert)[] {
  const plain = { name: defaultModel, provider: 'openai', providerModel: defaultModel, canUseWithAssistant: true }
  const ends = knownRetirement(defaultModel)
  const isLasting = !ends || (noticeStep(today, ends.on) === null && !isRetired(today, ends.on))
  if (isLasting) return [{ ...plain, id: defaultModel }]
  const { on, successor } = ends
  return [
    { ...plain, id: successor, name: successor, providerModel: successor },
    {
      ...plain,
      ...{ id: defaultModel, position: 1, hidden: isRetired(today, on) },
      ...{ retiresOn: on, announcedOn: on, successorId: successor },
    },
  ]
}

/**
 * Adjusts the models to the settings at startup: an OpenAI key adds the default models, and the demo models are hidden
 * as soon as a real model can answer.
 */
export async function adjustModelsToSettings(
  db: Db,
  { providers, defaultModel, wantsDemo }: Setup,
  now = new Date(),
): Promise<void> {
  await db.transaction(async (tx) => {
    if (providers.includes('openai') && (await tx.$count(models, eq(models.provider, 'openai'))) === 0) {
      await tx
        .insert(models)
        .values([
          ...firstModels(defaultModel, dayOf(now)),
          {
            id: SPEECH_MODEL,
            name: 'Расшифровка',
            description: 'Записывает речь текстом, понимает много языков.',
            kind: 'transcription',
            provider: 'openai',
            providerModel: SPEECH_MODEL,
            minutePrice: SPEECH_MODEL_MINUTE,
          },
        ])
        .onConflictDoNothing()
    }
    const real = and(
      inArray(models.provider, providers),
      eq(models.kind, 'text'),
      eq(models.hidden, false),
      notInArray(models.id, DEMO),
    )
    const canAnswer = providers.length > 0 && (await tx.$count(models, real)) > 0
    await tx
      .update(models)
      .set({ hidden: canAnswer && !wantsDemo })
      .where(inArray(models.id, DEMO))
  })
}
