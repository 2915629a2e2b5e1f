import { asc, eq } from 'drizzle-orm'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { billingApi } from '#contract/billing.ts'
import { holds, ledger } from '#server/db/schema.ts'
import {
  breaksOff,
  chunk,
  hangs,
  refuses,
  says,
  streams,
  thoughtChunk,
  usageOf,
} from '#server/llm/testing/fake-openai.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { reconcile } from '../billing/invariants.ts'
import { balanceOf } from '../billing/ledger.ts'
import { startPrograms } from './testing/programs.ts'

const programs = await closeAfterTests(startPrograms())
const { db, provider, ask, makeKey, baseURL } = programs
afterEach(async () => expect(await reconcile(db)).toEqual([]))

const hello = [{ role: 'user', content: 'Привет' }]
const question = (more: object = {}) => ({ model: 'fast', messages: hello, ...more })
const entriesOf = (userId: string) => db.select().from(ledger).where(eq(ledger.userId, userId)).orderBy(asc(ledger.id))
const settled = (userId: string) => vi.waitFor(async () => expect((await balanceOf(db, userId)).held).toBe(0))
const json = async (response: Response) => (await response.json()) as Record<string, never>

test('models are those the key may use, with prices (S10.960)', async () => {
  const { secret } = await makeKey({ models: ['fast', 'brush'] })
  const list = await json(await ask(secret, '/models'))
  expect(list).toMatchObject({
    object: 'list',
    data: [
      { id: 'brush', kind: 'image', symbols: { image: 500 } },
      { id: 'fast', object: 'model', owned_by: 'symbol', symbols: { input: 1, output: 2 } },
    ],
  })
  expect(await json(await ask(secret, '/models/fast'))).toMatchObject({ id: 'fast', created: expect.any(Number) })
  expect((await ask(secret, '/models/secret')).status).toBe(404)
  const refused = await ask(secret, '/models/claude')
  expect([refused.status, await json(refused)]).toMatchObject([403, { error: { code: 'model_not_allowed' } }])
})

test('an answer is charged like in a chat and names its key (S10.961, S10.965)', async () => {
  const { secret, userId, key } = await makeKey()
  provider.play(says('Здрав', 'ствуйте'))
  const response = await ask(secret, '/chat/completions', question({ metadata: { a: 1 }, user: 'u', unknown: [] }))
  expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  expect(await json(response)).toMatchObject({
    object: 'chat.completion',
    model: 'fast',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Здравствуйте' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9, symbols: { charged: 30, left: 99_970 } },
  })
  expect((await entriesOf(userId)).at(-1)).toMatchObject({
    ...{ kind: 'answer', symbols: -30, modelId: 'fast', apiKeyId: key.id, input: 6, output: 12 },
    ...{ threadId: null, messageId: null, note: null },
  })
})

test('a stream ends with its usage and DONE (S10.961)', async () => {
  const { secret } = await makeKey()
  provider.play(
    streams(
      thoughtChunk('Думаю'),
      chunk('Да'),
      chunk('!', 'stop'),
      usageOf({ prompt_tokens: 5, completion_tokens: 3 }),
    ),
  )
  const body = question({ model: 'thinker', stream: true, stream_options: { include_usage: true } })
  const text = await (await ask(secret, '/chat/completions', body)).text()
  const lines = text.split('\n\n').filter(Boolean)
  expect(lines.at(-1)).toBe('data: [DONE]')
  const chunks = lines.slice(0, -1).map((line) => JSON.parse(line.slice(6)))
  const deltas = chunks.map(({ choices }) => choices[0]?.delta ?? {})
  expect(deltas[0]).toEqual({ role: 'assistant', content: '' })
  expect(deltas[1]).toEqual({ reasoning_content: 'Думаю' })
  expect(deltas.map(({ content = '' }) => content).join('')).toBe('Да!')
  expect(chunks.at(-2)).toMatchObject({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: null })
  expect(chunks.at(-1)).toMatchObject({
    choices: [],
    usage: { total_tokens: 8, symbols: { charged: 17, left: 99_983 } },
  })
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
})

test('stop words, lengths and sampling reach the model (S10.962)', async () => {
  const { secret } = await makeKey()
  provider.play(says('Раз, два, ', 'стоп', '-слово, три'))
  const sent = { stop: ['стоп-слово'], max_tokens: 50, temperature: 0.2, top_p: 0.9, seed: 7, reasoning_effort: 'high' }
  const answer = await json(await ask(secret, '/chat/completions', question(sent)))
  expect(answer).toMatchObject({ choices: [{ message: { content: 'Раз, два, ' }, finish_reason: 'stop' }] })
  expect(provider.received.at(-1)).toMatchObject({
    ...{ stop: ['стоп-слово'], max_completion_tokens: 50, temperature: 0.2, top_p: 0.9, seed: 7 },
  })
  expect(provider.received.at(-1)).not.toHaveProperty('reasoning_effort')
  provider.play(says('Да'))
  await ask(secret, '/chat/completions', question({ ...sent, model: 'thinker', max_completion_tokens: 60 }))
  expect(provider.received.at(-1)).toMatchObject({ reasoning_effort: 'high', max_completion_tokens: 60 })
})

