import { and, eq, sql } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import type { TopicEvent } from '#contract/realtime.ts'
import { NEW_THREAD_TITLE, threadsApi } from '#contract/threads.ts'
import { DEFAULT_NAME_PROMPT } from '#contract/users.ts'
import { ledger, messages, models, settings, threads } from '#server/db/schema.ts'
import { openLog } from '#server/lib/log.ts'
import { demoAnswer } from '#server/llm/demo.ts'
import { LlmError } from '#server/llm/errors.ts'
import type { Llm, LlmRequest } from '#server/llm/llm.ts'
import { createProviders, type Providers } from '#server/llm/providers.ts'
import { memoryLimits, type SignedIn, testApp } from '#server/testing/app.ts'
import { aMessage, aRun, aThread } from '#server/testing/builders.ts'
import { cleanTitle, cutExchange, nameThread, namingQuery, type TitleDeps, writeTitleRequest } from './title.ts'

let anna: SignedIn
let title: TitleDeps
let published: TopicEvent[] = []
let requests: (LlmRequest & { provider: string })[] = []
let play: Llm

/** The model that a test sets, under any provider's name. */
const scripted: Providers = {
  ...createProviders([]),
  llm: (provider) => (request, signal, onText) => {
    requests.push({ ...request, provider })
    return play(request, signal, onText)
  },
}
const says =
  (...chunks: string[]): Llm =>
  async (_request, _signal, onText) => {
    for (const chunk of chunks) onText(chunk)
    return { reason: 'stop', usage: null }
  }
const breaksOff =
  (...chunks: string[]): Llm =>
  async (_request, _signal, onText) => {
    for (const chunk of chunks) onText(chunk)
    throw new LlmError('down')
  }

const publish = (_: string, event: TopicEvent) => void published.push(event)
const app = await testApp({ deps: { publish, providers: scripted, limits: memoryLimits() } })
title = { db: app.db, publish, log: openLog('silent'), providers: scripted, defaultModel: 'gpt-4.1-mini' }
await app.db.insert(models).values([
  { id: 'first', name: 'Первая', provider: 'one', providerModel: 'first', position: -5 },
  { id: 'namer', name: 'Мини', provider: 'two', providerModel: 'gpt-4.1-mini', position: 70 },
])
afterEach(() => vi.restoreAllMocks())

/** A new user with one answered question. */
async function aTalk(
  values: Partial<typeof threads.$inferInsert> = {},
  answered: Partial<typeof messages.$inferInsert> = {},
) {
  anna = await app.signIn()
  const thread = await aThread(app.db, anna.user.id, values)
  const question = await aMessage(app.db, thread, { content: 'Как сварить борщ?', createdAt: new Date(1e12) })
  const answer = { parentId: question.id, role: 'assistant', content: 'Возьмите свёклу.', ...answered } as const
  await aMessage(app.db, thread, { ...answer, createdAt: new Date(1e12 + 1) })
  published = []
  requests = []
  play = says('«Бор', 'щ».')
  return thread
}

const name = ({ id, userId }: { id: string; userId: string }) => nameThread(title, { userId, threadId: id })
const regenerate = (id: string) => anna.call(threadsApi.rename, { params: { id } })
const rowOf = async (id: string) => (await app.db.select().from(threads).where(eq(threads.id, id)))[0]
const set = (values: Partial<typeof settings.$inferInsert>) =>
  app.db.update(settings).set(values).where(eq(settings.userId, anna.user.id))

const change = (id: string, values: Partial<typeof threads.$inferInsert>) =>
  app.db.update(threads).set(values).where(eq(threads.id, id))
const answerIn = (threadId: string) => and(eq(messages.threadId, threadId), eq(messages.role, 'assistant'))
const changeAnswer = (threadId: string, values: Partial<typeof messages.$inferInsert>) =>
  app.db.update(messages).set(values).where(answerIn(threadId))

