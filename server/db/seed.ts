import type { Db } from './client.ts'
import { models } from './schema.ts'

/** What an empty installation needs to be usable. Harmless to repeat: rows that are there stay as they are. */
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
        id: 'demo-transcription',
        name: 'Демо-расшифровка',
        description:
          'Слышит, где в записи звук, а где тишина. Нужна, чтобы попробовать расшифровку без внешних моделей.',
        kind: 'transcription',
        provider: 'demo',
        providerModel: 'demo-transcription',
        minutePrice: 400,
      },
    ])
    .onConflictDoNothing()
}
