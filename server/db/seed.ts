import type { Db } from './client.ts'
import { models } from './schema.ts'

/** The models of a new installation. Safe to repeat: existing rows stay as they are. */
export async function seed(db: Db): Promise<void> {
  await db
    .insert(models)
    .values([
      {
        id: 'demo',
        name: 'Демо',
        description: 'Отвечает прямо на сервере, без внешних моделей. Нужна, чтобы попробовать продукт.',
        provider: 'demo',
        providerModel: 'demo',
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