describe('errors have the form of OpenAI (S10.963)', () => {
  const wrong = 'data:text/html;base64,AAAA'
  test.each([
    [{ messages: [] }, 'messages'],
    [{ messages: [{ role: 'robot', content: '' }] }, 'messages[0].role'],
    [{ model: undefined }, 'model'],
    [{ n: 2 }, 'n'],
    [{ temperature: 7 }, 'temperature'],
    [{ logprobs: true }, 'logprobs'],
    [{ audio: { voice: 'alloy' } }, 'audio'],
    [{ tools: [{ type: 'web_search' }] }, 'tools[0].type'],
    [
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: wrong } }] }] },
      'messages[0].content[0].image_url',
    ],
    [
      { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] },
      'messages[0].content[0].type',
    ],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].tool_call_id'],
  ])('%j names %s', async (body, param) => {
    const { secret } = await makeKey()
    const response = await ask(secret, '/chat/completions', question(body))
    expect([response.status, await json(response)]).toMatchObject([
      400,
      { error: { type: 'invalid_request_error', param } },
    ])
  })

  test('keys, models, lengths and addresses', async () => {
    const { secret } = await makeKey({ addresses: [] })
    const statusOf = async (response: Response) => [response.status, (await json(response)).error]
    const off = await makeKey({ addresses: ['203.0.113.0/24'] })
    const none = { type: 'invalid_request_error', code: 'invalid_api_key' }
    expect(await statusOf(await ask(null, '/models'))).toMatchObject([401, none])
    expect(await statusOf(await ask('sk-wrong', '/chat/completions', question()))).toMatchObject([401, none])
    expect(await statusOf(await ask(off.secret, '/models'))).toMatchObject([401, { code: 'ip_not_authorized' }])
    const unknown = await ask(secret, '/chat/completions', question({ model: 'gpt-0' }))
    expect(await statusOf(unknown)).toMatchObject([404, { code: 'model_not_found', param: 'model' }])
    const image = await ask(secret, '/chat/completions', question({ model: 'brush' }))
    expect(await statusOf(image)).toMatchObject([400, { param: 'model' }])
    const long = question({ model: 'short', messages: [{ role: 'user', content: 'я'.repeat(2000) }] })
    expect(await statusOf(await ask(secret, '/chat/completions', long))).toMatchObject([
      400,
      { code: 'context_length_exceeded' },
    ])
    expect(await statusOf(await ask(secret, '/no-such'))).toMatchObject([404, { code: 'unknown_url' }])
    const broken = await ask(secret, '/chat/completions', undefined, {
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'application/json' },
    })
    expect(await statusOf(broken)).toMatchObject([400, {}])
  })

  test('a failing model costs nothing', async () => {
    const { secret, userId } = await makeKey()
    const cases = [
      [refuses(429, {}, { 'retry-after': '30' }), 503, 'model_busy'],
      [refuses(500), 502, 'model_failed'],
      [refuses(401), 502, 'model_unavailable'],
      [breaksOff(chunk('Полов')), 502, 'model_failed'],
      [refuses(400, { error: { message: 'maximum context length is 8' } }), 400, 'context_length_exceeded'],
    ] as const
    for (const [script, status, code] of cases) {
      provider.play(script)
      const response = await ask(secret, '/chat/completions', question())
      expect([response.status, (await json(response)).error]).toMatchObject([status, { code }])
      if (status === 503) expect(response.headers.get('retry-after')).toBe('30')
    }
    provider.play(breaksOff(chunk('Полов')))
    const text = await (await ask(secret, '/chat/completions', question({ stream: true }))).text()
    expect(text).toContain('"error":{"message"')
    expect(text).not.toContain('[DONE]')
    expect(await balanceOf(db, userId)).toMatchObject({ availableTokens: 100_000, held: 0 })
  })
})

