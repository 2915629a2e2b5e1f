import { asc, eq } from 'drizzle-orm'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { apiKeysApi } from '#contract/api-keys.ts'
import { authAdminApi } from '#contract/auth-admin.ts'
import { FREE_STOPS } from '#contract/billing.ts'
import { makeWav } from '#server/audio/testing/make-sound.ts'
import { ledger, models } from '#server/db/schema.ts'
import {
  chunk,
  DONE,
  hangs,
  refuses,
  repeats,
  type Script,
  says,
  streams,
  thoughtChunk,
} from '#server/llm/testing/fake-openai.ts'
import { transcribesPlainly } from '#server/llm/testing/fake-transcriber.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { reconcile } from '../billing/invariants.ts'
import { balanceOf } from '../billing/ledger.ts'
import { startPrograms } from './testing/programs.ts'

/** Money follows what was delivered to a program. */

const programs = await closeAfterTests(startPrograms())
const { db, provider, ask, makeKey } = programs
afterEach(async () => expect(await reconcile(db)).toEqual([]))

const QUESTION = 'я'.repeat(50)
const STOP = 'ГОТОВО'
/** The question with the stop word. */
const INPUT = 50 + STOP.length
const question = (more: object = {}) => ({ model: 'fast', messages: [{ role: 'user', content: QUESTION }], ...more })
const spent = async (userId: string) => {
  const { availableTokens, held } = await balanceOf(db, userId)
  expect(held).toBe(0)
  return 100_000 - availableTokens
}
const settled = (userId: string) => vi.waitFor(async () => expect((await balanceOf(db, userId)).held).toBe(0))
const chat = (secret: string, body: object, init?: RequestInit) => ask(secret, '/chat/completions', body, init)
const json = async (response: Response) => (await response.json()) as Record<string, never>
const lastEntry = async (userId: string) =>
  (await db.select().from(ledger).where(eq(ledger.userId, userId)).orderBy(asc(ledger.id))).at(-1)

describe('what a stop word cuts is paid for (S10.1010)', () => {
  const ready: Script = streams(thoughtChunk('мысль'.repeat(20)), chunk('ГОТО'), chunk('ВО, вот ответ', 'stop'), DONE)

  test.each([true, false])('thought that was shown costs as ever, stream %s', async (stream) => {
    const { secret, userId } = await makeKey()
    provider.play(ready)
    const response = await chat(secret, question({ model: 'thinker', stop: [STOP], stream }))
    expect(await response.text()).toContain('мысль')
    expect(await spent(userId)).toBe(INPUT + 100)
    expect(await lastEntry(userId)).toMatchObject({ input: INPUT, output: 0, thought: 100 })
  })

  test('an answer cut to nothing is an early stop, whoever cuts it', async () => {
    const { secret, userId } = await makeKey()
    const cutByProvider = streams(chunk('', 'stop'), DONE)
    const cutByUs = streams(chunk('ГОТОВО и многое другое'), chunk(null, 'stop'), DONE)
    const scripts = [cutByProvider, cutByUs, cutByUs, cutByProvider, cutByUs]
    for (const [n, script] of scripts.entries()) {
      provider.play(script)
      const answer = await json(await chat(secret, question({ stop: STOP })))
      expect(answer).toMatchObject({ choices: [{ message: { content: '' }, finish_reason: 'stop' }] })
      expect(await spent(userId)).toBe(INPUT * Math.max(0, n + 1 - FREE_STOPS))
    }
    expect(scripts.length).toBeGreaterThan(FREE_STOPS + 1)
  })

  test('hidden thought before the cut is paid for', async () => {
    const { secret, userId } = await makeKey()
    const usage = {
      ...{ prompt_tokens: 5, completion_tokens: 40 },
      completion_tokens_details: { reasoning_tokens: 40 },
    }
    provider.play(streams(chunk('', 'stop'), `data: ${JSON.stringify({ choices: [], usage })}\n\n`, DONE))
    await chat(secret, question({ model: 'thinker', stop: [STOP] }))
    expect(await spent(userId)).toBe(INPUT + 120)
  })

  test('a model that gives nothing by itself costs nothing', async () => {
    const { secret, userId } = await makeKey()
    for (let n = 0; n < 5; n += 1) {
      provider.play(streams(chunk('', 'stop'), DONE))
      await chat(secret, question())
    }
    expect(await spent(userId)).toBe(0)
  })

  test('the beginning of a stop word is text when nothing follows', async () => {
    const { secret, userId } = await makeKey()
    await db.update(models).set({ maxOutputSymbols: 6 }).where(eq(models.id, 'fast'))
    provider.play(hangs(chunk('я ГОТОсть')))
    const answer = await json(await chat(secret, question({ stop: [STOP] })))
    await db.update(models).set({ maxOutputSymbols: null }).where(eq(models.id, 'fast'))
    expect(answer).toMatchObject({ choices: [{ message: { content: 'я ГОТО' }, finish_reason: 'length' }] })
    expect(await spent(userId)).toBe(INPUT + 12)
  })
})

