import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { billingApi, price } from '#contract/billing.ts'
import { summariesApi } from '#contract/summaries.ts'
import { threadsApi } from '#contract/threads.ts'
import { transactionsApi } from '#contract/transactions.ts'
import { usersApi } from '#contract/users.ts'
import { ledger, messages, threadSummaries, threads } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { breaksOff, chunk, refuses, says, saysSlowly } from '#server/llm/testing/fake-openai.ts'
import { aMessage } from '#server/testing/builders.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { startChat, type Talker } from '../answers/testing/chat.ts'
import { reconcile } from '../billing/invariants.ts'
import { balanceOf } from '../billing/ledger.ts'
import { summarySymbols } from './stored.ts'

const chat = await closeAfterTests(startChat({ startSymbols: 1_000_000 }))
await chat.addModel({ id: 'dear', inputRate: 0.5, outputRate: 3 })
await chat.addModel({ id: 'small', contextSymbols: 40_000, maxOutputSymbols: 2000 })
afterAll(async () => {
  expect(await reconcile(chat.app.db)).toEqual([])
})

let anna: Talker
beforeEach(async () => {
  anna = await chat.person()
})

const SUMMARY = 'Говорили о ёлках: решено купить две.'
const db = () => chat.app.db

async function longThread(count = 10, size = 2000, modelId = 'fast') {
  const id = await anna.newThread(modelId)
  let parentId: string | null = null
  const ids: string[] = []
  for (let i = 0; i < count * 2; i++) {
    const role = i % 2 ? ('assistant' as const) : ('user' as const)
    const message = await aMessage(
      db(),
      { id, userId: anna.user.id },
      { parentId, role, content: `${i} `.padEnd(size, 'я'), createdAt: new Date(Date.now() - 1e6 + i * 1000) },
    )
    parentId = message.id
    ids.push(message.id)
  }
  await db().update(threads).set({ currentLeafId: parentId }).where(eq(threads.id, id))
  return { id, ids }
}

const make = (id: string, body: { id?: string; instead?: string; most?: number } = {}) =>
  anna.call(summariesApi.make, { params: { id }, body })
const entries = async (kind = 'summary') =>
  (await db().select().from(ledger).where(eq(ledger.userId, anna.user.id))).filter((entry) => entry.kind === kind)
const spent = async () => 1_000_000 - (await balanceOf(db(), anna.user.id)).availableTokens
const lastMessages = () => chat.provider.received.at(-1)?.messages as { role: string; content: string }[]

async function ask(id: string, content = 'Дальше?') {
  chat.provider.play(says('Ответ'))
  return (await anna.send(id, { content })).message()
}

