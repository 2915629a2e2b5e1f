import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { programApi } from '#contract/api.ts'
import { programErrors } from '#contract/openai.ts'
import { holds, programAnswers } from '#server/db/schema.ts'
import { readLimits } from '#server/http/limit-settings.ts'
import { chunk, hangs, refuses, says, streams } from '#server/llm/testing/fake-openai.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { reconcile } from '../billing/invariants.ts'
import { balanceOf } from '../billing/ledger.ts'
import { sweepHolds } from '../billing/sweeper.ts'
import { startPrograms, vectors } from './testing/programs.ts'

const programs = await closeAfterTests(startPrograms())
const { db, provider, ask, makeKey } = programs
afterEach(async () => expect(await reconcile(db)).toEqual([]))

const question = (more: object = {}) => ({ model: 'fast', messages: [{ role: 'user', content: 'Привет' }], ...more })
const spent = async (userId: string) => 100_000 - (await balanceOf(db, userId)).availableTokens
const errorOf = async (response: Response) => ((await response.json()) as { error: object }).error

describe('a repeat with Idempotency-Key (S10.974)', () => {
  const again = { headers: { 'idempotency-key': 'order-1' } }

  test('gets the first answer and costs nothing, whole and streamed', async () => {
    const { secret, userId } = await makeKey()
    for (const [n, stream] of [false, true].entries()) {
      const headers = { 'idempotency-key': `order-${n}` }
      provider.play(says('Раз'), says('Два'))
      const first = await ask(secret, '/chat/completions', question({ stream }), { headers })
      const text = await first.text()
      expect(text).toContain('Раз')
      const second = await ask(secret, '/chat/completions', question({ stream }), { headers })
      expect([await second.text(), second.headers.get('idempotent-replayed')]).toEqual([text, 'true'])
      expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'))
      expect(await spent(userId)).toBe(12 * (n + 1))
    }
    const rows = await db.select().from(programAnswers).where(eq(programAnswers.userId, userId))
    expect(rows).toHaveLength(2)
    for (const { body } of rows) expect(body?.toString('latin1')).not.toContain('choices')
  })

  test('is a new call after a failure, another request an error', async () => {
    const { secret, userId } = await makeKey()
    provider.play(refuses(400))
    expect((await ask(secret, '/chat/completions', question(), again)).status).toBe(400)
    provider.play(says('Да'))
    expect((await ask(secret, '/chat/completions', question(), again)).status).toBe(200)
    const other = await ask(secret, '/chat/completions', question({ seed: 1 }), again)
    expect([other.status, await errorOf(other)]).toMatchObject([400, { code: 'idempotency_key_reused' }])
    const stranger = await makeKey()
    const own = await ask(stranger.secret, '/chat/completions', question(), again)
    expect([own.status, own.headers.get('idempotent-replayed')]).toEqual([200, null])
    expect([await spent(userId), await spent(stranger.userId)]).toEqual([10, 10])
  })

  test('waits for the first, which goes on when its client leaves', async () => {
    const { secret, userId } = await makeKey()
    let finish = () => {}
    provider.play((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(chunk('Нача'))
      finish = () => response.end(chunk('ло', 'stop'))
    })
    const left = new AbortController()
    const headers = { 'idempotency-key': 'order-2' }
    const first = await ask(secret, '/chat/completions', question({ stream: true }), { headers, signal: left.signal })
    await first.body?.getReader().read()
    left.abort()
    const early = await ask(secret, '/chat/completions', question({ stream: true }), { headers })
    expect([early.status, early.headers.get('retry-after')]).toEqual([409, '2'])
    finish()
    await vi.waitFor(async () => expect(await spent(userId)).toBe(18))
    await vi.waitFor(async () => {
      const repeat = await ask(secret, '/chat/completions', question({ stream: true }), { headers })
      expect(await repeat.text()).toContain('"content":"ло"')
    })
    await db.update(programAnswers).set({ instance: 'dead', body: null }).where(eq(programAnswers.userId, userId))
    provider.play(says('Заново'))
    const taken = await ask(secret, '/chat/completions', question({ stream: true }), { headers })
    expect(await taken.text()).toContain('Заново')
  })
})

