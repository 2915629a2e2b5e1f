import { desc, eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { ledger, modelCalls } from '#server/db/schema.ts'
import {
  breaksOff,
  chunk,
  DONE,
  hangs,
  refuses,
  type Script,
  says,
  saysSlowly,
  streams,
  usageChunk,
} from '#server/llm/testing/fake-openai.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { reconcile } from '../billing/invariants.ts'
import { startChat } from './testing/chat.ts'

const chat = await closeAfterTests(startChat({ startSymbols: 2_000_000 }))
afterAll(async () => expect(await reconcile(chat.app.db)).toEqual([]))

async function ask(script: Script[], modelId = 'fast') {
  chat.provider.play(...script)
  const anna = await chat.person()
  const thread = await anna.newThread(modelId)
  // A title set by the user keeps the title model out of the scripts.
  await anna.fetch(`/api/threads/${thread}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Проверка' }),
  })
  const reading = await anna.send(thread, { content: 'Скажи' })
  const end = await reading.end()
  const stored = (await anna.read(thread)).Messages.at(-1)
  const entries = await chat.app.db.select().from(ledger).where(eq(ledger.threadId, thread))
  return { anna, thread, reading, end, stored, entries }
}

describe('a provider that does well is charged for', () => {
  const good: [string, Script[], string][] = [
    ['plainly', [says('Да', ', ', 'так')], 'Да, так'],
    ['slowly', [saysSlowly(120, 'Да', ', ', 'так')], 'Да, так'],
    ['after one 429', [refuses(429), says('Да, так')], 'Да, так'],
    ['after one 500', [refuses(500), says('Да, так')], 'Да, так'],
    ['without [DONE]', [streams(chunk('Да, '), chunk('так', 'stop'))], 'Да, так'],
    ['without usage', [streams(chunk('Да, так'), chunk(null, 'stop'), DONE)], 'Да, так'],
    [
      'with odd choices',
      [streams('data: {"choices":null}\n\n', chunk('Да, так', 'stop'), 'data: {"choices":[]}\n\n', DONE)],
      'Да, так',
    ],
    [
      'between comments',
      [streams(': OPENROUTER PROCESSING\n\n', chunk('Да, '), ': ping\r\n\r\n', chunk('так', 'stop'), DONE)],
      'Да, так',
    ],
    ['with characters cut in half', [streams(...halves(chunk('Да, так — 😀'), chunk(null, 'stop')))], 'Да, так — 😀'],
    [
      'with an emoji in two pieces',
      [streams(chunk('Вот \ud83d'), chunk('\ude00!'), chunk(null, 'stop'), DONE)],
      'Вот 😀!',
    ],
    ['with a character that the database cannot store', [streams(chunk('Да\u0000, так', 'stop'), DONE)], 'Да, так'],
    [
      'at great length',
      [
        streams(
          ...Array.from({ length: 400 }, (_, i) => chunk(`${i} ${'слово '.repeat(100)}\n`)),
          chunk(null, 'stop'),
          DONE,
        ),
      ],
      Array.from({ length: 400 }, (_, i) => `${i} ${'слово '.repeat(100)}\n`).join(''),
    ],
  ]
  test.each(good)('%s', async (_, script, text) => {
    const { reading, end, stored, entries } = await ask(script)
    expect(end?.type).toBe('done')
    expect(reading.text()).toBe(text)
    expect(stored).toMatchObject({ content: text, status: 'complete', charged: 5 + text.length })
    expect(entries).toMatchObject([{ symbols: -(5 + text.length) }])
  })
})

/** The same bytes in chunks of three, which split characters. */
function halves(...parts: string[]): Uint8Array[] {
  const bytes = new TextEncoder().encode(parts.join(''))
  return Array.from({ length: Math.ceil(bytes.length / 3) }, (_, i) => bytes.slice(i * 3, i * 3 + 3))
}

describe('a provider that fails costs nothing, and says why (S10.20, S10.121, S10.1494)', () => {
  const errorInStream = 'data: {"error":{"code":502,"message":"upstream died"}}\n\n'
  const bad: [string, Script[], RegExp, string][] = [
    ['at once', [refuses(500), refuses(500)], /не отвечает/, ''],
    ['with a wrong key', [refuses(401)], /^Модель сейчас недоступна\. Выберите другую/, ''],
    ['without credit', [refuses(402)], /^Модель сейчас недоступна\. Выберите другую/, ''],
    ['busy twice', [refuses(429), refuses(429)], /перегружена/, ''],
    ['midway', [streams(chunk('Начало'), errorInStream)], /^Ответ оборвался/, 'Начало'],
    ['by a cut socket', [breaksOff(chunk('Начало'))], /^Ответ оборвался/, 'Начало'],
    [
      'with an error inside the stream before a word',
      [streams(errorInStream), streams(errorInStream)],
      /не отвечает/,
      '',
    ],
    ['with an empty answer', [streams(chunk('', 'stop'), DONE)], /ничего не ответила/, ''],
    ['with an empty stream', [streams(DONE), streams(DONE)], /не отвечает/, ''],
    ['by its content filter', [streams(chunk(null, 'content_filter'), DONE)], /по своим правилам/, ''],
    [
      'by a question too long for it',
      [refuses(400, { error: { code: 'context_length_exceeded', message: 'maximum context length' } })],
      /не помещается/,
      '',
    ],
    ['with nonsense', [streams('data: <html>\n\n'), streams('data: <html>\n\n')], /не отвечает/, ''],
  ]
  test.each(bad)('%s', async (_, script, sentence, content) => {
    const { anna, thread, end, stored, entries } = await ask(script)
    expect(end).toMatchObject({
      type: 'error',
      status: 502,
      code: 'model_failed',
      message: expect.stringMatching(sentence),
    })
    expect(stored).toMatchObject({ status: 'failed', content, charged: 0, error: { code: 'model_failed' } })
    expect(entries).toEqual([])
    // A later reader gets the same error, and the question can be repeated.
    expect(await (await anna.attach(thread, stored?.id ?? '')).end()).toEqual(end)
    chat.provider.play(says('Теперь да'))
    expect(await (await anna.regenerate(thread, stored?.id ?? '')).message()).toMatchObject({ content: 'Теперь да' })
  })
})

test('a provider that hangs can be stopped, and nothing is owed', async () => {
  chat.provider.play(hangs())
  const before = chat.provider.received.length
  const anna = await chat.person()
  const thread = await anna.newThread()
  const reading = await anna.send(thread, { content: 'Скажи' })
  await reading.until(() => reading.started() !== undefined)
  // Otherwise its request may arrive during the next test and use up a script there.
  await expect.poll(() => chat.provider.received.length).toBe(before + 1)
  expect(await anna.stop(thread, reading.started()?.user.id ?? '')).toMatchObject({ status: 'stopped', charged: 0 })
})

describe('a fallback model', () => {
  test('answers instead of a model that failed before its first word (S10.122)', async () => {
    await chat.addModel({ id: 'spare', inputRate: 1, outputRate: 4 })
    await chat.addModel({ id: 'main', inputRate: 2, outputRate: 3, fallbackId: 'spare' })
    const { stored, entries } = await ask([refuses(503), refuses(503), says('Выручил')], 'main')
    expect(chat.provider.received.slice(-3).map(({ model }) => model)).toEqual([
      'vendor/main',
      'vendor/main',
      'vendor/spare',
    ])
    expect(stored).toMatchObject({ content: 'Выручил', modelId: 'spare', charged: 5 * 1 + 7 * 3 })
    expect(entries).toMatchObject([{ modelId: 'spare', inputRate: 1, outputRate: 3 }])
  })

  test('does not answer a refused question or after the first word', async () => {
    const filter = refuses(400, { error: { code: 'content_policy_violation' } })
    expect((await ask([filter], 'main')).end).toMatchObject({
      type: 'error',
      message: expect.stringMatching(/правилам/),
    })
    expect((await ask([breaksOff(chunk('Нач'))], 'main')).stored).toMatchObject({ status: 'failed', modelId: 'main' })
  })
})

describe('the owner’s cost of an answer', () => {
  const lastCall = async () => (await chat.app.db.select().from(modelCalls).orderBy(desc(modelCalls.id)).limit(1))[0]

  test("is counted from the provider's own usage (S10.123)", async () => {
    await chat.addModel({ id: 'priced', costInput: 40_000, costOutput: 160_000, costCurrency: 'RUB' })
    await ask([streams(chunk('Да, так', 'stop'), usageChunk(1000, 500), DONE)], 'priced')
    expect(await lastCall()).toMatchObject({
      kind: 'answer',
      status: 'complete',
      isFirstAnswer: true,
      inputTokens: 1000,
      outputTokens: 500,
      tokensGuessed: false,
      cost: 40 + 80,
      costCurrency: 'RUB',
      firstTokenMs: expect.any(Number),
      totalMs: expect.any(Number),
    })
  })

  test('is estimated where the provider does not report it (S10.123)', async () => {
    await ask([streams(chunk('Да, так', 'stop'), DONE)], 'priced')
    expect(await lastCall()).toMatchObject({ inputTokens: 2, outputTokens: 3, tokensGuessed: true })
  })
})
