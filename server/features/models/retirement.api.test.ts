import { eq, like } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { assistantsApi } from '#contract/assistants.ts'
import { modelsAdminApi } from '#contract/models-admin.ts'
import { statusApi } from '#contract/status.ts'
import { threadsApi } from '#contract/threads.ts'
import { usersApi } from '#contract/users.ts'
import { assistants, auditLog, emailOutbox, models, settings, threads } from '#server/db/schema.ts'
import { LlmError } from '#server/llm/errors.ts'
import { createProviders, type Providers } from '#server/llm/providers.ts'
import { testApp } from '#server/testing/app.ts'
import { aThread } from '#server/testing/builders.ts'
import { pickTextModel } from './models.ts'
import { readAnnounced, retireModels, retiringModels } from './retirement.ts'
import { adjustModelsToSettings } from './start-models.ts'

/** Models that their providers switch off: days, emails to the owner, and people who move on. */

let offered: { id: string; shutdownDate: string | null }[] = []
let isDown = false

const providers: Providers = {
  ...createProviders([{ name: 'openai', baseUrl: 'https://api.openai.com/v1', apiKey: 'key' }]),
  offer: async () => {
    if (isDown) throw new LlmError('down')
    return offered
  },
}

const app = await testApp({ deps: { providers } })
const owner = await app.signIn('owner@example.test')
const anna = await app.signIn()

beforeEach(async () => {
  await app.db.delete(models).where(eq(models.provider, 'openai'))
  await app.db.delete(emailOutbox)
  offered = []
  isDown = false
})

const deps = () => ({ db: app.db, providers, log: app.log, appName: 'Символ', appUrl: 'https://chat.example' })
const add = (values: Partial<typeof models.$inferInsert> & { id: string }) =>
  app.db.insert(models).values({ name: values.id, provider: 'openai', providerModel: values.id, ...values })
const model = async (id: string) => (await app.db.select().from(models).where(eq(models.id, id)))[0]
const audited = (id: string) => app.db.select().from(auditLog).where(eq(auditLog.target, id)).orderBy(auditLog.id)
const emails = () => app.db.select().from(emailOutbox).where(like(emailOutbox.key, 'model-retires:%'))
const at = (day: string) => new Date(`${day}T09:00:00Z`)

describe('the day of a model', () => {
  test('comes from its provider’s list, and the log names the server (S10.360)', async () => {
    await add({ id: 'old' })
    offered = [{ id: 'old', shutdownDate: '2027-05-01' }]
    await readAnnounced(deps())
    await readAnnounced(deps())
    expect(await model('old')).toMatchObject({ retiresOn: '2027-05-01', announcedOn: '2027-05-01' })
    expect(await audited('old')).toMatchObject([
      { actorId: 'system', action: 'model.change', before: { retiresOn: null }, after: { retiresOn: '2027-05-01' } },
    ])
  })

  test('follows the provider, unless the owner has chosen another day (S10.360)', async () => {
    await add({ id: 'theirs' })
    await add({ id: 'mine' })
    offered = ['theirs', 'mine'].map((id) => ({ id, shutdownDate: '2027-05-01' }))
    await readAnnounced(deps())
    await owner.call(modelsAdminApi.update, { params: { id: 'mine' }, body: { retiresOn: '2027-04-01' } })
    offered = ['theirs', 'mine'].map((id) => ({ id, shutdownDate: '2027-06-01' }))
    await readAnnounced(deps())
    expect(await model('theirs')).toMatchObject({ retiresOn: '2027-06-01' })
    expect(await model('mine')).toMatchObject({ retiresOn: '2027-04-01' })
  })

  test('stays when the list is unreadable or has no date', async () => {
    await add({ id: 'kept', retiresOn: '2027-04-01' })
    await add({ id: 'odd' })
    offered = [
      { id: 'kept', shutdownDate: null },
      { id: 'odd', shutdownDate: 'soon' },
    ]
    await readAnnounced(deps())
    isDown = true
    await readAnnounced(deps())
    expect(await model('kept')).toMatchObject({ retiresOn: '2027-04-01' })
    expect(await model('odd')).toMatchObject({ retiresOn: null })
  })

  test('is known for OpenAI models, with the listed successor proposed', async () => {
    await add({ id: 'gpt-4.1-mini' })
    await add({ id: 'luna', providerModel: 'gpt-6-luna' })
    await readAnnounced(deps())
    expect(await model('gpt-4.1-mini')).toMatchObject({ retiresOn: '2027-01-14', successorId: 'luna' })
    expect(await model('luna')).toMatchObject({ retiresOn: null, successorId: null })
  })
})