test('texts for vectors are masked alike, and only after the hold (S10.1229)', async () => {
  const input = ['Звоните +7 916 123-45-67', 'Снова +7 916 123-45-67', 'Другой: +7 916 765-43-21']
  const poor = await makeKey({ maskPersonal: true, capDay: 1 })
  const before = provider.received.length
  expect((await ask(poor.secret, '/embeddings', { model: 'vectors', input })).status).toBe(402)
  expect(provider.received).toHaveLength(before)
  const { secret } = await makeKey({ maskPersonal: true })
  provider.play(vectors([1], [2], [3]))
  expect((await ask(secret, '/embeddings', { model: 'vectors', input })).status).toBe(200)
  expect(provider.received.at(-1)).toMatchObject({
    input: ['Звоните [телефон 1]', 'Снова [телефон 1]', 'Другой: [телефон 2]'],
  })
})

test('stored answers of a person have a limit, also when stored together (S10.1230)', async () => {
  const limits = readLimits('program-answers-megabytes=1').settings
  const small = await startPrograms({ database: programs.app.database, settings: { limits } })
  const { secret, userId } = await makeKey()
  const answer = vectors(Array.from({ length: 40_000 }, (_, n) => n / 7))
  small.provider.play(...Array(6).fill(answer))
  const call = (name: string) =>
    small.ask(secret, '/embeddings', { model: 'vectors', input: 'а' }, { headers: { 'idempotency-key': name } })
  const first = await Promise.all(['1', '2', '3', '4'].map(call))
  expect(first.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const rows = await db.select().from(programAnswers).where(eq(programAnswers.userId, userId))
  expect(rows.map(({ body }) => body !== null)).toEqual([true])
  const again = await Promise.all(['1', '2', '3', '4'].map(call))
  expect(again.filter(({ headers }) => headers.has('idempotent-replayed'))).toHaveLength(1)
  await small.close()
})

test('a body of more than 25 MB is refused (S10.968)', async () => {
  const { secret } = await makeKey()
  const huge = await ask(secret, '/chat/completions', question({ user: 'я'.repeat(13 * 1024 * 1024) }))
  expect([huge.status, await errorOf(huge)]).toMatchObject([413, { type: 'invalid_request_error' }])
})

test.each([
  ['a model', '/chat/completions', question({ model: 'a\0b' })],
  ['a message', '/chat/completions', question({ messages: [{ role: 'user', content: 'да\0' }] })],
  [
    'a schema',
    '/responses',
    { model: 'fast', input: 'да', tools: [{ type: 'function', name: 'f', parameters: { 'a\0': 1 } }] },
  ],
  ['a text of vectors', '/embeddings', { model: 'vectors', input: ['a\0'] }],
  ['an address', '/models/%00', undefined],
  ['a part of an address', '/models/a%00b', undefined],
  ['a query', '/models?x=%00', undefined],
])('U+0000 in %s is 400 (S10.1018)', async (_, path, body) => {
  const { secret } = await makeKey()
  const errors = vi.spyOn(programs.app.log, 'error')
  const response = await ask(secret, path, body)
  expect([response.status, await errorOf(response)]).toMatchObject([400, { type: 'invalid_request_error' }])
  expect(errors).not.toHaveBeenCalled()
  errors.mockRestore()
})

test('U+0000 in a form is 400, its escape in words is text (S10.1018)', async () => {
  const { secret } = await makeKey()
  const form = new FormData()
  form.set('file', new Blob(['x']), 'a.wav')
  form.set('model', 'a\0b')
  const authorization = `Bearer ${secret}`
  const init = { method: 'POST', body: form, headers: { authorization } }
  expect((await fetch(`${programs.baseURL}/audio/transcriptions`, init)).status).toBe(400)
  provider.play(says('Да'))
  const code = question({ messages: [{ role: 'user', content: 'что такое \\u0000?' }] })
  expect((await ask(secret, '/chat/completions', code)).status).toBe(200)
})

test('the hold of a dead process is released free of charge (S10.964, S10.900)', async () => {
  const { secret, userId } = await makeKey()
  provider.play(hangs(chunk('Начало')))
  const response = await ask(secret, '/chat/completions', question({ stream: true }))
  const reader = response.body?.getReader()
  await reader?.read()
  await db.update(holds).set({ instance: 'dead' }).where(eq(holds.userId, userId))
  await sweepHolds({ db, onChanged: () => {}, onError: (error) => expect(error).toBeNull() })
  expect(await balanceOf(db, userId)).toMatchObject({ held: 0, availableTokens: 100_000 })
  await reader?.cancel()
  await vi.waitFor(async () => expect((await balanceOf(db, userId)).held).toBe(0))
  expect(await spent(userId)).toBe(0)
})

test('a stopping server lets calls end, then ends them free of charge (S10.975)', async () => {
  const other = await startPrograms({ database: programs.app.database })
  const { secret, userId } = await makeKey()
  let finish = () => {}
  other.provider.play(
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(chunk('Да'))
      finish = () => response.end(chunk('!', 'stop'))
    },
    hangs(chunk('Нет')),
  )
  const [whole, cut] = [
    await other.ask(secret, '/chat/completions', question({ stream: true })),
    await other.ask(secret, '/chat/completions', question({ stream: true })),
  ]
  const closing = other.app.features.close(300)
  const late = await other.ask(secret, '/chat/completions', question())
  expect([late.status, late.headers.get('retry-after')]).toEqual([503, '1'])
  finish()
  expect(await whole.text()).toContain('[DONE]')
  expect(await cut.text()).toMatch(/"error":\{.*перезапускается/)
  await closing
  expect(await spent(userId)).toBe(12)
  expect((await balanceOf(db, userId)).held).toBe(0)
  await other.close()
})

test('logs have neither keys nor texts (S10.965)', async () => {
  const { secret } = await makeKey()
  const errors = vi.spyOn(programs.app.log, 'error')
  provider.play(streams('data: {"choices": [{"delta": {"content": "секрет"\n\n'))
  await ask(secret, '/chat/completions', question({ messages: [{ role: 'user', content: 'тайна' }] }))
  expect(JSON.stringify(errors.mock.calls)).not.toMatch(/секрет|тайна|sym-/)
})

const paths = Object.values(programApi).flatMap((calls) => Object.values(calls))

test.each(paths.map((call) => [`${call.method} ${call.path}`, call] as const))(
  '%s needs a key (S10.963)',
  async (_, call) => {
    const path = call.path.slice('/v1'.length).replace(':id', 'fast')
    const refused = await ask(null, path, call.method === 'POST' ? {} : undefined)
    expect([refused.status, await errorOf(refused)]).toMatchObject([401, { code: 'invalid_api_key' }])
  },
)

test('the API page names the calls and the errors of programs (S10.963)', async () => {
  const visitor = programs.app.visitor()
  const { paths: described } = (await (await visitor.fetch('/api/openapi.json')).json()) as { paths: object }
  const page = await (await visitor.fetch('/api/docs')).text()
  for (const { path } of paths) expect(described).toHaveProperty([path.replace(':id', '{id}')])
  for (const code of Object.keys(programErrors)) expect(page).toContain(code)
})

test('an address that ends with a slash is the same address (S10.1048)', async () => {
  const { secret } = await makeKey()
  provider.play(says('Да'))
  expect((await ask(secret, '/models/')).status).toBe(200)
  expect((await ask(secret, '/chat/completions/', question())).status).toBe(200)
})

test('a packed body is 415, and words have no probabilities (S10.1048)', async () => {
  const { secret } = await makeKey()
  const headers = { 'content-encoding': 'gzip' }
  const packed = await ask(secret, '/chat/completions', question(), { headers })
  expect([packed.status, await errorOf(packed)]).toMatchObject([415, { code: 'unsupported_media_type' }])
  const counted = await ask(secret, '/responses', { model: 'fast', input: 'Да', top_logprobs: 3 })
  expect([counted.status, await errorOf(counted)]).toMatchObject([400, { param: 'top_logprobs' }])
})

test('thoughts that a program sends back are counted where they are sent (S10.1044)', async () => {
  const { secret, userId } = await makeKey()
  const messages = [...question().messages, { role: 'assistant', content: 'Да', reasoning_content: 'я'.repeat(100) }]
  provider.play(says('Да'))
  await ask(secret, '/chat/completions', question({ messages }))
  expect(await spent(userId)).toBe(6 + 2 + 100 + 4)
  await ask(secret, '/chat/completions', question({ messages, model: 'claude' }))
  expect(JSON.stringify(programs.anthropic.received.at(-1)?.body)).not.toContain('яяя')
  expect(await spent(userId)).toBeLessThan(2 * (6 + 2 + 100))
})

test('a key with masking hides thoughts too (S10.1044)', async () => {
  const { secret } = await makeKey({ maskPersonal: true })
  const thought = 'Его телефон +7 916 123-45-67'
  const messages = [...question().messages, { role: 'assistant', content: 'Да', reasoning_content: thought }]
  provider.play(says('Да'))
  expect((await ask(secret, '/chat/completions', question({ messages }))).status).toBe(200)
  const sent = JSON.stringify(provider.received.at(-1)?.messages)
  expect([sent.includes('[телефон 1]'), sent.includes('123-45-67')]).toEqual([true, false])
})
