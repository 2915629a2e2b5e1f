import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { assistantsApi } from '#contract/assistants.ts'
import { embeddingUse, filePassages, files, holds, ledger, models } from '#server/db/schema.ts'
import type { Embed } from '#server/llm/embeddings.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'
import { reconcile } from '../billing/invariants.ts'
import { balanceOf, setDailyCap } from '../billing/ledger.ts'
import { type FileReadingDeps, readStale, readUploaded } from '../files/reading.ts'
import { namesShown } from '../transactions/testing/names-shown.ts'
import { embedMissing } from './embedding.ts'
import { insertAssistant, insertFile } from './testing/insert-file.ts'

const FREE = 10_000
const START = 20_000
let anna: SignedIn
let libraryId: string
let embedded: string[]
const embeds: Embed = async (texts) => {
  embedded.push(...texts)
  return texts.map(() => [1, 0])
}
let embed: Embed

const providers = { embed: () => (texts: string[], signal: AbortSignal) => embed(texts, signal) }
const app = await testApp({ startSymbols: START })
Object.assign(app.files.knowledge, { hasVectors: true, providers, freeSymbols: FREE })
const model = { kind: 'embedding', provider: 'own', providerModel: 'vectors', hidden: true } as const
await app.db.insert(models).values({ id: 'vectors', name: 'Векторы', inputRate: 0.5, ...model })
beforeEach(async () => {
  anna = await app.signIn()
  libraryId = await insertAssistant(app, anna.user.id)
  embedded = []
  embed = embeds
})
afterEach(async () => {
  expect(await reconcile(app.db)).toEqual([])
  expect(await app.db.$count(holds, eq(holds.state, 'active'))).toBe(0)
})

const owner = () => ({ userId: anna.user.id, libraryId })
const rowOf = async (id: string) => (await app.db.select().from(files).where(eq(files.id, id)))[0]
const vectorsOf = async (id: string) => {
  const rows = await app.db.select().from(filePassages).where(eq(filePassages.fileId, id))
  return rows.filter(({ embedder }) => embedder !== null).length
}
const used = async () => {
  const [row] = await app.db.select().from(embeddingUse).where(eq(embeddingUse.userId, anna.user.id))
  return row?.symbols ?? 0
}
const balance = async () => (await balanceOf(app.db, anna.user.id)).availableTokens
const entries = async () =>
  (await app.db.select().from(ledger).where(eq(ledger.userId, anna.user.id))).filter(({ kind }) => kind === 'indexing')
const sent = () => embedded.reduce((sum, text) => sum + text.length, 0)
let number = 0
const story = (symbols: number) => {
  number += 1
  return `Рассказ ${number}. ${'Предложение о сроках, ценах и порядке поставки. '.repeat(Math.ceil(symbols / 48))}`.slice(
    0,
    symbols,
  )
}
const brought = async (symbols: number, changes: Partial<typeof files.$inferInsert> = { mayCharge: false }) => {
  const id = await insertFile(app, owner(), 'Договор.txt', story(symbols))
  await app.db.update(files).set(changes).where(eq(files.id, id))
  return id
}
const read = async (symbols: number, changes: Partial<typeof files.$inferInsert> = { mayCharge: false }) => {
  const id = await brought(symbols, changes)
  await readUploaded(app.files, id)
  return id
}
const pay = (fileId: string) => anna.call(assistantsApi.payFile, { params: { id: libraryId, fileId } })
const remove = (fileId: string) => anna.call(assistantsApi.removeFile, { params: { id: libraryId, fileId } })

test('a deleted file does not return its free symbols (S10.25)', async () => {
  for (let n = 0; n < 2; n += 1) {
    const id = await read(4000)
    expect(await vectorsOf(id)).toBeGreaterThan(0)
    await remove(id)
  }
  const before = sent()
  expect(await used()).toBe(before)
  const id = await read(4000)
  const waiting = await rowOf(id)
  expect(waiting).toMatchObject({ state: 'ready', charged: 0, counted: 0 })
  expect(waiting?.price).toBeGreaterThan(0)
  expect(await vectorsOf(id)).toBe(0)
  await embedMissing(app.db, app.files.knowledge)
  expect(sent()).toBe(before)
  expect(await balance()).toBe(START)
  expect(await anna.call(assistantsApi.allowance, {})).toEqual({
    allowance: { free: FREE, left: FREE - before, rate: 0.5 },
  })
})