describe('text before a filter is paid for (S10.1011)', () => {
  const filtered = `data: ${JSON.stringify({ error: { code: 400, message: 'content_filter' } })}\n\n`

  test.each([true, false])('an error of the filter ends the answer, stream %s', async (stream) => {
    const { secret, userId } = await makeKey()
    provider.play(streams(chunk('Начало'), filtered))
    const text = await (await chat(secret, question({ stream }))).text()
    expect(text).toContain('Начало')
    expect(text).toContain('"finish_reason":"content_filter"')
    expect(await spent(userId)).toBe(50 + 12)
  })

  test('before the first text it is an error and free', async () => {
    const { secret, userId } = await makeKey()
    provider.play(streams(filtered))
    const response = await chat(secret, question())
    expect([response.status, await json(response)]).toMatchObject([400, { error: { code: 'content_filter' } }])
    expect(await spent(userId)).toBe(0)
  })
})

test('symbols that end before the first character pay for the input (S10.1012)', async () => {
  const { secret, userId } = await makeKey({ capDay: 52 })
  provider.play(streams(chunk('😀 смешно'), chunk(null, 'stop'), DONE))
  expect(await json(await chat(secret, question()))).toMatchObject({
    choices: [{ message: { content: '' }, finish_reason: 'length' }],
    usage: { symbols: { charged: 50, stopped: 'balance' } },
  })
  expect(await spent(userId)).toBe(50)
})

test('a call of a function that is not delivered is not charged (S10.1012)', async () => {
  const { secret, userId } = await makeKey({ capDay: 19 })
  const call = { index: 0, id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}' } }
  const delta = { choices: [{ delta: { tool_calls: [call] } }] }
  provider.play(streams(`data: ${JSON.stringify(delta)}\n\n`, chunk(null, 'tool_calls'), DONE))
  const tools = [{ type: 'function', function: { name: 'w' } }]
  const answer = await json(await chat(secret, { ...question({ tools }), messages: [{ role: 'user', content: 'я' }] }))
  const input = 1 + JSON.stringify({ name: 'w' }).length
  expect(answer).toMatchObject({ choices: [{ message: { content: '' }, finish_reason: 'length' }] })
  expect(JSON.stringify(answer)).not.toContain('tool_calls":[')
  expect(await spent(userId)).toBe(input)
})

describe('a client that leaves a whole answer has got nothing (S10.1013)', () => {
  test('it is an early stop, however often the client repeats', async () => {
    const { secret, userId } = await makeKey()
    for (let n = 1; n <= FREE_STOPS + 2; n += 1) {
      provider.play(hangs(chunk('я'.repeat(400))))
      const before = provider.received.length
      const left = new AbortController()
      const response = chat(secret, question(), { signal: left.signal }).catch(() => null)
      await vi.waitFor(() => expect(provider.received.length).toBeGreaterThan(before))
      await new Promise((done) => setTimeout(done, 100))
      left.abort()
      await response
      await settled(userId)
      expect(await spent(userId)).toBe(50 * Math.max(0, n - FREE_STOPS))
    }
  })
})

