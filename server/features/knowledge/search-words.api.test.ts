import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { type AssistantDraft, assistantsApi, SEARCH_WORDS_SYMBOLS } from '#contract/assistants.ts'
import { price } from '#contract/billing.ts'
import { inputOf, threadsApi } from '#contract/threads.ts'
import { usersApi } from '#contract/users.ts'
import { filePassages, ledger, models, searchWords } from '#server/db/schema.ts'
import { demoAnswer } from '#server/llm/demo.ts'
import type { LlmMessage } from '#server/llm/llm.ts'
import { refuses, type Script, says, streams } from '#server/llm/testing/fake-openai.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { startChat, type Talker } from '../answers/testing/chat.ts'
import { addFileAndWait } from '../assistants/testing/add-file.ts'
import { reconcile } from '../billing/invariants.ts'
import { deleteOldSearchWords } from './search-words.ts'

const chat = await closeAfterTests(startChat({ startSymbols: 200_000 }))
const rates = { inputRate: 2, outputRate: 3 }
await chat.addModel({ id: 'dear', canUseWithAssistant: true, ...rates })

const topics = ['погода', 'спорт', 'музыка', 'кулинария', 'рыбалка', 'садоводство', 'астрономия', 'вязание']
const notes = Array.from({ length: 40 }, (_, n) => {
  const topic = topics[n % topics.length]
  return `## ${topic}, заметка ${n}\n\n${`Подробно рассказано, чем интересна ${topic} и как ею заняться. `.repeat(12)}`
}).join('\n\n')
const RULE = 'Верхнюю одежду посетители сдают в гардероб, утраченный номерок оплачивается.'
const LARGE = `${notes}\n\n## Правила\n\n${RULE}\n\n${notes}`
const QUESTION = 'Куда девать шубу?'
const WORDS = 'верхняя одежда, гардероб, номерок'

async function withAssistant(draft: Partial<AssistantDraft> = {}, text = LARGE) {
  const anna = await chat.person()
  const { id } = await anna.call(assistantsApi.create, { body: { name: 'Знаток', modelId: 'dear', ...draft } })
  await addFileAndWait(anna, id, 'правила.md', text)
  return { anna, id, threadId: await newThread(anna, id) }
}

const newThread = async (anna: Talker, libraryId: string) =>
  (await anna.call(threadsApi.create, { body: { assistantId: libraryId } })).id
const ask = async (who: Talker, threadId: string, content = QUESTION) =>
  (await who.send(threadId, { content })).message()
const requests = () => chat.provider.received.map(({ messages }) => messages as { role: string; content: string }[])
const lastText = () => requests().at(-1)?.at(-1)?.content ?? ''
const isWordsRequest = (messages: { content: string }[]) => messages[0]?.content.includes('найти ответ в документах')
/** Titles are asked for in between, so the fake answers by the request and not by its order. */
const replies = (words: Script, answer: Script = says('В гардероб [1].')): void =>
  chat.provider.play((response, body) =>
    (isWordsRequest(body.messages as { content: string }[]) ? words : answer)(response, body),
  )
const wordsRequests = () => requests().filter(isWordsRequest)
const balanceOf = async (who: Talker) => (await who.call(usersApi.me, {})).SingleSubscription

beforeEach(() => {
  chat.provider.received.length = 0
  replies(says(WORDS))
})

