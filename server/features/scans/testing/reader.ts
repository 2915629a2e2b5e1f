import { and, eq } from 'drizzle-orm'
import { assistantsApi } from '#contract/assistants.ts'
import { type Scan, scansApi } from '#contract/scans.ts'
import { usersApi } from '#contract/users.ts'
import { ledger, models } from '#server/db/schema.ts'
import { createProviders } from '#server/llm/providers.ts'
import { chunk, DONE, type Script, startFakeOpenAi, usageChunk } from '#server/llm/testing/fake-openai.ts'
import { type SignedIn, startTestApp, type TestAppOptions } from '#server/testing/app.ts'

export const PAGE_PRICE = 1500

/** Writes the text between the marks that the prompt asks for. */
export function reads(text: string): Script {
  return (response, body) => {
    const mark = /\[начало (\w+)\]/.exec(JSON.stringify(body.messages))?.[1]
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const answer = `Вот текст:\n[начало ${mark}]\n${text}\n[конец ${mark}]`
    response.end(chunk(answer) + chunk(null, 'stop') + usageChunk(900, 40) + DONE)
  }
}

/** Waits with its answer until it is let. */
export function readsWhenLet(text: string) {
  const gate = { open: () => {}, ask: () => {} }
  const isOpen = new Promise<void>((done) => {
    gate.open = done
  })
  const isAsked = new Promise<void>((done) => {
    gate.ask = done
  })
  const script: Script = async (response, body) => {
    gate.ask()
    await isOpen
    if (!response.destroyed) await reads(text)(response, body)
  }
  return { script, isAsked, answer: () => gate.open() }
}

/** The whole server with a scripted model `reader` that reads pages; its data goes abroad. */
export async function startReading(options: TestAppOptions = {}) {
  const vision = await startFakeOpenAi()
  const provider = (name: string, country: string) => ({ name, baseUrl: vision.baseUrl, apiKey: 'key', country })
  const providers = createProviders([provider('abroad', 'US'), provider('home', 'RU')])
  const app = await startTestApp({ startSymbols: 20 * PAGE_PRICE, ...options, deps: { providers, ...options.deps } })
  const model = { kind: 'scan', providerModel: 'vendor/sees', pagePrice: PAGE_PRICE, position: 50 } as const
  const costs = { costInput: 100, costOutput: 400, costCurrency: 'USD' }
  await app.db
    .insert(models)
    .values({ ...model, ...costs, id: 'reader', name: 'Чтец', provider: 'abroad' })
    .onConflictDoNothing()
  const start = (who: SignedIn, fileId: string, pagePrice = PAGE_PRICE): Promise<Scan> =>
    who.call(scansApi.start, { params: { fileId }, body: { pagePrice } })
  return {
    ...app,
    vision,
    model,
    start,
    makeAssistant: (who: SignedIn, draft = {}) => who.call(assistantsApi.create, { body: { name: 'Архив', ...draft } }),
    scanOf: (who: SignedIn, fileId: string): Promise<Scan> => who.call(scansApi.get, { params: { fileId } }),
    read: async (who: SignedIn, fileId: string): Promise<Scan> => {
      await start(who, fileId)
      await app.scans.scanQueue.idle()
      return who.call(scansApi.get, { params: { fileId } })
    },
    available: async (who: SignedIn) => (await who.call(usersApi.me, {})).SingleSubscription,
    entries: (who: SignedIn) =>
      app.db
        .select()
        .from(ledger)
        .where(and(eq(ledger.userId, who.user.id), eq(ledger.kind, 'scan')))
        .orderBy(ledger.id),
  }
}
