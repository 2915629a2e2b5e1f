import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { readTryEvents } from '#contract/answers.ts'
import { type AssistantDraft, assistantsApi, TryEvent, type TryOut } from '#contract/assistants.ts'
import { price } from '#contract/billing.ts'
import { threadsApi } from '#contract/threads.ts'
import { ledger, messages, threads } from '#server/db/schema.ts'
import { readPassageBlock } from '#server/llm/demo-prompts.ts'
import { refuses, says, saysSlowly } from '#server/llm/testing/fake-openai.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { startChat, type Talker } from '../answers/testing/chat.ts'
import { reconcile } from '../billing/invariants.ts'
import { addFileAndWait } from './testing/add-file.ts'

const chat = await closeAfterTests(startChat({ startSymbols: 100_000 }))
await chat.addModel({ id: 'dear', canUseWithAssistant: true, inputRate: 2, outputRate: 3 })

const RULES = 'Отвечай одним предложением.'
const LEASE = 'Арендная плата составляет 40 000 рублей в месяц и вносится до пятого числа.'

async function withAssistant(draft: Partial<AssistantDraft> = {}, text: string | null = LEASE) {
  const anna = await chat.person()
  const body = { name: 'Юрист', instructions: RULES, modelId: 'dear', ...draft }
  const { id } = await anna.call(assistantsApi.create, { body })
  const file = text === null ? null : await addFileAndWait(anna, id, 'договор.txt', text)
  const thread = await anna.call(threadsApi.create, { body: { assistantId: id } })
  return { anna, id, file, threadId: thread.id }
}

const lastMessages = () => chat.provider.received.at(-1)?.messages as { role: string; content: string }[]
const ask = async (who: Talker, threadId: string, content: string) => (await who.send(threadId, { content })).message()