describe('an ended key and a banned owner (S10.1014)', () => {
  const elsewhere = closeAfterTests(startPrograms({ database: programs.app.database }))
  /** A stream that has begun and would never end. */
  async function stream(model = 'fast') {
    const made = await makeKey()
    provider.play(repeats(chunk('слово '), 20))
    const response = await chat(made.secret, question({ model, stream: true }))
    return { ...made, text: response.text() }
  }
  const textOf = (events: string) =>
    events
      .split('\n\n')
      .flatMap((line) => (line.startsWith('data: {"id"') ? [JSON.parse(line.slice(6)).choices[0].delta.content] : []))
      .join('')

  test('a ban on another instance ends the stream, which is charged', async () => {
    const { userId, text } = await stream()
    const admin = await (await elsewhere).app.signIn('owner@example.test')
    await admin.call(authAdminApi.banUser, { body: { userId } })
    const events = await text
    expect(events).toContain('"code":"invalid_api_key"')
    expect(events).not.toContain('[DONE]')
    expect(await spent(userId)).toBe(50 + 2 * textOf(events).length)
  })

  test('an ended key does the same, also for whole answers and images', async () => {
    const { owner, key, secret, userId, text } = await stream()
    provider.play(repeats(chunk('слово '), 20))
    const whole = chat(secret, question())
    provider.play(hangs())
    const image = ask(secret, '/images/generations', { model: 'brush', prompt: 'кот' })
    await vi.waitFor(async () => expect((await balanceOf(db, userId)).held).toBeGreaterThan(4000))
    await owner.call(apiKeysApi.end, { params: { id: key.id } })
    const events = await text
    expect(events).toContain('"code":"invalid_api_key"')
    for (const response of await Promise.all([whole, image]))
      expect([response.status, await json(response)]).toMatchObject([401, { error: { code: 'invalid_api_key' } }])
    // The whole answer and the image are two of the free stops of the day.
    expect(await spent(userId)).toBe(50 + 2 * textOf(events).length)
  })

  test('what a banned owner holds does not grow', async () => {
    const { userId, text } = await stream()
    const before = (await balanceOf(db, userId)).held
    const admin = await programs.app.signIn('owner@example.test')
    await admin.call(authAdminApi.banUser, { body: { userId } })
    await vi.waitFor(async () => expect((await balanceOf(db, userId)).held).toBe(0))
    const entry = await lastEntry(userId)
    expect(-(entry?.symbols ?? 0)).toBeLessThanOrEqual(before)
    await text
  })
})

test('subtitles that a model has no times for are an early stop (S10.1013)', async () => {
  const { secret, userId } = await makeKey()
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(makeWav([{ seconds: 2, loud: 0.5 }]))]), 'note.wav')
  form.set('model', 'ear')
  form.set('response_format', 'srt')
  const init = { method: 'POST', body: form, headers: { authorization: `Bearer ${secret}` } }
  programs.transcriber.play(transcribesPlainly('Раз, два'))
  for (let n = 1; n <= FREE_STOPS + 1; n += 1) {
    const response = await fetch(`${programs.baseURL}/audio/transcriptions`, init)
    expect([response.status, await json(response)]).toMatchObject([400, { error: { param: 'response_format' } }])
    expect(await spent(userId)).toBe(n > FREE_STOPS ? 2 : 0)
  }
})

test('odd values of one program change nothing for another (S10.1017)', async () => {
  const [odd, usual] = [await makeKey(), await makeKey()]
  const message = "Invalid 'max_completion_tokens': integer above maximum value. Expected a value <= 128000."
  provider.play(refuses(400, { error: { message } }))
  const refused = await chat(odd.secret, question({ max_tokens: 1e9, seed: 9e15 }))
  expect([refused.status, await json(refused)]).toMatchObject([
    400,
    { error: { param: 'max_completion_tokens', message: expect.stringContaining(message) } },
  ])
  provider.play(refuses(400, { error: { message: 'Unsupported parameter: seed' } }), says('Да'))
  expect((await chat(odd.secret, question({ seed: 9e15 }))).status).toBe(200)
  provider.play(says('Да'))
  await chat(usual.secret, question({ max_tokens: 50, seed: 7 }))
  expect(provider.received.at(-1)).toMatchObject({ max_completion_tokens: 50, seed: 7 })
  expect(await spent(odd.userId)).toBe(50 + 4)
})

describe('what the provider says is for programs only (S10.1019)', () => {
  const message =
    "Invalid schema for function 'x': schema must have type object. See https://gw.corp.local/docs, sk-abc123def"

  test.each([true, false])('a program reads it beside our sentence, stream %s', async (stream) => {
    const { secret } = await makeKey()
    provider.play(refuses(400, { error: { message } }))
    const response = await chat(secret, question({ stream }))
    const { error } = await json(response)
    expect([response.status, error]).toMatchObject([400, { code: 'model_refused' }])
    const text = JSON.stringify(error)
    expect(text).toContain("Модель не приняла запрос. Ответ провайдера: «Invalid schema for function 'x'")
    expect(text).not.toMatch(/corp|sk-abc/)
  })

  test('errors of our key and of the provider stay ours', async () => {
    const { secret } = await makeKey()
    for (const status of [401, 402, 403, 404, 429, 500]) {
      provider.play(refuses(status, { error: { message } }))
      expect(JSON.stringify(await json(await chat(secret, question())))).not.toContain('schema')
    }
  })
})