describe('search words', () => {
  test('find what the question does not name (S10.773)', async () => {
    const { anna, threadId } = await withAssistant()
    const reading = await anna.send(threadId, { content: QUESTION })
    const message = await reading.message()
    expect(lastText()).toContain(RULE)
    const [words] = wordsRequests()
    expect(words?.at(-1)?.content).toBe(`Документы: правила.md\n\nВопрос: ${QUESTION}`)
    const stages = reading.events.filter(({ type }) => type.startsWith('stage'))
    expect(stages).toEqual([
      { type: 'stage', stage: { type: 'words' } },
      { type: 'stage-end', citations: message.citations, web: null },
    ])
    const stored = (await anna.read(threadId)).Messages.at(-1)
    expect(stored).toMatchObject({ citations: message.citations, parts: message.parts })
  })

  test('are a part of the charge within the estimate (S10.774)', async () => {
    const { anna, threadId } = await withAssistant()
    const { Assistant } = await anna.read(threadId)
    expect(Assistant?.symbols.searchWords).toBe(SEARCH_WORDS_SYMBOLS)
    const { parts, input, output, charged } = await ask(anna, threadId)
    const sent = wordsRequests()[0]?.reduce((sum, { content }) => sum + content.length, 0) ?? 0
    expect(parts?.searchWords).toBe(sent + WORDS.length)
    expect(parts?.searchWords).toBeLessThanOrEqual(SEARCH_WORDS_SYMBOLS)
    expect(input).toBe(parts && inputOf(parts))
    expect(charged).toBe(price(input, output, rates))
    const entries = await chat.app.db.select().from(ledger).where(eq(ledger.threadId, threadId))
    expect(entries).toMatchObject([{ kind: 'answer', symbols: -charged, input }])
    expect(await balanceOf(anna)).toMatchObject({ held: 0, availableTokens: 200_000 - charged })
    expect(await reconcile(chat.app.db)).toEqual([])
  })

  test('are written and paid for once per question (S10.775)', async () => {
    const { anna, id, threadId } = await withAssistant()
    await ask(anna, threadId)
    const question = (await anna.read(threadId)).Messages[0]?.id ?? ''
    const again = await (await anna.regenerate(threadId, question)).message()
    const other = await ask(anna, await newThread(anna, id), `  ${QUESTION.toUpperCase()} `)
    expect(wordsRequests()).toHaveLength(1)
    for (const message of [again, other]) expect(message.parts?.searchWords).toBeUndefined()
    expect(lastText()).toContain(RULE)
  })

  test('of another assistant are not used (S10.775)', async () => {
    const { anna, threadId } = await withAssistant()
    await ask(anna, threadId)
    const other = await withAssistant()
    expect((await ask(other.anna, other.threadId)).parts?.searchWords).toBeGreaterThan(0)
    expect(wordsRequests()).toHaveLength(2)
  })

  test.each([
    ['refused', refuses(500)],
    ['empty', says(' ... ')],
    ['cut off', streams()],
  ])('that are %s cost nothing, and the answer comes (S10.776)', async (_, script) => {
    const { anna, id, threadId } = await withAssistant()
    replies(script)
    const { parts, charged, input, output, content } = await ask(anna, threadId)
    expect(content).not.toBe('')
    expect(parts?.searchWords).toBeUndefined()
    expect(charged).toBe(price(input, output, rates))
    expect(await chat.app.db.$count(searchWords, eq(searchWords.libraryId, id))).toBe(0)
    expect(await balanceOf(anna)).toMatchObject({ held: 0, availableTokens: 200_000 - charged })
  })

  test('that are slow are not waited for (S10.776)', async () => {
    const { anna, threadId } = await withAssistant()
    const hangs = () => new Promise<void>(() => {})
    replies(hangs, says('Не знаю.'))
    const { parts, content } = await ask(anna, threadId)
    expect(content).toBe('Не знаю.')
    expect(parts?.searchWords).toBeUndefined()
  })

  test('cost nothing when the answer fails (S10.776)', async () => {
    const { anna, threadId } = await withAssistant()
    replies(says(WORDS), refuses(400))
    const reading = await anna.send(threadId, { content: QUESTION })
    expect(await reading.end()).toMatchObject({ type: 'error' })
    expect(await balanceOf(anna)).toMatchObject({ held: 0, availableTokens: 200_000 })
  })

  test('are not written when the owner turned them off (S10.777)', async () => {
    const { anna, id, threadId } = await withAssistant({ searchWords: false })
    expect((await anna.read(threadId)).Assistant?.symbols.searchWords).toBe(0)
    expect((await ask(anna, threadId)).parts?.searchWords).toBeUndefined()
    expect(wordsRequests()).toEqual([])
    const params = { id }
    expect(await anna.call(assistantsApi.update, { params, body: { searchWords: true } })).toMatchObject({
      searchWords: true,
      symbols: { searchWords: SEARCH_WORDS_SYMBOLS },
    })
  })

  test('are not written for small files or without files (S10.777)', async () => {
    const { anna, threadId } = await withAssistant({}, RULE)
    const reading = await anna.send(threadId, { content: QUESTION })
    expect((await reading.message()).parts?.searchWords).toBeUndefined()
    expect(reading.events.some(({ type }) => type.startsWith('stage'))).toBe(false)
    await ask(anna, await anna.newThread())
    expect(wordsRequests()).toEqual([])
  })

  test('of a temporary chat are not stored (S10.778)', async () => {
    const { anna, id } = await withAssistant()
    const thread = await anna.call(threadsApi.create, { body: { assistantId: id, temporary: true } })
    expect((await ask(anna, thread.id)).parts?.searchWords).toBeGreaterThan(0)
    expect(lastText()).toContain(RULE)
    expect(await chat.app.db.$count(searchWords, eq(searchWords.libraryId, id))).toBe(0)
  })

  test('are forgotten after thirty days and with the assistant (S10.778)', async () => {
    const { anna, id, threadId } = await withAssistant()
    await ask(anna, threadId)
    const stored = () => chat.app.db.select().from(searchWords).where(eq(searchWords.libraryId, id))
    expect(await stored()).toMatchObject([{ words: WORDS, question: expect.stringMatching(/^[0-9a-f]{64}$/) }])
    await deleteOldSearchWords(chat.app.db)
    expect(await stored()).toHaveLength(1)
    await chat.app.db.update(searchWords).set({ createdAt: new Date(Date.now() - 31 * 86_400_000) })
    await deleteOldSearchWords(chat.app.db)
    expect(await stored()).toEqual([])
  })

  test('are not written by the demo model, which knows none (S10.776)', async () => {
    const { anna, threadId } = await withAssistant()
    await ask(anna, threadId)
    const [messages] = wordsRequests()
    expect(demoAnswer(messages as LlmMessage[])).toBe('')
  })

  test('need a balance that covers them from the start (S10.774)', async () => {
    const { anna, id } = await withAssistant()
    const thread = await newThread(anna, id)
    await ask(anna, thread, 'А сколько стоит номерок?')
    const { availableTokens } = await balanceOf(anna)
    expect(availableTokens).toBeLessThan(200_000)
    const dailyCap = 200_000 - availableTokens + SEARCH_WORDS_SYMBOLS
    await anna.fetch('/api/profile/daily-cap', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ dailyCap }),
    })
    const refused = await anna.send(thread, { content: QUESTION })
    expect(await refused.error()).toMatchObject({ code: 'out_of_symbols' })
  })
})