test('the first exchange names a thread, for free and on all pages (S4.6, S10.28)', async () => {
  const thread = await aTalk()
  const entries = () => app.db.$count(ledger, eq(ledger.userId, anna.user.id))
  const before = await entries()
  await name(thread)
  expect(await rowOf(thread.id)).toMatchObject({
    title: 'Борщ',
    titleSource: 'auto',
    version: 1,
    updatedAt: thread.updatedAt,
  })
  expect(published).toEqual([
    { topic: 'threads', type: 'changed', data: { id: thread.id } },
    { topic: `thread:${thread.id}`, type: 'changed', data: { version: 1 } },
  ])
  expect(await entries()).toBe(before)
})

test('a thread is read by its own index, whatever others contain', async () => {
  const thread = await aTalk()
  const long = await aThread(app.db, anna.user.id)
  await app.db.execute(sql`
    insert into messages (id, thread_id, user_id, parent_id, role, content, status, created_at)
    select 'long-' || n, ${long.id}, ${anna.user.id}, case when n > 1 then 'long-' || n - 1 end,
      case n % 2 when 1 then 'user' else 'assistant' end, 'текст', 'complete', now() - interval '1 hour' + n * interval '1 ms'
    from generate_series(1, 5000) n`)
  await app.db.execute(sql`analyze messages`)
  const query = namingQuery(app.db, { threadId: thread.id, userId: anna.user.id }).getSQL()
  const { rows } = (await app.db.execute(sql`explain ${query}`)) as unknown as { rows: object[] }
  expect(JSON.stringify(rows)).not.toContain('messages_created_at_index')
})

test('the model is shown the naming prompt and the first exchange (S9.3)', async () => {
  const thread = await aTalk()
  await set({ threadGptNamePrompt: 'Назови смешно' })
  await name(thread)
  expect(requests).toHaveLength(1)
  expect(requests[0]).toMatchObject({ provider: 'two', model: 'gpt-4.1-mini' })
  expect(requests[0]?.messages).toEqual([
    { role: 'system', content: 'Назови смешно' },
    { role: 'user', content: expect.stringMatching(/Как сварить борщ\?[\s\S]*Возьмите свёклу\./) },
  ])
})

test.each<[string, (thread: { id: string; userId: string }) => Promise<unknown>]>([
  ['naming is off', () => set({ threadGptNameEnabled: false })],
  ['there is no naming prompt', () => set({ threadGptNamePrompt: '' })],
  ['the naming prompt is blank', () => set({ threadGptNamePrompt: ' \n' })],
  ['there are three messages', (thread) => aMessage(app.db, thread)],
  ['there is one message', ({ id }) => app.db.delete(messages).where(answerIn(id))],
  ['a person named it', ({ id }) => change(id, { titleSource: 'user' })],
  ['it was named already', ({ id }) => change(id, { titleSource: 'auto' })],
  ['it is in the trash', ({ id }) => change(id, { deletedAt: new Date() })],
  [
    'the answer is still being written',
    ({ id }) => changeAnswer(id, { status: 'streaming', run: aRun(), instance: 'a-dead-instance' }),
  ],
  ['the answer failed', ({ id }) => changeAnswer(id, { status: 'failed' })],
  ['the answer is empty', ({ id }) => changeAnswer(id, { content: '' })],
])('a thread is not named by itself when %s (S4.6)', async (_, spoil) => {
  const thread = await aTalk()
  await spoil(thread)
  await name(thread)
  expect(await rowOf(thread.id)).toMatchObject({ title: NEW_THREAD_TITLE, version: 0 })
  expect(requests).toEqual([])
  expect(published).toEqual([])
})

test('a thread is named only for its owner', async () => {
  const thread = await aTalk()
  const boris = await app.signIn()
  await nameThread(title, { userId: boris.user.id, threadId: thread.id })
  expect((await rowOf(thread.id))?.title).toBe(NEW_THREAD_TITLE)
})

