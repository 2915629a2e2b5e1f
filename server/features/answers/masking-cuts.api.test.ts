import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { assistantsApi } from '#contract/assistants.ts'
import { summariesApi } from '#contract/summaries.ts'
import { threadsApi } from '#contract/threads.ts'
import { usersApi } from '#contract/users.ts'
import { models, threads } from '#server/db/schema.ts'
import { openSearch } from '#server/internet/open-search.ts'
import { searxngFinds, startFakeEngine } from '#server/internet/testing/fake-engine.ts'
import { readQueryRequest, readTitleRequest } from '#server/llm/demo-prompts.ts'
import type { LlmMessage } from '#server/llm/llm.ts'
import { refuses, type Script, says } from '#server/llm/testing/fake-openai.ts'
import { aMessage } from '#server/testing/builders.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { addFileAndWait } from '../assistants/testing/add-file.ts'
import { reconcile } from '../billing/invariants.ts'
import { rankPassages } from '../knowledge/retrieve.ts'
import { maskFor } from './masking.ts'
import { startChat } from './testing/chat.ts'

/** Texts that are cut before they are sent abroad: a value at the cut is sent as a token or not at all. */

const engine = await startFakeEngine()
const chat = await closeAfterTests(
  startChat({
    startSymbols: 1_000_000,
    web: {
      search: openSearch({ engine: 'searxng', baseUrl: engine.baseUrl, apiKey: null, folder: null, timeoutMs: 3000 }),
      price: 10,
      fetchPage: async () => {
        throw new Error('no page is read')
      },
    },
  }),
)
afterAll(async () => {
  expect(await reconcile(chat.app.db)).toEqual([])
  await engine.close()
})

const PHONE = '+7 (987) 654-32-10'
const NAME = 'Анна Петровна Верещагина'
const DIGITS = '79876543210'
const quads = Array.from({ length: DIGITS.length - 3 }, (_, n) => DIGITS.slice(n, n + 4))
/** The parts of the number and of the name that a text shows. */
const shown = (text: string) => {
  const compact = text.replace(/(?<=\d)[ ()-]+(?=\d)/g, '')
  return [...quads, 'Анна', 'Петровна', 'Верещагина'].filter((part) => compact.includes(part))
}
/** The value begins `inside` symbols before the cut. */
const across = (value: string, cut: number, inside: number) =>
  `${'слово '.repeat(cut).slice(0, cut - inside - 1)} ${value}${' и ещё слово'.repeat(300)}`

let titles: string[] = []
let queries: string[] = []
let answers: string[] = []
let writeQuery: Script
beforeEach(() => {
  ;[titles, queries, answers] = [[], [], []]
  writeQuery = says('запрос')
  engine.play(searxngFinds())
  chat.provider.play((response, body) => {
    const messages = body.messages as LlmMessage[]
    const text = messages.map(({ content }) => content).join('\n')
    const isTitle = readTitleRequest(messages) !== null
    const isQuery = readQueryRequest(messages) !== null
    const seen = isTitle ? titles : isQuery ? queries : answers
    seen.push(text)
    return (isQuery ? writeQuery : says(isTitle ? 'Название' : 'Ответ'))(response, body)
  })
})

async function anna(threadGptNameEnabled = false) {
  const person = await chat.person()
  const Settings = { maskPersonal: true, maskedNames: [NAME], threadGptNameEnabled }
  await person.call(usersApi.update, { params: { id: person.user.id }, body: { Settings } })
  return person
}

const values = [
  ['a phone number', PHONE, 12],
  ['a name', NAME, 15],
] as const