describe('making a summary', () => {
  test('reads the history, costs its model’s price and is an operation (S10.352)', async () => {
    const { id, ids } = await longThread(10, 2000, 'dear')
    chat.provider.play(says(SUMMARY))
    const { summary, charged, SingleSubscription } = await make(id)
    expect(summary).toMatchObject({ text: SUMMARY, coversUntil: ids[17], messages: 18, covered: 36_000, edited: false })
    expect(charged).toBe(price(36_000, SUMMARY.length, { inputRate: 0.5, outputRate: 3 }))
    expect(summary).toMatchObject({ charged, stale: false, modelId: 'dear', symbols: summarySymbols(SUMMARY) })
    expect(SingleSubscription).toMatchObject({ availableTokens: 1_000_000 - charged, held: 0 })
    expect(lastMessages()[1]?.content).toContain('Человек: 0 яяя')
    expect(lastMessages()[1]?.content).not.toContain('Человек: 18 ')
    expect(await entries()).toMatchObject([{ symbols: -charged, threadId: id, input: 36_000, output: SUMMARY.length }])
    const [operation] = await anna.call(transactionsApi.list, { query: { kind: 'summary' } })
    expect(operation?.symbols).toBe(-charged)
    expect((await anna.read(id)).Summaries).toMatchObject([{ id: summary.id, text: SUMMARY }])
  })

  test('replaces what it covers, so questions stay cheap (S10.350)', async () => {
    const { id } = await longThread(10, 2000)
    const before = await ask(id)
    expect(before.parts).toMatchObject({ historyMessages: 20, history: 40_000 })
    expect(before.parts).not.toHaveProperty('summary')
    chat.provider.play(says(SUMMARY))
    await make(id)
    const after = await ask(id)
    const symbols = summarySymbols(SUMMARY)
    expect(after.parts).toMatchObject({ summary: symbols, historyMessages: 4, cutMessages: 0 })
    expect(after.input).toBe(symbols + 7 + (after.parts?.history ?? 0))
    expect(after.input).toBeLessThan(6000)
    expect(after.charged).toBe(after.input + 5)
    const [first, ...rest] = lastMessages()
    expect(first?.content).toMatch(new RegExp(`^Краткое содержание начала этого чата.*\\n\\n${SUMMARY}\\n\\n18 я`))
    expect(rest).toHaveLength(4)
    const stored = (await anna.read(id)).Messages.at(-1)
    expect(stored?.parts?.summary).toBe(symbols)
  })

  test('the next summary reads the previous summary and what followed (S10.350)', async () => {
    const { id } = await longThread(10, 2000)
    chat.provider.play(says(SUMMARY))
    const first = await make(id)
    for (let i = 0; i < 4; i++) {
      chat.provider.play(says('я'.repeat(3000)))
      await (await anna.send(id, { content: 'Ещё' })).message()
    }
    chat.provider.play(says('Вторая'))
    const second = await make(id)
    expect(lastMessages()[1]?.content).toContain(SUMMARY)
    expect(second.summary.messages).toBeGreaterThan(first.summary.messages)
    expect((await anna.read(id)).Summaries.map(({ text }) => text)).toEqual(['Вторая', SUMMARY])
    await ask(id)
    expect(lastMessages()[0]?.content).toContain('Вторая')
    expect(lastMessages()[0]?.content).not.toContain(SUMMARY)
  })

  test('a history larger than the model is read in parts (S10.352)', async () => {
    await anna.call(usersApi.update, { params: { id: anna.user.id }, body: { Settings: { threadHistoryLimit: 200 } } })
    const { id } = await longThread(40, 2000, 'small')
    chat.provider.play(says('Часть первая'), says('Части до второй'), says('Всё до конца'))
    const calls = chat.provider.received.length
    const { summary, charged } = await make(id)
    const parts = chat.provider.received.slice(calls)
    expect(parts.length).toBeGreaterThan(1)
    for (const { messages: sent } of parts) expect(JSON.stringify(sent).length).toBeLessThan(40_000)
    expect(summary.covered).toBe(156_000)
    expect(await entries()).toHaveLength(1)
    expect(charged).toBeGreaterThan(156_000)
    const answer = await ask(id)
    expect(answer.parts).toMatchObject({ cutMessages: 0, historyMessages: 2 })
  })

  test('a model that writes endlessly is stopped, and its text is kept', async () => {
    const { id } = await longThread()
    chat.provider.play(says(...Array.from({ length: 100 }, () => 'слово '.repeat(50))))
    const { summary, charged } = await make(id)
    expect(summary.text.length).toBeLessThanOrEqual(6000)
    expect(charged).toBeLessThanOrEqual(42_000)
  })

  test('a summary never costs more than its named price (S10.352)', async () => {
    const { id } = await longThread()
    await expect(make(id, { most: 41_999 })).rejects.toMatchObject({ status: 409 })
    chat.provider.play(says('слово '.repeat(2000)))
    expect((await make(id, { most: 42_000 })).charged).toBe(42_000)
  })

  test('a chat that is short, empty or without history is not summarised', async () => {
    const { id } = await longThread(2, 500)
    await expect(make(id)).rejects.toMatchObject({ status: 409 })
    await expect(make(await anna.newThread())).rejects.toMatchObject({ status: 409 })
    const long = await longThread()
    await anna.call(usersApi.update, { params: { id: anna.user.id }, body: { Settings: { threadHistory: false } } })
    await expect(make(long.id)).rejects.toMatchObject({ status: 409 })
    expect(await spent()).toBe(0)
  })
})