describe('the owner', () => {
  test('is notified 60 and 14 days before, once each, across servers (S10.361)', async () => {
    await add({ id: 'old', name: 'Старая', retiresOn: '2027-01-14', successorId: null })
    await add({ id: 'new', name: 'Новая' })
    await app.db.update(models).set({ successorId: 'new' }).where(eq(models.id, 'old'))
    await retireModels(deps(), at('2026-11-14'))
    expect(await emails()).toEqual([])
    await Promise.all([1, 2, 3].map(() => retireModels(deps(), at('2026-11-15'))))
    await retireModels(deps(), at('2026-12-20'))
    expect(await emails()).toHaveLength(1)
    // Sent emails are forgotten after a week.
    await app.db.delete(emailOutbox)
    await retireModels(deps(), at('2026-12-21'))
    expect(await emails()).toEqual([])
    await retireModels(deps(), at('2026-12-31'))
    await retireModels(deps(), at('2027-01-13'))
    const [email, ...more] = await emails()
    expect(more).toEqual([])
    expect(email).toMatchObject({
      recipient: 'owner@example.test',
      subject: expect.stringMatching(/^Модель «Старая» отключат 14 января 2027/),
    })
    expect(email?.text).toContain('перейдут на модель «Новая»')
    expect(email?.text).toContain('https://chat.example/admin/models/old')
  })

  test('is notified again of a new day and a missing successor', async () => {
    await add({ id: 'gpt-4o', retiresOn: '2027-01-14' })
    await retireModels(deps(), at('2026-12-01'))
    await app.db.update(models).set({ retiresOn: '2027-01-20' }).where(eq(models.id, 'gpt-4o'))
    await retireModels(deps(), at('2026-12-01'))
    const texts = (await emails()).map(({ text }) => text)
    expect(texts).toHaveLength(2)
    expect(texts[0]).toContain('Замена не выбрана')
    expect(texts[0]).toContain('«gpt-6-luna»')
  })

  test('is not notified of hidden models', async () => {
    await add({ id: 'old', retiresOn: '2027-01-14', hidden: true })
    await retireModels(deps(), at('2026-12-01'))
    expect(await emails()).toEqual([])
  })

  test('sees on the status screen what ends and what has no successor (S10.361)', async () => {
    const soon = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
    await add({ id: 'new', name: 'Новая' })
    await add({ id: 'old', name: 'Старая', retiresOn: soon, successorId: 'new' })
    await add({ id: 'far', retiresOn: '2099-01-01' })
    expect(await retiringModels(app.db)).toEqual([{ id: 'old', name: 'Старая', retiresOn: soon, successor: 'Новая' }])
    await app.db.update(models).set({ successorId: null }).where(eq(models.id, 'old'))
    const { parts, retiring } = await owner.call(statusApi.get, {})
    expect(retiring).toMatchObject([{ id: 'old', successor: null }])
    expect(parts.find(({ name }) => name === 'models')).toMatchObject({ state: 'degraded', names: ['Старая'] })
  })

  test('may choose only another model of the same kind', async () => {
    await add({ id: 'old' })
    await add({ id: 'painter', kind: 'image' })
    const choose = (successorId: string) =>
      owner.call(modelsAdminApi.update, { params: { id: 'old' }, body: { successorId, retiresOn: '2027-01-14' } })
    for (const id of ['old', 'painter', 'missing']) {
      await expect(choose(id)).rejects.toMatchObject({ status: 400, field: 'successorId' })
    }
    await add({ id: 'new' })
    expect(await choose('new')).toMatchObject({ successorId: 'new', retiresOn: '2027-01-14' })
  })
})

