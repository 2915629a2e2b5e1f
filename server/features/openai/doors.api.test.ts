import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { programApi } from '#contract/api.ts'
import { programErrors } from '#contract/openai.ts'
import { holds, programAnswers } from '#server/db/schema.ts'
import { chunk, hangs, refuses, says, streams } from '#server/llm/testing/fake-openai.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { reconcile } from '../billing/invariants.ts'
import { balanceOf } from '../billing/ledger.ts'
import { sweepHolds } from '../billing/sweeper.ts'
import { startPrograms } from './testing/programs.ts'

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

test('a body of more than 25 MB is refused (S10.968)', async () => {
  const { secret } = await makeKey()
  const huge = await ask(secret, '/chat/completions', question({ user: 'я'.repeat(13 * 1024 * 1024) }))
  expect([huge.status, await errorOf(huge)]).toMatchObject([413, { type: 'invalid_request_error' }])
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