describe('money (S10.964)', () => {
  test('an empty balance and caps of keys are 402 and not repeated', async () => {
    const anna = await programs.app.signIn()
    const { secret } = await makeKey({ capDay: 20 }, anna)
    provider.play(says('я'.repeat(40)))
    const answer = await json(await ask(secret, '/chat/completions', question()))
    expect(answer).toMatchObject({
      choices: [{ message: { content: 'я'.repeat(7) }, finish_reason: 'length' }],
      usage: { symbols: { charged: 20, stopped: 'balance' } },
    })
    const capped = await ask(secret, '/chat/completions', question())
    expect(capped.headers.get('x-should-retry')).toBe('false')
    expect([capped.status, await json(capped)]).toMatchObject([
      402,
      { error: { type: 'insufficient_quota', code: 'insufficient_quota', message: expect.stringContaining('ключа') } },
    ])
    await anna.call(billingApi.setDailyCap, { body: { dailyCap: 21 } })
    const other = await makeKey({}, anna)
    const poor = await ask(other.secret, '/chat/completions', question({ stream: true }))
    expect([poor.status, await json(poor)]).toMatchObject([402, { error: { code: 'insufficient_quota' } }])
  })

  test('a client that leaves pays for what was sent', async () => {
    const { secret, userId } = await makeKey()
    provider.play(hangs(chunk('я'.repeat(100))))
    const left = new AbortController()
    const response = await ask(secret, '/chat/completions', question({ stream: true }), { signal: left.signal })
    const reader = response.body?.getReader()
    await reader?.read()
    left.abort()
    await settled(userId)
    expect((await entriesOf(userId)).at(-1)).toMatchObject({ symbols: -206, input: 6, output: 100 })
  })

  test('leaving before the first word is free three times a day', async () => {
    const { secret, userId } = await makeKey()
    for (let n = 1; n <= 4; n += 1) {
      provider.play(hangs())
      const before = provider.received.length
      const left = new AbortController()
      const response = ask(secret, '/chat/completions', question(), { signal: left.signal }).catch(() => null)
      await vi.waitFor(() => expect(provider.received.length).toBeGreaterThan(before))
      left.abort()
      await response
      await settled(userId)
    }
    expect((await balanceOf(db, userId)).availableTokens).toBe(100_000 - 6)
  })

  test('thought without text is paid for when the length ends it', async () => {
    const { secret } = await makeKey()
    provider.play(streams(thoughtChunk('мысль'), chunk(null, 'length')))
    const answer = await json(await ask(secret, '/chat/completions', question({ model: 'thinker', max_tokens: 3 })))
    expect(answer).toMatchObject({
      choices: [{ message: { content: '', reasoning_content: 'мысль' }, finish_reason: 'length' }],
      usage: { symbols: { charged: 11 } },
    })
  })

  test('a hold names its instance, so a crash leaves none', async () => {
    const { secret, userId } = await makeKey()
    provider.play(hangs(chunk('Да')))
    const left = new AbortController()
    await ask(secret, '/chat/completions', question({ stream: true }), { signal: left.signal })
    const [held] = await db.select().from(holds).where(eq(holds.userId, userId))
    expect(held).toMatchObject({ state: 'active', instance: programs.app.instance.id, kind: 'answer' })
    left.abort()
    await settled(userId)
  })
})

test('a key masks personal data, also in calls of functions (S10.967)', async () => {
  const { secret } = await makeKey({ maskPersonal: true })
  const call = { index: 0, id: 'c1', type: 'function', function: { name: 'dial', arguments: '{"to":"[телефон 1]"}' } }
  provider.play(
    streams(
      `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [call] }, finish_reason: 'tool_calls' }] })}\n\n`,
    ),
  )
  const messages = [{ role: 'user', content: 'Позвони +7 916 123-45-67' }]
  const tools = [{ type: 'function', function: { name: 'dial' } }]
  const answer = await json(await ask(secret, '/chat/completions', question({ messages, tools })))
  expect(JSON.stringify(provider.received.at(-1)?.messages)).not.toContain('916')
  expect(answer).toMatchObject({
    choices: [
      { message: { tool_calls: [{ id: 'c1', function: { name: 'dial', arguments: '{"to":"+7 916 123-45-67"}' } }] } },
    ],
  })
})

test('any origin may call without cookies, and a preflight is answered (S10.968)', async () => {
  const { secret, owner } = await makeKey()
  const preflight = await fetch(`${baseURL}/chat/completions`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, x-stainless-os',
    },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization, x-stainless-os')
  expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
  provider.play(says('Да'))
  const from = { headers: { origin: 'https://app.example' } }
  const answer = await ask(secret, '/chat/completions', question(), from)
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  const streamed = await ask(secret, '/chat/completions', question({ stream: true }), from)
  expect(streamed.headers.get('access-control-allow-origin')).toBe('*')
  await streamed.text()
  const refused = await ask(null, '/models', undefined, from)
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, '*'])
  expect((await owner.fetch('/v1/models')).status).toBe(401)
})
