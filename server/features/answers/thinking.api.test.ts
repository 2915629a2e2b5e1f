import { desc, eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendMessage } from '#contract/answers.ts'
import { price } from '#contract/billing.ts'
import { ledger, messages, modelCalls, thoughtChunks } from '#server/db/schema.ts'
import {
  breaksOff,
  chunk,
  DONE,
  hangs,
  type Script,
  streams,
  thoughtChunk,
  usageOf,
} from '#server/llm/testing/fake-openai.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { propertyRuns } from '#server/testing/property-runs.ts'
import '#server/testing/property-seed.ts'
import { reconcile } from '../billing/invariants.ts'
import { balanceOf } from '../billing/ledger.ts'
import { startChat, type Talker } from './testing/chat.ts'

const chat = await closeAfterTests(startChat({ startSymbols: 2_000_000 }))
const rates = { inputRate: 1, outputRate: 2, thoughtRate: 0.5 }
const QUESTION = 'Скажи'

beforeAll(async () => {
  await chat.addModel({ id: 'paid', thinks: true, ...rates })
  await chat.addModel({ id: 'inside', thinks: true, inputRate: 1, outputRate: 2 })
  await chat.addModel({ id: 'plain', ...rates })
  await chat.addModel({
    id: 'cached',
    ...rates,
    cachedRate: 0.25,
    costInput: 100,
    costOutput: 200,
    costCached: 10,
    costCurrency: 'USD',
  })
  await chat.addModel({ id: 'short', thinks: true, ...rates, maxOutputSymbols: 300 })
})
afterAll(async () => expect(await reconcile(chat.app.db)).toEqual([]))