test('without the default model the first visible model gives the name (S9.3)', async () => {
  const thread = await aTalk()
  const hide = (hidden: boolean) => app.db.update(models).set({ hidden }).where(eq(models.id, 'namer'))
  await hide(true)
  await name(thread)
  await hide(false)
  expect(requests[0]).toMatchObject({ provider: 'one', model: 'first' })
})

test.each([
  ['the model was thinking by itself', name],
  ['it was asked for', ({ id }: { id: string }) => regenerate(id)],
])('a title typed while %s stays', async (_, action) => {
  const thread = await aTalk()
  play = async (request, signal, onText) => {
    const typed = { params: { id: thread.id }, body: { title: 'Мой борщ' } }
    await anna.call(threadsApi.update, typed)
    return says('Борщ')(request, signal, onText)
  }
  const answer = await action(thread)
  expect(await rowOf(thread.id)).toMatchObject({ title: 'Мой борщ', titleSource: 'user', version: 1 })
  expect([undefined, 'Мой борщ']).toContain(answer)
})

test.each<[string, Llm]>([
  ['fails', breaksOff()],
  ['breaks off', breaksOff('Бо')],
  ['says nothing', says()],
  ['says only quotes', says('«».')],
])('a model that %s changes nothing and returns the old title', async (_, script) => {
  const thread = await aTalk()
  play = script
  await name(thread)
  expect(await regenerate(thread.id)).toBe(NEW_THREAD_TITLE)
  expect(requests).toHaveLength(2)
  expect(await rowOf(thread.id)).toMatchObject({ titleSource: 'default', version: 0 })
})

test('a model that does not answer in 45 seconds changes nothing', async () => {
  const thread = await aTalk()
  const time = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal)
  play = (_request, signal, onText) => {
    onText('Бо')
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new LlmError('timeout')))
      time.abort()
    })
  }
  await name(thread)
  expect(timeout).toHaveBeenCalledWith(45_000)
  expect((await rowOf(thread.id))?.title).toBe(NEW_THREAD_TITLE)
})

test('an endless reply is cut off', async () => {
  const thread = await aTalk()
  let sent = 0
  play = async (_request, signal, onText) => {
    while (!signal.aborted) {
      sent++
      onText('слово за слово ')
    }
    throw signal.reason
  }
  await name(thread)
  expect(sent).toBeLessThan(100)
  expect((await rowOf(thread.id))?.title.length).toBeLessThanOrEqual(80)
})

test('a requested name is generated at any length and any setting', async () => {
  const thread = await aTalk({ title: 'Старое', titleSource: 'auto' })
  await aMessage(app.db, thread, { content: 'А потом?' })
  await set({ threadGptNameEnabled: false, threadGptNamePrompt: '' })
  expect(await regenerate(thread.id)).toBe('Борщ')
  expect(requests[0]?.messages[0]?.content).toBe(DEFAULT_NAME_PROMPT)
  expect(requests[0]?.messages[1]?.content).not.toContain('А потом?')
  expect(await rowOf(thread.id)).toMatchObject({ title: 'Борщ', titleSource: 'auto', version: 1 })
})

test('a requested name does not replace a title that the user typed', async () => {
  const thread = await aTalk({ title: 'Моё', titleSource: 'user' })
  expect(await regenerate(thread.id)).toBe('Моё')
  expect(requests).toEqual([])
})

test('a thread without an answer keeps its title despite a request', async () => {
  const thread = await aTalk({}, { content: '', status: 'failed' })
  expect(await regenerate(thread.id)).toBe(NEW_THREAD_TITLE)
  expect(requests).toEqual([])
})

test('a name can be requested thirty times an hour', async () => {
  const thread = await aTalk({ title: 'Моё', titleSource: 'user' })
  for (let no = 0; no < 30; no++) await regenerate(thread.id)
  await expect(regenerate(thread.id)).rejects.toMatchObject({ status: 429 })
})

