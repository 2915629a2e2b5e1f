import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { assistantsApi } from '#contract/assistants.ts'
import { price } from '#contract/billing.ts'
import { type ProjectDraft, projectsApi } from '#contract/projects.ts'
import { summariesApi } from '#contract/summaries.ts'
import { threadsApi } from '#contract/threads.ts'
import { usersApi } from '#contract/users.ts'
import { ledger, messages, projects, searchWords } from '#server/db/schema.ts'
import { readPassageBlock } from '#server/llm/demo-prompts.ts'
import { createProviders } from '#server/llm/providers.ts'
import { says, startFakeOpenAi } from '#server/llm/testing/fake-openai.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { startChat, type Talker } from '../answers/testing/chat.ts'
import { addFileAndWait } from '../assistants/testing/add-file.ts'
import { reconcile } from '../billing/invariants.ts'

const provider = await startFakeOpenAi()
const at = { baseUrl: provider.baseUrl, apiKey: 'key' }
const providers = createProviders([
  { name: 'fake', ...at, country: 'RU' },
  { name: 'abroad', ...at, country: 'US' },
])
const chat = await closeAfterTests(startChat({ startSymbols: 200_000, provider, deps: { providers } }))
await chat.addModel({ id: 'dear', canUseWithAssistant: true, inputRate: 2, outputRate: 3 })
await chat.addModel({ id: 'far', provider: 'abroad', canUseWithAssistant: true, position: -2 })

const OF_PROJECT = 'Всё измеряй в метрах.'
const OF_ASSISTANT = 'Отвечай одним предложением.'
const WALLS = 'Площадь стен составляет 48 квадратных метров без окон.'
const LEASE = 'Арендная плата составляет 40 000 рублей в месяц.'

async function withProject(draft: Partial<ProjectDraft> = {}, text: string | null = WALLS) {
  const anna = await chat.person()
  const body = { name: 'Ремонт', instructions: OF_PROJECT, modelId: 'dear', ...draft }
  const { id } = await anna.call(projectsApi.create, { body })
  if (text !== null) await addFileAndWait(anna, id, 'стены.txt', text, projectsApi)
  const thread = await anna.call(threadsApi.create, { body: { projectId: id } })
  return { anna, id, threadId: thread.id }
}

async function addAssistant(anna: Talker, body: object = {}) {
  const made = { name: 'Юрист', instructions: OF_ASSISTANT, modelId: 'dear', ...body }
  const { id } = await anna.call(assistantsApi.create, { body: made })
  await addFileAndWait(anna, id, 'договор.txt', LEASE)
  return id
}

const change = (who: Talker, id: string, body: object) => who.call(threadsApi.update, { params: { id }, body })
const lastMessages = () => provider.received.at(-1)?.messages as { role: string; content: string }[]
const ask = async (who: Talker, threadId: string, content: string) => (await who.send(threadId, { content })).message()
const failure = (call: Promise<unknown>) => call.catch((error: unknown) => error)