describe('embedding beyond the free symbols', () => {
  test('is charged only after the owner agrees to the stated price (S10.25)', async () => {
    const id = await read(30_000)
    const price = (await rowOf(id))?.price ?? 0
    await pay(id)
    await expect.poll(async () => (await rowOf(id))?.state).toBe('ready')
    await expect.poll(async () => (await rowOf(id))?.charged).toBe(price)
    expect(price).toBe(Math.ceil((sent() - FREE) * 0.5))
    expect(await rowOf(id)).toMatchObject({ price: null, hold: null })
    expect(await balance()).toBe(START - price)
    expect(await entries()).toMatchObject([
      { symbols: -price, modelId: 'vectors', note: 'Сверх бесплатного объёма месяца' },
    ])
    const { subjects, toAdmin } = await namesShown(anna, await app.signIn('owner@example.test'))
    expect(subjects).toEqual(['Договор.txt'])
    expect(toAdmin).not.toContain('Договор.txt')
    await expect(pay(id)).rejects.toMatchObject({ status: 409 })
  })

  test('is charged at once when the owner agreed at the upload', async () => {
    const id = await read(30_000, { mayCharge: true })
    expect(await rowOf(id)).toMatchObject({ state: 'ready', price: null, charged: Math.ceil((sent() - FREE) * 0.5) })
  })

  test('waits with its price while balance or daily cap are too small', async () => {
    await setDailyCap(app.db, anna.user.id, 10)
    const id = await read(30_000, { mayCharge: true })
    expect((await rowOf(id))?.price).toBeGreaterThan(10)
    await expect(pay(id)).rejects.toMatchObject({ status: 402 })
    expect(embedded).toEqual([])
    expect(await used()).toBe(0)
  })

  test('is free while the provider fails, and charged once after success', async () => {
    embed = async () => {
      throw new Error('no vectors')
    }
    const id = await read(30_000, { mayCharge: true })
    expect(await rowOf(id)).toMatchObject({ state: 'ready', charged: 0, counted: 0, hold: null })
    expect([await used(), await balance()]).toEqual([0, START])
    embed = embeds
    await embedMissing(app.db, app.files.knowledge)
    await embedMissing(app.db, app.files.knowledge)
    expect(await used()).toBe(sent())
    expect(await entries()).toHaveLength(1)
    expect(await balance()).toBe(START - Math.ceil((sent() - FREE) * 0.5))
  })

  test('is charged and counted once after a crash in the middle', async () => {
    const id = await brought(30_000, { mayCharge: true })
    const dies: Embed = (_, signal) =>
      new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
    embed = dies
    void readUploaded(app.files, id)
    await expect.poll(async () => (await rowOf(id))?.hold).not.toBeNull()
    await app.db.update(files).set({ instance: 'dead' }).where(eq(files.id, id))
    embed = embeds
    const elsewhere: FileReadingDeps = { ...app.files, instance: { id: 'other' } }
    await readStale(elsewhere)
    expect(await rowOf(id)).toMatchObject({ state: 'ready', hold: null, charged: Math.ceil((sent() - FREE) * 0.5) })
    expect(await used()).toBe(sent())
    expect(await entries()).toHaveLength(1)
  })

  test('is charged when the file is deleted while it is embedded', async () => {
    const id = await brought(30_000, { mayCharge: true })
    let go = () => {}
    embed = (texts) =>
      new Promise((done) => {
        embedded.push(...texts)
        go = () => done(texts.map(() => [1]))
      })
    const reading = readUploaded(app.files, id)
    await expect.poll(() => embedded.length).toBeGreaterThan(0)
    await remove(id)
    go()
    await reading
    expect(await entries()).toHaveLength(1)
    expect(await balance()).toBeLessThan(START)
  })
})

test('files read in parallel do not use the same free symbols', async () => {
  const ids = await Promise.all([brought(6000), brought(6000), brought(6000)])
  await Promise.all(ids.map((id) => readUploaded(app.files, id)))
  const rows = await Promise.all(ids.map(rowOf))
  expect(rows.filter((row) => row?.price === null)).toHaveLength(1)
  expect(await used()).toBeLessThanOrEqual(FREE)
})

test('an identical file of the same user reuses vectors for free', async () => {
  const content = story(6000)
  const first = await insertFile(app, owner(), 'a.txt', content)
  await readUploaded(app.files, first)
  const before = sent()
  const second = await insertFile(app, owner(), 'a.txt', content)
  await readUploaded(app.files, second)
  expect(await rowOf(second)).toMatchObject({ state: 'ready', price: null })
  expect(await vectorsOf(second)).toBe(await vectorsOf(first))
  expect([sent(), await used()]).toEqual([before, before])
})

test('replacing the vectors after a change of the model costs users nothing', async () => {
  const id = await read(6000)
  const before = await used()
  await app.db.update(models).set({ providerModel: 'newer' }).where(eq(models.id, 'vectors'))
  await embedMissing(app.db, app.files.knowledge)
  expect(await vectorsOf(id)).toBeGreaterThan(0)
  expect(await used()).toBe(before)
  await app.db.update(models).set({ providerModel: 'vectors' }).where(eq(models.id, 'vectors'))
})