describe.each(values)('%s at the cut', (_, value, inside) => {
  test.each([
    ['symbols', 4000, (cut: number) => `${'слово'.repeat(cut).slice(0, cut - inside - 1)} ${value} да`],
    ['words', 150, (cut: number) => `${'слово '.repeat(cut - 2)}${value} да`],
  ])('of %s is not in the request for a title (S10.618)', async (_limit, cut, write) => {
    const person = await anna(true)
    const threadId = await person.newThread()
    await (await person.send(threadId, { content: write(cut) })).message()
    await expect.poll(() => titles.length).toBe(1)
    expect(titles[0]).toContain('слово')
    expect(shown(titles.join())).toEqual([])
  })

  test('is not in the request for a search query (S10.618)', async () => {
    const person = await anna()
    const threadId = await person.newThread()
    await (await person.send(threadId, { content: across(value, 800, inside) })).message()
    await (await person.send(threadId, { content: across(value, 2000, inside), web: true })).message()
    expect(queries).toHaveLength(1)
    expect(queries[0]?.length).toBeGreaterThan(2700)
    expect(shown(queries.join())).toEqual([])
  })

  test.each([
    ['the question', refuses(500)],
    ['a model', (...call: Parameters<Script>) => says(across(value, 200, inside))(...call)],
  ])('is not in the query that %s gives to the engine (S10.618)', async (_from, script) => {
    writeQuery = script
    const person = await anna()
    const threadId = await person.newThread()
    const content = across(value, 200, inside)
    const before = engine.requests.length
    const { web } = await (await person.send(threadId, { content, web: true })).message()
    expect(web?.query).toContain('слово')
    expect(engine.requests).toHaveLength(before + 1)
    expect(shown(decodeURIComponent(JSON.stringify(engine.requests.at(-1))).replaceAll('+', ' '))).toEqual([])
  })

  test('is not in the question that an embedding model abroad compares (S10.618)', async () => {
    const person = await anna()
    const { id: assistantId } = await person.call(assistantsApi.create, { body: { name: 'Юрист' } })
    await chat.addModel({ id: 'vectors', kind: 'embedding', provider: 'fake', hidden: true })
    onTestFinished(async () => void (await chat.app.db.delete(models).where(eq(models.id, 'vectors'))))
    const embedded: string[] = []
    const embed = () => async (texts: string[]) => {
      embedded.push(...texts)
      return texts.map(() => [1, 2])
    }
    const { knowledge } = chat.app.files
    const deps = { ...knowledge, hasVectors: true, providers: { ...knowledge.providers, embed } }
    const mask = maskFor({ names: [NAME] }) ?? undefined
    await rankPassages(chat.app.db, deps, { libraryId: assistantId, question: across(value, 6000, inside), mask })
    expect(embedded).toHaveLength(1)
    expect(embedded[0]?.length).toBeGreaterThan(5900)
    expect(shown(embedded.join())).toEqual([])
  })

  test('of the window is in no message, because messages are sent whole (S10.618)', async () => {
    const size = 900
    await chat.addModel({ id: `small-${inside}`, contextSymbols: 2 * size, maxOutputSymbols: 100 })
    const person = await anna()
    const threadId = await person.newThread(`small-${inside}`)
    for (const cut of [size, size / 2]) {
      await (await person.send(threadId, { content: across(value, cut, inside).slice(0, size + 100) })).message()
    }
    const { parts, input } = await (await person.send(threadId, { content: 'Да?' })).message()
    expect(parts?.cutMessages).toBeGreaterThan(0)
    expect(parts?.historyMessages).toBeGreaterThan(0)
    expect(input).toBeLessThanOrEqual(2 * size)
    expect(shown(answers.join())).toEqual([])
  })
})

test('a phone number at the end of a passage is not split (S10.618)', async () => {
  const person = await anna()
  const { id: assistantId } = await person.call(assistantsApi.create, { body: { name: 'Юрист' } })
  // Passages of one long line end between words, and the numbers are everywhere.
  const story = Array.from({ length: 300 }, (_, n) => `${'слово '.repeat(n % 7)}${PHONE} `).join('')
  await addFileAndWait(person, assistantId, 'договор.txt', story)
  const { id } = await person.call(threadsApi.create, { body: { assistantId } })
  const { citations, masked } = await (await person.send(id, { content: 'Какие слова?' })).message()
  expect(citations?.length).toBeGreaterThan(3)
  expect(shown(answers.join())).toEqual([])
  expect(masked).toEqual({ phone: 1 })
})

test('a long text is cut for its summary between masked values (S10.618)', async () => {
  await chat.addModel({ id: 'narrow', contextSymbols: 40_000, maxOutputSymbols: 2000 })
  const person = await anna()
  const id = await person.newThread('narrow')
  let parentId: string | null = null
  for (let i = 0; i < 20; i++) {
    const role = i % 2 ? ('assistant' as const) : ('user' as const)
    const createdAt = new Date(Date.now() - 1e6 + i * 1000)
    const content = `${PHONE} `.repeat(400)
    parentId = (await aMessage(chat.app.db, { id, userId: person.user.id }, { parentId, role, content, createdAt })).id
  }
  await chat.app.db.update(threads).set({ currentLeafId: parentId }).where(eq(threads.id, id))
  await person.call(summariesApi.make, { params: { id }, body: {} })
  expect(answers.length).toBeGreaterThan(2)
  expect(answers.flatMap(shown)).toEqual([])
})
