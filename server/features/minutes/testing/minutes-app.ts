import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect } from 'vitest'
import { type MinutesKind, minutesApi } from '#contract/minutes.ts'
import type { TopicEvent } from '#contract/realtime.ts'
import { holds, ledger, models } from '#server/db/schema.ts'
import { createProviders } from '#server/llm/providers.ts'
import { says, startFakeOpenAi } from '#server/llm/testing/fake-openai.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { reconcile } from '../../billing/invariants.ts'
import { balanceOf } from '../../billing/ledger.ts'
import { notesText } from './meeting.ts'

export const START = 100_000
export const RATES = { inputRate: 0.5, outputRate: 2 }

interface MakeBody {
  modelId?: string
  most?: number
  overwrite?: true
}

/** The app of a test file with a scripted model; after each test no hold is left and the ledger is right. */
export async function startMinutes() {
  const provider = await closeAfterTests(startFakeOpenAi())
  const providers = createProviders([{ name: 'fake', baseUrl: provider.baseUrl, apiKey: 'key' }])
  const published: TopicEvent[] = []
  const deps = { providers, publish: (_: string, event: TopicEvent) => void published.push(event) }
  const app = await testApp({ startSymbols: START, deps })
  const text = { kind: 'text', provider: 'fake', ...RATES } as const
  const window = { contextSymbols: 8000, maxOutputSymbols: 2000 }
  await app.db.insert(models).values([
    { id: 'writer', name: 'Писатель', providerModel: 'writer', position: -2, ...text },
    // Reads about 3000 symbols at once.
    { id: 'small', name: 'Малая', providerModel: 'small', position: -1, ...window, ...text },
  ])
  let anna: SignedIn = await app.signIn()
  beforeEach(async () => {
    anna = await app.signIn()
    published.length = 0
    provider.received.length = 0
    provider.play(says(notesText()))
  })
  afterEach(async () => {
    expect(await reconcile(app.db)).toEqual([])
    expect(await app.db.$count(holds, eq(holds.state, 'active'))).toBe(0)
  })
  const read = (id: string, modelId?: string) =>
    anna.call(minutesApi.read, { params: { id }, query: modelId ? { modelId } : {} })
  const messages = (index: number) => (provider.received[index]?.messages ?? []) as { role: string; content: string }[]
  return {
    ...{ app, deps, provider, published, read, messages },
    anna: () => anna,
    make: (id: string, kind: MinutesKind = 'minutes', body: MakeBody = {}, who = anna) =>
      who.call(minutesApi.make, { params: { id, kind }, body }),
    /** Waits until all work is done. */
    documentOf: async (id: string, kind: MinutesKind = 'minutes') => {
      await app.minutes.idle()
      return (await read(id)).documents.find((document) => document.kind === kind)
    },
    offerOf: async (id: string, kind: MinutesKind, modelId: string) =>
      (await read(id, modelId)).offers.find((offer) => offer.kind === kind),
    entries: async (userId = anna.user.id) =>
      (await app.db.select().from(ledger).where(eq(ledger.userId, userId)).orderBy(ledger.id)).filter(
        ({ kind }) => kind === 'minutes',
      ),
    spent: async () => START - (await balanceOf(app.db, anna.user.id)).availableTokens,
    /** What the model was given beside the rules. */
    asked: (index: number) => messages(index)[1]?.content ?? '',
  }
}