describe('on the day', () => {
  async function aLife() {
    await add({ id: 'new', name: 'Новая', canUseWithAssistant: true })
    await add({ id: 'old', name: 'Старая', canUseWithAssistant: true, retiresOn: '2027-01-14', successorId: 'new' })
    await add({ id: 'other', fallbackId: 'old' })
    await app.db.update(models).set({ fallbackId: 'old' }).where(eq(models.id, 'new'))
    const params = { id: anna.user.id }
    await anna.call(usersApi.update, { params, body: { Settings: { threadModel: 'old' } } })
    const thread = await anna.call(threadsApi.create, { body: { Model: { connect: { id: 'old' } } } })
    const bot = await anna.call(assistantsApi.create, { body: { name: 'Юрист', instructions: 'Да', modelId: 'old' } })
    return { threadId: thread.id, botId: bot.id }
  }
  const read = (id: string) => anna.call(threadsApi.get, { params: { id }, query: {} })

  test('settings, chats and assistants move, and the model hides (S10.362)', async () => {
    const { threadId, botId } = await aLife()
    await retireModels(deps(), at('2027-01-13'))
    expect((await read(threadId)).Model?.id).toBe('old')
    await retireModels(deps(), new Date('2027-01-13T21:30:00Z'))
    expect(await read(threadId)).toMatchObject({ Model: { id: 'new', name: 'Новая' }, movedFrom: 'Старая' })
    const [chosen] = await app.db.select().from(settings).where(eq(settings.userId, anna.user.id))
    const [bot] = await app.db.select().from(assistants).where(eq(assistants.id, botId))
    expect([chosen?.threadModel, bot?.modelId]).toEqual(['new', 'new'])
    expect(await model('old')).toMatchObject({ hidden: true })
    expect([(await model('other'))?.fallbackId, (await model('new'))?.fallbackId]).toEqual(['new', null])
    expect((await audited('old')).at(-1)).toMatchObject({
      ...{ actorId: 'system', action: 'model.retire' },
      after: { hidden: true, successorId: 'new', people: 1, assistants: 1, threads: 1 },
    })
  })

  test('the chat’s notice goes when seen or when another model is chosen (S10.363)', async () => {
    const { threadId } = await aLife()
    await retireModels(deps(), at('2027-01-14'))
    const seen = await anna.call(threadsApi.update, { params: { id: threadId }, body: { movedFrom: null } })
    expect(seen).toMatchObject({ movedFrom: null, Model: { id: 'new' } })
    await app.db.update(threads).set({ movedFrom: 'old' }).where(eq(threads.id, threadId))
    const body = { Model: { connect: { id: 'other' } } }
    expect(await anna.call(threadsApi.update, { params: { id: threadId }, body })).toMatchObject({ movedFrom: null })
  })

  test('several servers and later runs change nothing more (S10.362)', async () => {
    await aLife()
    const ids = Array.from({ length: 30 }, (_, i) => `thread-${i}`.padEnd(12, '-'))
    for (const id of ids) await aThread(app.db, anna.user.id, { id: `${id}${Date.now()}`, modelId: 'old' })
    const before = (await audited('old')).filter(({ action }) => action === 'model.retire').length
    await Promise.all([1, 2, 3].map(() => retireModels(deps(), at('2027-01-14'))))
    await retireModels(deps(), at('2027-01-15'))
    expect((await audited('old')).filter(({ action }) => action === 'model.retire')).toHaveLength(before + 1)
    expect(await app.db.select().from(threads).where(eq(threads.modelId, 'old'))).toEqual([])
  })

  test('a successor that has ended is followed to its own successor', async () => {
    await add({ id: 'last' })
    await add({ id: 'middle', retiresOn: '2027-01-10', successorId: 'last' })
    await add({ id: 'old', retiresOn: '2027-01-14', successorId: 'middle' })
    const thread = await aThread(app.db, anna.user.id, { modelId: 'old' })
    await retireModels(deps(), at('2027-01-14'))
    const [moved] = await app.db.select().from(threads).where(eq(threads.id, thread.id))
    expect(moved?.modelId).toBe('last')
  })

  test('models without successor and embedding models stay unchanged (S10.362)', async () => {
    await add({ id: 'old', retiresOn: '2027-01-14' })
    await add({ id: 'vectors-2', kind: 'embedding' })
    await add({ id: 'vectors', kind: 'embedding', retiresOn: '2027-01-14', successorId: 'vectors-2' })
    await retireModels(deps(), at('2027-01-14'))
    expect(await model('old')).toMatchObject({ hidden: false })
    expect(await model('vectors')).toMatchObject({ hidden: false })
  })

  test('assistants take the usual model when the successor is not allowed', async () => {
    await add({ id: 'plain' })
    await add({ id: 'old', canUseWithAssistant: true, retiresOn: '2027-01-14', successorId: 'plain' })
    const bot = await anna.call(assistantsApi.create, { body: { name: 'Врач', instructions: 'Да', modelId: 'old' } })
    await retireModels(deps(), at('2027-01-14'))
    const [row] = await app.db.select().from(assistants).where(eq(assistants.id, bot.id))
    expect(row?.modelId).toBeNull()
  })
})

describe('a new installation', () => {
  const setup = { providers: ['openai'], defaultModel: 'gpt-4.1-mini', wantsDemo: false }
  const first = async () =>
    (await app.db.select().from(models).where(eq(models.provider, 'openai')))
      .filter(({ kind }) => kind === 'text')
      .sort((a, b) => a.position - b.position)
      .map(({ id, hidden }) => [id, hidden])

  test('long before the end has the default model alone', async () => {
    await adjustModelsToSettings(app.db, setup, at('2026-06-01'))
    expect(await first()).toEqual([['gpt-4.1-mini', false]])
  })

  test('shortly before the end begins with the successor', async () => {
    await adjustModelsToSettings(app.db, setup, at('2026-12-01'))
    expect(await first()).toEqual([
      ['gpt-6-luna', false],
      ['gpt-4.1-mini', false],
    ])
    expect(await model('gpt-4.1-mini')).toMatchObject({ retiresOn: '2027-01-14', successorId: 'gpt-6-luna' })
  })

  test('after the end has a living model under the default name (S10.360)', async () => {
    await adjustModelsToSettings(app.db, setup, at('2027-02-01'))
    expect(await first()).toEqual([
      ['gpt-6-luna', false],
      ['gpt-4.1-mini', true],
    ])
    await add({ id: 'earlier', position: -5 })
    const ctx = { db: app.db } as Parameters<typeof pickTextModel>[0]
    expect(await pickTextModel(ctx, undefined, 'gpt-4.1-mini')).toMatchObject({ id: 'gpt-6-luna' })
  })
})