describe('money', () => {
  test.each([
    ['refuses', refuses(500)],
    ['says nothing', says('')],
    ['breaks off in the middle', breaksOff(chunk('Начало'))],
  ])('a model that %s costs nothing and leaves nothing (S10.352)', async (_name, script) => {
    const { id } = await longThread()
    chat.provider.play(script)
    await expect(make(id)).rejects.toMatchObject({ status: expect.toSatisfy((status) => status >= 500) })
    expect(await spent()).toBe(0)
    expect((await balanceOf(db(), anna.user.id)).held).toBe(0)
    expect((await anna.read(id)).Summaries).toEqual([])
    chat.provider.play(says(SUMMARY))
    expect((await make(id)).summary.text).toBe(SUMMARY)
  })

  test('the same request again has no effect', async () => {
    const { id } = await longThread()
    const key = newId()
    chat.provider.play(says(SUMMARY))
    const first = await make(id, { id: key })
    const again = await make(id, { id: key })
    expect(again).toMatchObject({ summary: { id: key, text: SUMMARY }, charged: 0 })
    expect(await entries()).toMatchObject([{ symbols: -first.charged }])
  })

  test('ten simultaneous windows make and pay for a single summary (S10.352)', async () => {
    const { id } = await longThread()
    chat.provider.play(saysSlowly(10, SUMMARY, ' Конец.'))
    const calls = chat.provider.received.length
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => make(id)))
    const charges = outcomes.flatMap((result) => (result.status === 'fulfilled' ? [result.value.charged] : []))
    for (const result of outcomes) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 409 })
    }
    expect(charges.filter((charged) => charged > 0)).toHaveLength(1)
    expect(chat.provider.received.length - calls).toBe(1)
    expect(await entries()).toHaveLength(1)
    expect((await anna.read(id)).Summaries).toHaveLength(1)
    expect((await make(id)).charged).toBe(0)
  })

  test('the daily limit and the balance stop a summary before it begins (S10.352)', async () => {
    const { id } = await longThread()
    const calls = chat.provider.received.length
    await anna.call(billingApi.setDailyCap, { body: { dailyCap: 36_500 } })
    await expect(make(id)).rejects.toMatchObject({ status: 402, message: expect.stringContaining('дневной предел') })
    await anna.call(billingApi.setDailyCap, { body: { dailyCap: 1000 } })
    await expect(make(id)).rejects.toMatchObject({ status: 402 })
    expect(chat.provider.received.length).toBe(calls)
    expect(await spent()).toBe(0)
    expect((await balanceOf(db(), anna.user.id)).held).toBe(0)
  })
})

