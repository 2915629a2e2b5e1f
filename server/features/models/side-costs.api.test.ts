import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { summariesApi } from '#contract/summaries.ts'
import { threadsApi } from '#contract/threads.ts'
import { usersApi } from '#contract/users.ts'
import { modelCalls, threads } from '#server/db/schema.ts'
import { openSearch } from '#server/internet/open-search.ts'
import { searxngFinds, startFakeEngine } from '#server/internet/testing/fake-engine.ts'
import { readQueryRequest } from '#server/llm/demo-prompts.ts'
import type { LlmMessage } from '#server/llm/llm.ts'
import { chunk, refuses, says, streams } from '#server/llm/testing/fake-openai.ts'
import { aMessage } from '#server/testing/builders.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { startChat, type Talker } from '../answers/testing/chat.ts'
import { dayOf } from '../billing/days.ts'
import { readStatistics } from '../statistics/statistics.ts'

const engine = await startFakeEngine()
const chat = await closeAfterTests(
  startChat({
    startSymbols: 1_000_000,
    web: {
      search: openSearch({ engine: 'searxng', baseUrl: engine.baseUrl, apiKey: null, folder: null, timeoutMs: 3000 }),
      price: 0,
      cost: { amount: 480, currency: 'RUB' },
      fetchPage: () => Promise.reject(new Error('no page')),
    },
  }),
)
afterAll(() => engine.close())
const counted = { prompt_tokens: 1000, completion_tokens: 100 }
const replies = (text: string) =>
  streams(chunk(text, 'stop'), `data: ${JSON.stringify({ choices: [], usage: counted })}\n\n`)
/** A thousand tokens in and a hundred out. */
const CALL = (1000 * 200 + 100 * 500) / 1_000_000

/** A person with a model of their own, so that its figures are those of the test. */
async function personWith(modelId: string) {
  await chat.addModel({ id: modelId, costInput: 200, costOutput: 500, costCurrency: 'RUB' })
  const anna = await chat.person()
  const Settings = { threadGptNameEnabled: false }
  await anna.call(usersApi.update, { params: { id: anna.user.id }, body: { Settings } })
  return anna
}

const costsOf = (modelId: string) =>
  chat.app.db.select().from(modelCalls).where(eq(modelCalls.modelId, modelId)).orderBy(modelCalls.id)
const today = dayOf(new Date())
const marginOf = async (modelId: string) =>
  (await readStatistics(chat.app, { from: today, to: today })).models.find(({ id }) => id === modelId)?.margin

test('a search and its query are in the answering model’s margin (S10.432)', async () => {
  engine.play(searxngFinds())
  chat.provider.play((response, body) =>
    (readQueryRequest(body.messages as LlmMessage[]) === null ? replies('По памяти.') : replies('кофе'))(
      response,
      body,
    ),
  )
  const anna = await personWith('requested')
  const reading = await anna.send(await anna.newThread('requested'), { content: 'Как обжарить кофе?', web: true })
  await reading.message()
  expect((await costsOf('requested')).map(({ kind, cost, costCurrency }) => [kind, cost, costCurrency])).toEqual([
    ['query', CALL, 'RUB'],
    ['search', 0.48, 'RUB'],
    ['answer', CALL, 'RUB'],
  ])
  const amount = -(2 * CALL + 0.48)
  expect(await marginOf('requested')).toEqual([{ currency: 'RUB', amount: expect.closeTo(amount) }])
})

async function longThread(anna: Talker, modelId: string) {
  const id = await anna.newThread(modelId)
  let parentId: string | null = null
  for (let i = 0; i < 16; i++) {
    const role = i % 2 ? ('assistant' as const) : ('user' as const)
    const createdAt = new Date(Date.now() - 1e6 + i * 1000)
    const draft: Parameters<typeof aMessage>[2] = { parentId, role, content: `${i} `.padEnd(2000, 'я'), createdAt }
    parentId = (await aMessage(chat.app.db, { id, userId: anna.user.id }, draft)).id
  }
  await chat.app.db.update(threads).set({ currentLeafId: parentId }).where(eq(threads.id, id))
  return id
}

test('a summary is in its model’s margin, even when discarded (S10.432)', async () => {
  const anna = await personWith('summed')
  const id = await longThread(anna, 'summed')
  chat.provider.play(replies('Говорили о ёлках.'))
  await anna.call(summariesApi.make, { params: { id }, body: {} })
  expect((await costsOf('summed')).map(({ kind, cost }) => [kind, cost])).toEqual([['summary', CALL]])
  await anna.fetch(`/api/threads/${id}`, { method: 'DELETE' })
  expect((await costsOf('summed')).length).toBe(1)
  expect(await marginOf('summed')).toBeDefined()
})

test('a title is in the margin of the model that wrote it', async () => {
  const [anna, boris] = [await chat.person(), await chat.person()]
  await chat.addModel({ id: 'namer', position: -9, costInput: 200, costOutput: 500, costCurrency: 'RUB' })
  chat.provider.play(replies('Название'))
  await (await anna.send(await anna.newThread('fast'), { content: 'Вопрос' })).message()
  await expect.poll(async () => (await costsOf('namer')).map(({ kind }) => kind)).toEqual(['title'])
  chat.provider.play(says('Ответ'))
  await (await boris.send(await boris.newThread('fast'), { content: 'Вопрос', web: true })).message()
  expect((await costsOf('fast')).map(({ kind }) => kind)).toEqual(['answer', 'search', 'answer'])
})

test('a question counts once, each answer separately, also in deleted chats', async () => {
  const anna = await personWith('counted')
  const thread = await anna.newThread('counted')
  chat.provider.play(replies('Первый'))
  const first = await (await anna.send(thread, { content: 'Вопрос' })).message()
  chat.provider.play(refuses(400, { error: { message: 'no' } }))
  await (await anna.regenerate(thread, first.id)).end()
  const fork = await anna.call(threadsApi.fork, { params: { id: thread }, body: { messageId: first.id } })
  for (const id of [thread, fork.id]) {
    await anna.fetch(`/api/threads/${id}`, { method: 'DELETE' })
    await anna.fetch(`/api/threads/${id}?forever=1`, { method: 'DELETE' })
  }
  expect(await chat.app.db.$count(threads, eq(threads.userId, anna.user.id))).toBe(0)
  const calls = (await costsOf('counted')).map(({ isFirstAnswer, status, failure }) => [isFirstAnswer, status, failure])
  expect(calls).toEqual([
    [true, 'complete', null],
    [false, 'failed', expect.stringMatching(/^Модель/)],
  ])
  const { models, users } = await readStatistics(chat.app, { from: today, to: today })
  expect(models.find(({ id }) => id === 'counted')).toMatchObject({ answers: 2, failed: 1, input: 6, output: 6 })
  expect(users.find(({ user }) => user?.id === anna.user.id)).toMatchObject({ messages: 1 })
})