describe('a question in a project', () => {
  test('gets its instructions and its files as numbered data (S10.861)', async () => {
    provider.play(says('Сорок восемь [1].'))
    const { anna, threadId } = await withProject()
    const { citations } = await ask(anna, threadId, 'Какая площадь стен?')
    const [system, question] = lastMessages()
    expect(system).toEqual({ role: 'system', content: OF_PROJECT })
    expect(readPassageBlock(question?.content ?? '')).toMatchObject({
      passages: [{ n: 1, text: expect.stringContaining('48 квадратных') }],
      question: 'Какая площадь стен?',
    })
    expect(citations).toMatchObject([{ n: 1, fileName: 'стены.txt' }])
    const passageId = citations[0]?.passageId ?? ''
    const passage = await anna.call(assistantsApi.passage, { params: { passageId } })
    expect(passage.text).toContain('48 квадратных')
  })

  test('is charged for both, and the breakdown shows each (S10.863)', async () => {
    provider.play(says('Ответ'))
    const { anna, threadId } = await withProject()
    const { Project } = await anna.read(threadId)
    const { parts, input, output, charged } = await ask(anna, threadId, 'Сколько?')
    expect(parts).toMatchObject({ question: 8, instructions: 0, passages: 0, project: OF_PROJECT.length })
    expect(parts?.projectPassages).toBe((lastMessages()[1]?.content.length ?? 0) - 'Сколько?'.length - 2)
    expect(input).toBe(8 + OF_PROJECT.length + (parts?.projectPassages ?? 0))
    expect(charged).toBe(price(input, output, { inputRate: 2, outputRate: 3 }))
    expect(Project?.symbols.instructions).toBe(parts?.project)
    expect(Project?.symbols.passages).toBeGreaterThanOrEqual(parts?.projectPassages ?? 0)
    const [entry] = await chat.app.db.select().from(ledger).where(eq(ledger.threadId, threadId))
    expect(entry).toMatchObject({ kind: 'answer', symbols: -charged, input })
    expect(await reconcile(chat.app.db)).toEqual([])
  })

  test('with an assistant gets both in the stated order (S10.861, S10.862, S10.863)', async () => {
    provider.play(says('Ответ [1] [2]'))
    const { anna, threadId } = await withProject()
    const body = { Settings: { personalAbout: 'Мне 30 лет' } }
    await anna.call(usersApi.update, { params: { id: anna.user.id }, body })
    await change(anna, threadId, { assistantId: await addAssistant(anna) })
    const { parts, citations, input } = await ask(anna, threadId, 'Какая плата и какая площадь?')
    const [system, question] = lastMessages()
    const order = [OF_ASSISTANT, OF_PROJECT, '30 лет'].map((words) => system?.content.indexOf(words) ?? -1)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(order[0]).toBe(0)
    expect(readPassageBlock(question?.content ?? '')?.passages).toMatchObject([
      { n: 1, text: expect.stringContaining('40 000') },
      { n: 2, text: expect.stringContaining('48 квадратных') },
    ])
    expect(citations.map(({ fileName }) => fileName)).toEqual(['договор.txt', 'стены.txt'])
    const { question: asked = 0, personal = 0, passages = 0, projectPassages = 0 } = parts ?? {}
    expect(parts).toMatchObject({ instructions: OF_ASSISTANT.length, project: OF_PROJECT.length })
    expect(Math.min(personal, passages, projectPassages)).toBeGreaterThan(0)
    expect(input).toBe(asked + personal + OF_ASSISTANT.length + OF_PROJECT.length + passages + projectPassages)
  })

  test('goes without the own instructions when the project replaces them (S10.861)', async () => {
    provider.play(says('Ответ'))
    const { anna, threadId } = await withProject({ replacesPersonal: true }, null)
    const body = { Settings: { personalAbout: 'Мне 30 лет' } }
    await anna.call(usersApi.update, { params: { id: anna.user.id }, body })
    const { parts } = await ask(anna, threadId, 'Сколько?')
    expect(lastMessages()[0]?.content).toBe(OF_PROJECT)
    expect(parts?.personal).toBe(0)
  })

  test('continued keeps the same passages (S10.862)', async () => {
    provider.play(says('Сорок '))
    const { anna, threadId } = await withProject()
    await change(anna, threadId, { assistantId: await addAssistant(anna) })
    const { id, citations, parts } = await ask(anna, threadId, 'Какая плата и какая площадь?')
    await chat.app.db.update(messages).set({ status: 'stopped' }).where(eq(messages.id, id))
    provider.play(says('восемь.'))
    const continued = await (await anna.continue(threadId, id)).message()
    expect(continued.citations).toEqual(citations)
    expect(continued.parts).toMatchObject({
      ...{ passages: parts?.passages, projectPassages: parts?.projectPassages },
    })
  })

  test('searches large files with words that are stored for it (S10.857)', async () => {
    const { anna, id, threadId } = await withProject({}, `${WALLS} И ещё немного о стенах.\n\n`.repeat(200))
    provider.play(says('поверхность, периметр'))
    provider.play(says('Ответ'))
    const first = await ask(
      anna,
      threadId,
      'Сколько обоев нужно купить на всю эту квартиру целиком, если брать с запасом?',
    )
    expect(first.parts?.searchWords).toBeGreaterThan(0)
    expect(await chat.app.db.$count(searchWords, eq(searchWords.libraryId, id))).toBe(1)
  })

  test('is not sent when its project is not found (S10.864)', async () => {
    const { anna, id, threadId } = await withProject()
    const boris = await chat.person()
    // No foreign key holds the owners together, so a row of another owner stands for every failed lookup.
    await chat.app.db.update(projects).set({ userId: boris.user.id }).where(eq(projects.id, id))
    const sent = provider.received.length
    const reading = await anna.send(threadId, { content: 'Сколько?' })
    expect(reading.status).toBe(409)
    expect(provider.received).toHaveLength(sent)
    expect(await chat.app.db.$count(messages, eq(messages.threadId, threadId))).toBe(0)
    expect(await chat.app.db.$count(ledger, eq(ledger.threadId, threadId))).toBe(0)
  })
})