async function threadOf(anna: Talker, modelId: string) {
  const thread = await anna.newThread(modelId)
  // A title set by the user keeps the title model out of the scripts.
  await anna.fetch(`/api/threads/${thread}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Проверка' }),
  })
  return thread
}

async function ask(script: Script, modelId = 'paid', message: Partial<SendMessage> = {}) {
  chat.provider.play(script)
  const anna = await chat.person()
  const thread = await threadOf(anna, modelId)
  const reading = await anna.send(thread, { content: QUESTION, ...message })
  const end = await reading.end()
  return { anna, thread, reading, end, ...(await stored(anna, thread)) }
}

async function stored(anna: Talker, thread: string) {
  const answer = (await anna.read(thread)).Messages.at(-1)
  const entries = await chat.app.db.select().from(ledger).where(eq(ledger.threadId, thread))
  return { answer, entries }
}

const lastCall = async () => (await chat.app.db.select().from(modelCalls).orderBy(desc(modelCalls.id)).limit(1))[0]

const usage = (details: object) => usageOf({ prompt_tokens: 30, completion_tokens: 60, ...details })
const hidden = (tokens: number) => usage({ completion_tokens_details: { reasoning_tokens: tokens } })

describe('a thought is shown apart and paid for', () => {
  test('a shown thought has its own event, rate and ledger line', async () => {
    const { reading, answer, entries, end } = await ask(
      streams(thoughtChunk('Надо подумать. '), thoughtChunk('Подумала.'), chunk('Да', 'stop'), hidden(8), DONE),
    )
    expect(reading.thought()).toBe('Надо подумать. Подумала.')
    expect(reading.text()).toBe('Да')
    const charged = price(QUESTION.length, 2, rates, { thought: 24 })
    expect(end).toMatchObject({ type: 'done', charged })
    expect(answer).toMatchObject({ content: 'Да', charged, thought: { text: 'Надо подумать. Подумала.', symbols: 24 } })
    expect(entries).toMatchObject([{ symbols: -charged, output: 2, thought: 24, thoughtRate: 0.5 }])
    const [row] = await chat.app.db
      .select()
      .from(messages)
      .where(eq(messages.id, answer?.id ?? ''))
    expect(await lastCall()).toMatchObject({ thoughtTokens: 8, outputTokens: 60 })
    expect(row?.thoughtMs).toBeGreaterThanOrEqual(0)
  })

  test('a hidden thought is counted from the usage, three symbols a token', async () => {
    const { answer, entries } = await ask(streams(chunk('Да', 'stop'), hidden(40), DONE))
    const charged = price(QUESTION.length, 2, rates, { thought: 120 })
    expect(answer).toMatchObject({ charged, thought: { text: '', symbols: 120 } })
    expect(entries).toMatchObject([{ symbols: -charged, thought: 120 }])
  })

  test('a thought inside the price is shown and costs nothing', async () => {
    const { answer, entries } = await ask(
      streams(thoughtChunk('Подумала.'), chunk('Да', 'stop'), hidden(8), DONE),
      'inside',
    )
    const charged = QUESTION.length + 2 * 2
    expect(answer).toMatchObject({ charged, thought: { text: 'Подумала.', symbols: 9 } })
    expect(entries).toMatchObject([{ symbols: -charged }])
  })

  test('cached input has its own rate and its own cost', async () => {
    const cached = { prompt_tokens_details: { cached_tokens: 1 } }
    const { answer, entries } = await ask(streams(chunk('Да', 'stop'), usage(cached), DONE), 'cached')
    const charged = price(QUESTION.length, 2, { ...rates, cachedRate: 0.25 }, { cached: 3 })
    expect(charged).toBe(Math.ceil(2 + 3 * 0.25 + 4))
    expect(answer).toMatchObject({ charged })
    expect(entries).toMatchObject([{ symbols: -charged, cached: 3, cachedRate: 0.25 }])
    expect(await lastCall()).toMatchObject({ cachedTokens: 1, cost: (29 * 100 + 10 + 60 * 200) / 1_000_000 })
  })
})

describe('the depth of thinking', () => {
  const last = () => chat.provider.received.at(-1) as unknown as { max_completion_tokens?: number }
  const answered = streams(chunk('Да', 'stop'), DONE)

  test('gives the model more room for thoughts beside the answer', async () => {
    const limits: (number | undefined)[] = []
    for (const thinking of ['none', 'usual', 'more', 'most'] as const) {
      await ask(answered, 'short', { thinking })
      limits.push(last().max_completion_tokens)
    }
    expect(limits).toEqual([300, 8300, 16_300, 32_300])
  })

  test('is ignored for a model without that choice', async () => {
    await ask(answered, 'plain', { thinking: 'most' })
    expect(last().max_completion_tokens).toBeUndefined()
  })
})

describe('an end in thought', () => {
  const long = 'мысль '.repeat(50)

  test('a limit reached in thought is shown, and the thought is charged', async () => {
    const { anna, thread, end, answer, entries } = await ask(
      streams(thoughtChunk(long), chunk(null, 'length'), hidden(100), DONE),
      'short',
    )
    expect(end).toMatchObject({ type: 'error', code: 'thought_limit' })
    const charged = price(QUESTION.length, 0, rates, { thought: long.length })
    expect(answer).toMatchObject({ status: 'failed', charged, content: '', thought: { text: long } })
    expect(entries).toMatchObject([{ symbols: -charged, output: 0, thought: long.length }])
    chat.provider.play(streams(chunk('Да', 'stop'), DONE))
    await (await anna.regenerate(thread, answer?.id ?? '', { thinking: 'most' })).message()
    expect(chat.provider.received.at(-1)).toMatchObject({ max_completion_tokens: 300 + 64_000 })
    await (await anna.regenerate(thread, answer?.id ?? '', { thinking: 'none' })).message()
    expect(chat.provider.received.at(-1)).toMatchObject({ max_completion_tokens: 300 })
  })

  test('the limit in a hidden thought charges what the provider counted', async () => {
    const { end, answer } = await ask(streams(chunk(null, 'length'), hidden(60), DONE), 'short')
    expect(end).toMatchObject({ code: 'thought_limit' })
    expect(answer).toMatchObject({ charged: price(QUESTION.length, 0, rates, { thought: 180 }) })
  })

  test('an empty answer that did not reach a limit stays free', async () => {
    const { end, answer, entries } = await ask(streams(thoughtChunk(long), chunk(null, 'stop'), DONE))
    expect(end).toMatchObject({ type: 'error', code: 'model_failed' })
    expect(answer).toMatchObject({ charged: 0, thought: { text: long, symbols: 0 } })
    expect(entries).toEqual([])
  })

  test('a connection that breaks in thought is free, even with a fallback', async () => {
    await chat.addModel({ id: 'backed', thinks: true, ...rates, fallbackId: 'fast' })
    const { end, answer, entries } = await ask(breaksOff(thoughtChunk(long)), 'backed')
    expect(end).toMatchObject({ type: 'error', code: 'model_failed' })
    expect(answer).toMatchObject({ charged: 0, modelId: 'backed', thought: { text: long } })
    expect(entries).toEqual([])
  })

  test.each([
    ['paid', price(QUESTION.length, 0, rates, { thought: long.length }), null],
    ['inside', 0, { charged: 0, free: 1 }],
  ])('a stop in thought of the model «%s» charges %i', async (modelId, charged, earlyStop) => {
    chat.provider.play(hangs(thoughtChunk(long)))
    const anna = await chat.person()
    const thread = await threadOf(anna, modelId)
    const reading = await anna.send(thread, { content: QUESTION })
    await reading.until(() => reading.thought() === long)
    const stopped = await anna.stop(thread, reading.started()?.assistant.id ?? '')
    expect(stopped).toMatchObject({ status: 'stopped', charged, earlyStop, thought: { text: long } })
    expect(await reading.end()).toMatchObject({ type: 'done', charged })
  })

  test('symbols that run out in thought end the answer exactly', async () => {
    const anna = await chat.person()
    const thread = await threadOf(anna, 'paid')
    const before = await balanceOf(chat.app.db, anna.user.id)
    await anna.fetch('/api/profile/daily-cap', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ dailyCap: 105 }),
    })
    chat.provider.play(streams(thoughtChunk(long), chunk('Да', 'stop'), DONE))
    const reading = await anna.send(thread, { content: QUESTION })
    expect(await reading.end()).toMatchObject({ type: 'done', charged: 105, message: { status: 'out_of_symbols' } })
    expect(reading.thought()).toBe(long.slice(0, 200))
    const after = await balanceOf(chat.app.db, anna.user.id)
    expect(before.availableTokens - after.availableTokens).toBe(105)
    expect(after.held).toBe(0)
  })

  test('a hidden thought above the cap is charged as far as possible', async () => {
    const anna = await chat.person()
    const thread = await threadOf(anna, 'paid')
    await anna.fetch('/api/profile/daily-cap', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ dailyCap: 105 }),
    })
    chat.provider.play(streams(chunk('Да', 'stop'), hidden(5000), DONE))
    await (await anna.send(thread, { content: QUESTION })).end()
    const { answer, entries } = await stored(anna, thread)
    expect(answer).toMatchObject({ charged: 105, thought: { symbols: 192 } })
    expect(entries).toMatchObject([{ symbols: -105, thought: 192 }])
  })
})

describe('a thought survives', () => {
  test('a lost connection: the reader gets what is missing, once', async () => {
    const parts = Array.from({ length: 12 }, (_, i) => `мысль ${i}. `)
    chat.provider.play(async (response) => {
      response.writeHead(200)
      for (const part of parts) {
        response.write(thoughtChunk(part))
        await new Promise((resolve) => setTimeout(resolve, 30))
      }
      response.end(chunk('Да', 'stop') + DONE)
    })
    const anna = await chat.person()
    const thread = await threadOf(anna, 'paid')
    const first = await anna.send(thread, { content: QUESTION })
    await first.until(() => first.thought().length > 20)
    first.cut()
    const have = first.thought().length
    const second = await anna.attach(thread, first.started()?.assistant.id ?? '', 0, have)
    await second.end()
    const received = second.events.flatMap((event) => (event.type === 'thought' ? [event.text] : [])).join('')
    expect(first.thought() + received).toBe(parts.join(''))
    expect(second.started()).toBeUndefined()
  })

  test('a reload in the middle: the thread has the thought so far', async () => {
    chat.provider.play(hangs(thoughtChunk('Пока думаю')))
    const anna = await chat.person()
    const thread = await threadOf(anna, 'paid')
    const reading = await anna.send(thread, { content: QUESTION })
    await expect
      .poll(async () => (await anna.read(thread)).Messages.at(-1)?.thought?.text, { timeout: 10_000 })
      .toBe('Пока думаю')
    const id = reading.started()?.assistant.id ?? ''
    await anna.stop(thread, id)
    expect(await chat.app.db.$count(thoughtChunks, eq(thoughtChunks.messageId, id))).toBe(0)
  })

  test('a continued answer, and is not sent back to the model', async () => {
    const { anna, thread, answer } = await ask(streams(thoughtChunk('Первая мысль. '), chunk('Начало', 'length'), DONE))
    chat.provider.play(streams(thoughtChunk('Вторая.'), chunk(' и конец', 'stop'), DONE))
    const message = await (await anna.continue(thread, answer?.id ?? '')).message()
    expect(message).toMatchObject({
      content: 'Начало и конец',
      thought: { text: 'Первая мысль. Вторая.', symbols: 21 },
    })
    expect(JSON.stringify(chat.provider.received.at(-1)?.messages)).not.toContain('мысль')
    const entries = await chat.app.db.select().from(ledger).where(eq(ledger.threadId, thread))
    expect(entries.map(({ thought }) => thought)).toEqual([14, 7])
  })
})

test('any mixture of thought and text costs what the rules say', async () => {
  const anna = await chat.person()
  const rate = fc.constantFrom(0, 0.1, 0.5, 1, 3)
  const part = fc.record({ as: fc.constantFrom('thought', 'text'), symbols: fc.integer({ min: 1, max: 1500 }) })
  const plan = fc.record({
    model: fc.record({ inputRate: rate, outputRate: rate, thoughtRate: rate }),
    chunks: fc.array(part, { maxLength: 6 }),
    hiddenTokens: fc.integer({ min: 0, max: 600 }),
    end: fc.constantFrom('stop', 'length', 'breaks'),
    cap: fc.constantFrom(null, 900),
  })
  let number = 0
  await fc.assert(
    fc.asyncProperty(plan, async ({ model, chunks, hiddenTokens, end, cap }) => {
      number += 1
      await chat.addModel({ id: `any-${number}`, thinks: true, ...model })
      const parts = chunks.map(({ as, symbols }) =>
        as === 'text' ? chunk('я'.repeat(symbols)) : thoughtChunk('м'.repeat(symbols)),
      )
      const last = usageOf({
        prompt_tokens: 1,
        completion_tokens: hiddenTokens,
        completion_tokens_details: { reasoning_tokens: hiddenTokens },
      })
      chat.provider.play(end === 'breaks' ? breaksOff(...parts) : streams(...parts, chunk(null, end), last, DONE))
      const { spentToday } = await balanceOf(chat.app.db, anna.user.id)
      await anna.fetch('/api/profile/daily-cap', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ dailyCap: cap === null ? null : spentToday + cap }),
      })
      const thread = await threadOf(anna, `any-${number}`)
      await (await anna.send(thread, { content: QUESTION })).end()
      const { answer, entries } = await stored(anna, thread)
      const shown = chunks.filter(({ as }) => as === 'thought').reduce((sum, { symbols }) => sum + symbols, 0)
      const output = chunks.filter(({ as }) => as === 'text').reduce((sum, { symbols }) => sum + symbols, 0)
      const isHidden = shown === 0 && hiddenTokens > 0
      const thought = end === 'breaks' ? shown : isHidden ? 3 * hiddenTokens : shown
      const isPaid = end !== 'breaks' && (output > 0 || (end === 'length' && thought > 0))
      const full = isPaid ? price(QUESTION.length, output, model, { thought }) : 0
      const charged = answer?.charged ?? 0
      expect(entries.reduce((sum, { symbols }) => sum - symbols, 0)).toBe(charged)
      const all = price(QUESTION.length, output, model, { thought })
      if (cap === null || all <= cap) expect(charged).toBe(full)
      else expect(charged).toBeLessThanOrEqual(cap)
      // Every symbol is explained: the entry's own numbers give its price.
      for (const entry of entries) {
        const { input, output: written, thought: counted } = entry
        expect(-entry.symbols).toBe(price(input ?? 0, written ?? 0, model, { thought: counted ?? 0 }))
      }
      expect((await balanceOf(chat.app.db, anna.user.id)).held).toBe(0)
    }),
    { numRuns: propertyRuns(30) },
  )
})