test('a demo name ends with whole words, or «…» after a cut (S10.213)', async () => {
  const thread = await aTalk()
  await app.db
    .update(messages)
    .set({ content: 'Привет! Составь план поездки в Минск' })
    .where(and(eq(messages.threadId, thread.id), eq(messages.role, 'user')))
  await nameThread(
    { ...title, providers: createProviders([]), defaultModel: 'demo' },
    { userId: anna.user.id, threadId: thread.id },
  )
  expect((await rowOf(thread.id))?.title).toBe('Привет! Составь план поездки…')
})

test('the demo gives a name too', async () => {
  const thread = await aTalk()
  await nameThread(
    { ...title, providers: createProviders([]), defaultModel: 'demo' },
    { userId: anna.user.id, threadId: thread.id },
  )
  expect((await rowOf(thread.id))?.title).toBe('Как сварить борщ')
})

test.each([
  ['Ужин на двоих', 'Ужин на двоих'],
  ['«Ужин на двоих»', 'Ужин на двоих'],
  ['"Ужин на двоих."', 'Ужин на двоих'],
  ['«Ужин».', 'Ужин'],
  ['  “Dinner”\n', 'Dinner'],
  ['**Ужин**', 'Ужин'],
  ['# Ужин', 'Ужин'],
  ['**Ужин** и `борщ` на _двоих_', 'Ужин и борщ на двоих'],
  ['Название: Ужин', 'Ужин'],
  ['Ужин\nна двоих\r\n', 'Ужин на двоих'],
  ['Ужин\u0000 на двоих', 'Ужин на двоих'],
  ['Разбор «Войны и мира»', 'Разбор «Войны и мира»'],
  ['«Война» и «Мир»', '«Война» и «Мир»'],
  ['Жду…', 'Жду…'],
  ['И так далее...', 'И так далее...'],
  ['Что такое C#?', 'Что такое C#?'],
  ['План поездки в', 'План поездки…'],
  ['Что это', 'Что это'],
  ['«».', ''],
  [' \n ', ''],
])('the reply %j becomes the title %j (S10.1493)', (reply, title) => {
  expect(cleanTitle(reply)).toBe(title)
})

test('a long title ends with a whole word within 80 symbols (S10.213)', () => {
  const title = cleanTitle('Как приготовить ужин на двоих из того, что нашлось в холодильнике после долгих праздников')
  expect(title).toBe('Как приготовить ужин на двоих из того, что нашлось в холодильнике после долгих…')
})

test('a long word is cut, and no emoji is split', () => {
  expect(cleanTitle('я'.repeat(200))).toBe(`${'я'.repeat(79)}…`)
  expect(cleanTitle(`${'я'.repeat(79)}🦔`)).toBe(`${'я'.repeat(79)}…`)
})

const words = (count: number, word: string) => Array.from({ length: count }, () => word).join(' ')
const countWords = (text: string) => text.split(' ').filter(Boolean).length

test('the model gets 250 words of the first question and answer', () => {
  const long = cutExchange({ question: words(400, 'вопрос'), answer: words(400, 'ответ') })
  expect([countWords(long.question), countWords(long.answer)]).toEqual([150, 100])
  const short = cutExchange({ question: 'Как дела?', answer: words(400, 'ответ') })
  expect([short.question, countWords(short.answer)]).toEqual(['Как дела?', 248])
  expect(cutExchange({ question: 'я'.repeat(100_000), answer: '' }).question.length).toBeLessThan(5000)
})

const named = (question: string) => demoAnswer(writeTitleRequest('Сократи', { question, answer: 'Это демонстрация' }))

test('the demo names a thread by its question’s first words', () => {
  expect(named('Как сварить борщ на мясном бульоне?')).toBe('Как сварить борщ на мясном…')
  expect(named('Привет!')).toBe('Привет')
  expect(named('')).toBe('')
})

test('the demo answers anything else with its demo text', () => {
  const question = { role: 'user', content: 'Придумай название беседы' } as const
  for (const messages of [[question], [{ role: 'system', content: 'Придумывай названия' } as const, question]]) {
    expect(demoAnswer(messages)).toContain('демонстрационная модель')
  }
})