describe('the country of a project', () => {
  const RU = { country: 'RU', modelId: 'dear' } as const

  test('refuses models of other countries, also as its default (S10.865)', async () => {
    const { anna, id, threadId } = await withProject(RU, null)
    const far = { Model: { connect: { id: 'far' } } }
    expect(await failure(change(anna, threadId, far))).toMatchObject({ status: 409 })
    expect((await anna.send(threadId, { content: 'Да?', modelId: 'far' })).status).toBe(409)
    expect(await failure(anna.call(threadsApi.create, { body: { projectId: id, ...far } }))).toMatchObject({
      status: 409,
    })
    const update = anna.call(projectsApi.update, { params: { id }, body: { modelId: 'far' } })
    expect(await failure(update)).toMatchObject({ status: 409 })
  })

  test('holds for a chat that was moved in, and its summary (S10.865)', async () => {
    const { anna, id } = await withProject(RU, null)
    const moved = await anna.newThread('far')
    await change(anna, moved, { projectId: id })
    expect((await anna.send(moved, { content: 'Да?' })).status).toBe(409)
    const summary = anna.call(summariesApi.make, { params: { id: moved }, body: {} })
    expect(await failure(summary)).toMatchObject({ status: 409 })
  })

  test('chooses an allowed model for a new chat (S10.853, S10.865)', async () => {
    const { anna, id } = await withProject({ country: 'RU', modelId: null }, null)
    await anna.call(usersApi.update, { params: { id: anna.user.id }, body: { Settings: { threadModel: 'far' } } })
    const made = await anna.call(threadsApi.create, { body: { projectId: id } })
    expect(made.Model?.id).not.toBe('far')
    const assistantId = await addAssistant(anna, { modelId: 'far' })
    const both = await anna.call(threadsApi.create, { body: { projectId: id, assistantId } })
    expect(both.Model?.id).not.toBe('far')
  })

  test('leaves no model beside an assistant of another country (S10.865)', async () => {
    const { anna, threadId } = await withProject(RU, null)
    const assistantId = await addAssistant(anna, { country: 'US', modelId: 'far' })
    await change(anna, threadId, { assistantId })
    const reading = await anna.send(threadId, { content: 'Да?' })
    expect(reading.status).toBe(409)
  })
})

test('a shared chat shows nothing of its project (S10.866)', async () => {
  provider.play(says('Сорок восемь [1].'))
  const { anna, id, threadId } = await withProject({ name: 'Тайный дворец' })
  await ask(anna, threadId, 'Какая площадь стен?')
  const { shareId } = await anna.call(threadsApi.share, { params: { id: threadId } })
  const shown = await (await chat.app.visitor().fetch(`/api/shared/${shareId}`)).text()
  expect(shown).toContain('Сорок восемь')
  for (const secret of [id, 'Тайный дворец', OF_PROJECT, 'стены.txt', '48 квадратных'])
    expect(shown).not.toContain(secret)
})