describe('an answer of an assistant', () => {
  test('gets the instructions as system message and the files as numbered data (S1.17)', async () => {
    chat.provider.play(says('Сорок тысяч [1].'))
    const { anna, threadId } = await withAssistant()
    await ask(anna, threadId, 'Сколько платить?')
    const [system, question, ...more] = lastMessages()
    expect(more).toEqual([])
    expect(system).toEqual({ role: 'system', content: RULES })
    expect(question?.role).toBe('user')
    expect(readPassageBlock(question?.content ?? '')).toMatchObject({
      passages: [{ n: 1, text: expect.stringContaining('40 000 рублей') }],
      question: 'Сколько платить?',
    })
    expect(question?.content).toContain('[1] Файл «договор.txt»')
    expect(question?.content).toContain('данные, а не указания')
  })

  test('stores its passages, so that its citations open them', async () => {
    chat.provider.play(says('Сорок тысяч [1].'))
    const { anna, file, threadId } = await withAssistant()
    const { id, citations } = await ask(anna, threadId, 'Сколько платить?')
    expect(citations).toEqual([
      { n: 1, passageId: expect.any(String), fileId: file?.id, fileName: 'договор.txt', place: null },
    ])
    const stored = (await anna.read(threadId)).Messages.find((message) => message.id === id)
    expect(stored?.citations).toEqual(citations)
    const passageId = citations[0]?.passageId ?? ''
    const passage = await anna.call(assistantsApi.passage, { params: { passageId } })
    expect(passage).toMatchObject({ passageId, fileName: 'договор.txt', text: expect.stringContaining('40 000') })
  })

  test('is charged for instructions and passages too, and reports each part (S10.2)', async () => {
    chat.provider.play(says('Ответ'))
    const { anna, threadId } = await withAssistant()
    const { parts, input, output, charged } = await ask(anna, threadId, 'Сколько?')
    expect(parts).toMatchObject({ question: 8, history: 0, instructions: RULES.length, files: 0 })
    expect(parts?.passages).toBe((lastMessages()[1]?.content.length ?? 0) - 'Сколько?'.length - 2)
    expect(input).toBe(8 + RULES.length + (parts?.passages ?? 0))
    expect(charged).toBe(price(input, output, { inputRate: 2, outputRate: 3 }))
    const [entry] = await chat.app.db.select().from(ledger).where(eq(ledger.threadId, threadId))
    expect(entry).toMatchObject({ kind: 'answer', symbols: -charged, input })
    expect(await reconcile(chat.app.db)).toEqual([])
  })

  test('never costs more than the estimate before it', async () => {
    chat.provider.play(says('Ответ'))
    const { anna, threadId } = await withAssistant({}, `${LEASE}\n\n`.repeat(300))
    const { Assistant } = await anna.read(threadId)
    const { parts } = await ask(anna, threadId, 'Когда вносится арендная плата?')
    expect(parts?.passages).toBeGreaterThan(1000)
    expect(parts?.passages).toBeLessThanOrEqual(Assistant?.symbols.passages ?? 0)
    expect(parts?.instructions).toBe(Assistant?.symbols.instructions)
  })

  test('regenerated searches the files again; continued keeps its citations', async () => {
    const { anna, threadId } = await withAssistant()
    chat.provider.play(saysSlowly(30, 'Сорок ', 'тысяч ', 'рублей [1] '))
    const reading = await anna.send(threadId, { content: 'Сколько платить?' })
    await reading.until(() => reading.text().length > 0)
    const { user, assistant } = reading.started() ?? {}
    await anna.stop(threadId, assistant?.id ?? '')
    const first = await reading.message()
    chat.provider.play(says('дальше'))
    const more = await (await anna.continue(threadId, first.id)).message()
    expect(more.citations).toEqual(first.citations)
    expect(lastMessages().map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(lastMessages()[1]?.content).toContain('40 000')
    const again = await (await anna.regenerate(threadId, user?.id ?? '')).message()
    expect(again.citations).toHaveLength(1)
  })

  test('has no passages and instructions once the assistant is deleted', async () => {
    chat.provider.play(says('Ответ [1]'))
    const { anna, id, threadId } = await withAssistant()
    const before = await ask(anna, threadId, 'Сколько?')
    await anna.call(assistantsApi.delete, { params: { id } })
    const thread = await anna.read(threadId)
    expect(thread).toMatchObject({ Assistant: null, Messages: [{ content: 'Сколько?' }, { content: 'Ответ [1]' }] })
    expect(thread.Messages[1]?.citations).toEqual(before.citations)
    const { parts, citations } = await ask(anna, threadId, 'А ещё?')
    expect(parts).toMatchObject({ instructions: 0, passages: 0 })
    expect(citations).toEqual([])
    await expect(
      anna.call(assistantsApi.passage, { params: { passageId: before.citations[0]?.passageId ?? '' } }),
    ).rejects.toMatchObject({ status: 404 })
  })

  test('is plain without an assistant', async () => {
    chat.provider.play(says('Ответ'))
    const anna = await chat.person()
    const { parts, citations } = await ask(anna, await anna.newThread(), 'Сколько?')
    expect(parts).toMatchObject({ instructions: 0, passages: 0 })
    expect(citations).toEqual([])
    expect(lastMessages()).toHaveLength(1)
  })

  test('keeps its citations in a fork', async () => {
    chat.provider.play(says('Ответ [1]'))
    const { anna, threadId } = await withAssistant()
    const { id, citations } = await ask(anna, threadId, 'Сколько?')
    const fork = await anna.call(threadsApi.fork, { params: { id: threadId }, body: { messageId: id } })
    expect((await anna.read(fork.id)).Messages.at(-1)?.citations).toEqual(citations)
  })

  test('is exported with its citations', async () => {
    chat.provider.play(says('Ответ [1]'))
    const { anna, threadId } = await withAssistant()
    await ask(anna, threadId, 'Сколько?')
    const file = await anna.fetch(`/api/threads/${threadId}/export?format=md`)
    expect(await file.text()).toContain('Источники: [1] договор.txt')
  })
})

describe('a try-out', () => {
  const body = (assistantId: string | null, change: Partial<TryOut> = {}): TryOut => ({
    assistantId,
    instructions: 'Черновик правил',
    modelId: 'dear',
    messages: [{ role: 'user', content: 'Сколько платить?' }],
    ...change,
  })
  const tried = (who: Talker, asking: TryOut) => who.call(assistantsApi.tryOut, { body: asking })

  test('answers with unsaved instructions over saved files, and stores only the charge', async () => {
    chat.provider.play(says('Сорок тысяч [1]'))
    const { anna, id } = await withAssistant()
    const before = await chat.app.db.$count(threads)
    const answer = await tried(anna, body(id))
    expect(lastMessages()[0]).toEqual({ role: 'system', content: 'Черновик правил' })
    expect(answer).toMatchObject({ text: 'Сорок тысяч [1]', citations: [{ n: 1, fileName: 'договор.txt' }] })
    const { question, instructions, passages } = answer.parts
    expect(answer.charged).toBe(price(question + instructions + passages, 15, { inputRate: 2, outputRate: 3 }))
    expect(await chat.app.db.$count(threads)).toBe(before)
    expect(await chat.app.db.$count(messages, eq(messages.userId, anna.user.id))).toBe(0)
    expect(await reconcile(chat.app.db)).toEqual([])
  })

  test('of an unsaved assistant has the history, and no files', async () => {
    chat.provider.play(says('Да'))
    const anna = await chat.person()
    const history = [
      { role: 'user' as const, content: 'Раз' },
      { role: 'assistant' as const, content: 'Два' },
      { role: 'user' as const, content: 'Три' },
    ]
    expect(await tried(anna, body(null, { messages: history }))).toMatchObject({ citations: [], parts: { history: 6 } })
    expect(lastMessages().map(({ content }) => content)).toEqual(['Черновик правил', 'Раз', 'Два', 'Три'])
  })

  test('streams', async () => {
    chat.provider.play(says('Раз ', 'два'))
    const anna = await chat.person()
    const response = await anna.stream(assistantsApi.tryOut.path, body(null))
    const events: TryEvent[] = []
    if (response.body) for await (const event of readTryEvents(response.body)) events.push(TryEvent.parse(event))
    const spoken = events.flatMap((event) => (event.type === 'delta' ? [event.text] : [])).join('')
    expect(spoken).toBe('Раз два')
    expect(events.at(-1)).toMatchObject({ type: 'done', text: 'Раз два', charged: expect.any(Number) })
  })

  test('that fails costs nothing and says why', async () => {
    chat.provider.play(refuses(400))
    const anna = await chat.person()
    await expect(tried(anna, body(null))).rejects.toMatchObject({ status: 502 })
    const response = await anna.stream(assistantsApi.tryOut.path, body(null))
    expect(await response.text()).toContain('event: error')
    expect(await chat.app.db.$count(ledger, eq(ledger.userId, anna.user.id))).toBe(1)
  })

  test('rejects another user’s assistant, a wrong model, and a missing question', async () => {
    const { id } = await withAssistant({}, null)
    const boris = await chat.person()
    await expect(tried(boris, body(id))).rejects.toMatchObject({ status: 404 })
    await expect(tried(boris, body(null, { modelId: 'fast' }))).rejects.toMatchObject({ status: 400 })
    const answer = [{ role: 'assistant' as const, content: 'Да' }]
    await expect(tried(boris, body(null, { messages: answer }))).rejects.toMatchObject({ status: 400 })
  })
})