describe('a summary', () => {
  async function summed(count = 10) {
    const thread = await longThread(count)
    chat.provider.play(says(SUMMARY))
    return { ...thread, ...(await make(thread.id)) }
  }

  test('can be edited for free, and the edited text is sent', async () => {
    const { id, summary } = await summed()
    const before = await spent()
    const params = { id, summaryId: summary.id }
    const edited = await anna.call(summariesApi.edit, { params, body: { text: '  Ёлки: три.  ' } })
    expect(edited).toMatchObject({ text: 'Ёлки: три.', edited: true, symbols: summarySymbols('Ёлки: три.') })
    expect(await spent()).toBe(before)
    await ask(id)
    expect(lastMessages()[0]?.content).toContain('Ёлки: три.')
    await expect(anna.call(summariesApi.edit, { params, body: { text: ' ' } })).rejects.toMatchObject({ status: 400 })
  })

  test('can be removed: the history is sent whole again', async () => {
    const { id, summary } = await summed()
    await anna.call(summariesApi.remove, { params: { id, summaryId: summary.id } })
    expect((await anna.read(id)).Summaries).toEqual([])
    expect((await ask(id)).parts).toMatchObject({ historyMessages: 20, history: 40_000 })
  })

  test('made anew replaces the old summary', async () => {
    const { id, summary } = await summed()
    chat.provider.play(says('Заново'))
    const again = await make(id, { instead: summary.id })
    expect(again.summary).toMatchObject({ text: 'Заново', messages: 18 })
    expect(lastMessages()[1]?.content).not.toContain(SUMMARY)
    expect((await anna.read(id)).Summaries).toMatchObject([{ text: 'Заново' }])
    expect(await entries()).toHaveLength(2)
  })

  test('is not used after a covered message changed, until it is saved (S10.355)', async () => {
    const { id, ids, summary } = await summed()
    await anna.call(threadsApi.editMessage, { params: { id, messageId: ids[19] ?? '' }, body: { content: 'Конец' } })
    expect((await anna.read(id)).Summaries).toMatchObject([{ stale: false }])
    await anna.call(threadsApi.editMessage, { params: { id, messageId: ids[3] ?? '' }, body: { content: 'Иначе' } })
    expect((await anna.read(id)).Summaries).toMatchObject([{ stale: true }])
    const whole = await ask(id)
    expect(whole.parts).toMatchObject({ historyMessages: 20 })
    expect(whole.parts).not.toHaveProperty('summary')
    await anna.call(summariesApi.edit, { params: { id, summaryId: summary.id }, body: { text: SUMMARY } })
    expect((await ask(id)).parts).toMatchObject({ summary: summarySymbols(SUMMARY) })
  })

  test('is not used after a covered answer was continued', async () => {
    const { id, ids } = await summed()
    chat.provider.play(says(' и ещё'))
    await (await anna.continue(id, ids[5] ?? '')).message()
    const rows = await db().select().from(threadSummaries).where(eq(threadSummaries.threadId, id))
    expect(rows).toMatchObject([{ stale: true }])
  })

  test('is deleted with any covered message, and the thread says so (S10.434)', async () => {
    const { id, ids } = await summed()
    const remove = (messageId = '') => anna.call(threadsApi.deleteMessage, { params: { id, messageId } })
    await remove(ids[16])
    const [gone] = (await anna.read(id)).Summaries
    expect(gone).toMatchObject({ text: '', stale: true, coversUntil: ids[15] })
    expect((await ask(id)).parts).toMatchObject({ historyMessages: 16 })
    expect(await (await anna.fetch(`/api/threads/${id}/export?format=json`)).text()).toContain('"Summaries": []')
    await remove(ids[14])
    expect((await anna.read(id)).Summaries).toMatchObject([{ id: gone?.id, text: '', coversUntil: ids[13] }])
    chat.provider.play(says('Снова о ёлках.'))
    await make(id, { instead: gone?.id ?? '' })
    expect((await anna.read(id)).Summaries).toMatchObject([{ text: 'Снова о ёлках.', stale: false }])
  })

  test('leaves nothing when the branch is deleted or the loss was seen', async () => {
    const first = await summed()
    await anna.call(threadsApi.deleteMessage, { params: { id: first.id, messageId: first.ids[0] ?? '' } })
    expect(await db().select().from(threadSummaries).where(eq(threadSummaries.threadId, first.id))).toEqual([])
    const { id, ids } = await summed()
    await anna.call(threadsApi.deleteMessage, { params: { id, messageId: ids[16] ?? '' } })
    const [gone] = (await anna.read(id)).Summaries
    await anna.call(summariesApi.remove, { params: { id, summaryId: gone?.id ?? '' } })
    expect((await anna.read(id)).Summaries).toEqual([])
  })

  test('belongs to its branch, not to other versions of a question (S10.350)', async () => {
    const { id, ids } = await summed()
    chat.provider.play(says('Иначе'))
    const other = await (await anna.send(id, { content: 'Другой вопрос', parentId: ids[3] ?? null })).message()
    expect(other.parts).toMatchObject({ historyMessages: 4 })
    expect(other.parts).not.toHaveProperty('summary')
    expect((await anna.read(id)).Summaries).toEqual([])
    await anna.call(threadsApi.update, { params: { id }, body: { currentLeafId: ids[19] ?? '' } })
    expect((await anna.read(id)).Summaries).toMatchObject([{ text: SUMMARY }])
    expect((await ask(id)).parts?.summary).toBe(summarySymbols(SUMMARY))
  })

  test('covers messages beyond the limit of the history too (S10.350)', async () => {
    const { id } = await summed()
    await anna.call(usersApi.update, { params: { id: anna.user.id }, body: { Settings: { threadHistoryLimit: 1 } } })
    expect((await ask(id)).parts).toMatchObject({ historyMessages: 1, summary: summarySymbols(SUMMARY) })
    await anna.call(usersApi.update, { params: { id: anna.user.id }, body: { Settings: { threadHistory: false } } })
    expect((await ask(id)).parts).not.toHaveProperty('summary')
  })

  test('is copied by a fork that has its last message, for free (S10.355)', async () => {
    const { id, ids } = await summed()
    const before = await spent()
    const fork = await anna.call(threadsApi.fork, { params: { id }, body: { messageId: ids[19] ?? '' } })
    const [copy] = (await anna.read(fork.id)).Summaries
    expect(copy).toMatchObject({ text: SUMMARY, messages: 18, charged: 0 })
    const [last] = await db()
      .select()
      .from(messages)
      .where(eq(messages.id, copy?.coversUntil ?? ''))
    expect(last?.threadId).toBe(fork.id)
    expect(await spent()).toBe(before)
    expect((await ask(fork.id)).parts?.summary).toBe(summarySymbols(SUMMARY))
    const early = await anna.call(threadsApi.fork, { params: { id }, body: { messageId: ids[5] ?? '' } })
    expect((await anna.read(early.id)).Summaries).toEqual([])
  })

  test('is in the thread’s JSON and the owner’s data, not in Markdown (S10.355)', async () => {
    const { id } = await summed()
    const file = async (path: string) => (await anna.fetch(path)).text()
    expect(JSON.parse(await file(`/api/threads/${id}/export?format=json`)).Summaries).toMatchObject([{ text: SUMMARY }])
    expect(await file(`/api/threads/${id}/export?format=md`)).not.toContain(SUMMARY)
    expect(await file(`/api/users/${anna.user.id}/export`)).toContain(SUMMARY)
  })

  test('of another user is not found and not changed (S10.354)', async () => {
    const { id, summary } = await summed()
    const boris = await chat.person()
    const params = { id, summaryId: summary.id }
    await expect(boris.call(summariesApi.make, { params: { id }, body: {} })).rejects.toMatchObject({ status: 404 })
    await expect(boris.call(summariesApi.edit, { params, body: { text: 'Моё' } })).rejects.toMatchObject({
      status: 404,
    })
    await expect(boris.call(summariesApi.remove, { params })).rejects.toMatchObject({ status: 404 })
    const own = await boris.newThread()
    const mixed = { id: own, summaryId: summary.id }
    await expect(boris.call(summariesApi.remove, { params: mixed })).rejects.toMatchObject({ status: 404 })
    expect((await anna.read(id)).Summaries).toMatchObject([{ text: SUMMARY }])
  })
})