describe('search words, the price that is named and try-outs', () => {
  test('files that are compared by meaning name and use no words (S10.741)', async () => {
    const { anna, id, threadId } = await withAssistant()
    const named = async () => (await anna.call(assistantsApi.get, { params: { id } })).symbols.searchWords
    expect(await named()).toBe(SEARCH_WORDS_SYMBOLS)
    const embedding = { kind: 'embedding', provider: 'nowhere', providerModel: 'vectors', position: -5 } as const
    await chat.app.db.insert(models).values({ ...embedding, id: 'vectors', name: 'Векторы' })
    await chat.app.db.update(filePassages).set({ embedder: 'nowhere/vectors' }).where(eq(filePassages.libraryId, id))
    expect(await named()).toBe(0)
    expect((await anna.read(threadId)).Assistant?.symbols.searchWords).toBe(0)
    await ask(anna, threadId)
    expect(wordsRequests()).toEqual([])
    await chat.app.db.delete(models).where(eq(models.id, 'vectors'))
  })

  test('a try-out searches as chats do, within the price that is named (S10.742)', async () => {
    const { anna, id } = await withAssistant()
    const { symbols } = await anna.call(assistantsApi.get, { params: { id } })
    const before = await balanceOf(anna)
    const trial = {
      assistantId: id,
      instructions: '',
      modelId: 'dear',
      messages: [{ role: 'user', content: QUESTION }],
    }
    const answer = async () => (await anna.post(assistantsApi.tryOut.path, trial)).text()
    const body = await answer()
    expect(lastText()).toContain(RULE)
    expect(wordsRequests()).toHaveLength(1)
    expect(body).toContain('"searchWords"')
    const charged = (before?.availableTokens ?? 0) - ((await balanceOf(anna))?.availableTokens ?? 0)
    const most = QUESTION.length + symbols.passages + symbols.searchWords + symbols.instructions
    expect(charged).toBeGreaterThan(0)
    expect(charged).toBeLessThanOrEqual(price(most, 'В гардероб [1].'.length, rates))
    await answer()
    expect(wordsRequests()).toHaveLength(1)
  })

  test('a try-out without words answers with the first passages (S10.742)', async () => {
    const { anna, id } = await withAssistant()
    replies(refuses(500, {}))
    const trial = {
      assistantId: id,
      instructions: '',
      modelId: 'dear',
      messages: [{ role: 'user', content: QUESTION }],
    }
    const body = await (await anna.post(assistantsApi.tryOut.path, trial)).text()
    expect(body).toContain('В гардероб')
    expect(body).not.toContain('"searchWords"')
  })
})