describe('made without asking', () => {
  const want = (threadSummaries: 'offer' | 'auto' | 'never') =>
    anna.call(usersApi.update, { params: { id: anna.user.id }, body: { Settings: { threadSummaries } } })

  test('appears in the thread and among the operations (S10.351)', async () => {
    await want('auto')
    const { id } = await longThread(9)
    chat.provider.play(says('Ответ'), says(SUMMARY))
    await (await anna.send(id, { content: 'Дальше?' })).message()
    await expect.poll(async () => (await anna.read(id)).Summaries).toMatchObject([{ text: SUMMARY }])
    expect(await entries()).toHaveLength(1)
  })

  test('is left for the next time when the model writes nothing', async () => {
    await want('auto')
    const { id } = await longThread(9)
    chat.provider.play(says('Ответ'), says(''), says('Второй'), says(SUMMARY))
    await (await anna.send(id, { content: 'Раз?' })).message()
    await expect.poll(() => lastMessages()[0]?.content).toMatch(/^Ты сжимаешь/)
    await (await anna.send(id, { content: 'Два?' })).message()
    await expect.poll(async () => (await anna.read(id)).Summaries).toMatchObject([{ text: SUMMARY }])
  })
})

test('masked words stay hidden from the model and return in the summary', async () => {
  await anna.call(usersApi.update, { params: { id: anna.user.id }, body: { Settings: { maskPersonal: true } } })
  const { id, ids } = await longThread(10, 2000)
  const phone = '+7 999 123-45-67'
  const content = `Звоните ${phone}. `.padEnd(2000, 'я')
  await db().execute(sql`update messages set content = ${content} where id = ${ids[0]}`)
  chat.provider.play(says('Телефон: [телефон 1].'))
  expect((await make(id)).summary.text).toBe(`Телефон: ${phone}.`)
  expect(JSON.stringify(chat.provider.received.at(-1)?.messages)).not.toContain('123-45-67')
})
