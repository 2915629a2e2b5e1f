import { asc, eq, inArray } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { apiKeysApi } from '#contract/api-keys.ts'
import { authAdminApi } from '#contract/auth-admin.ts'
import { FREE_STOPS, price } from '#contract/billing.ts'
import { balances, ledger, models } from '#server/db/schema.ts'
import { chunk, DONE, type Script, thoughtChunk } from '#server/llm/testing/fake-openai.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { propertyRuns } from '#server/testing/property-runs.ts'
import { dayOf } from '../billing/days.ts'
import { reconcile } from '../billing/invariants.ts'
import { balanceOf } from '../billing/ledger.ts'
import { startPrograms } from './testing/programs.ts'
import { COUNTED_INPUT, type Got, readAnswer } from './testing/read-answer.ts'

const programs = await closeAfterTests(startPrograms())
const { db, provider, ask, makeKey } = programs
const admin = await programs.app.signIn('owner@example.test')

/** Characters of two units and beginnings of the stop word, so that pieces, holds and cuts end anywhere. */
const words = fc.string({ unit: fc.constantFrom('а', 'б', '😀', ' '), maxLength: 25 })
const part = fc.record({ as: fc.constantFrom('thought', 'text', 'text', 'tool'), text: words })
const STOP = 'баб'

const anyCase = fc.record({
  api: fc.constantFrom('chat', 'responses'),
  stream: fc.boolean(),
  model: fc.constantFrom('fast', 'thinker'),
  question: words,
  hasTools: fc.boolean(),
  hasStop: fc.boolean(),
  /** What the cap of the key leaves for the answer. */
  cap: fc.option(fc.nat(60)),
  hasFreeStops: fc.boolean(),
  parts: fc.array(part, { maxLength: 4 }),
  hiddenTokens: fc.constantFrom(0, 0, 5),
  end: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('stop', 'length', 'content_filter') },
    { weight: 3, arbitrary: fc.constantFrom('error', 'timeout', 'filter', 'broken') },
    { weight: 4, arbitrary: fc.constant('leave') },
    { weight: 1, arbitrary: fc.constantFrom('revoke', 'ban') },
  ),
})
type Case = typeof anyCase extends fc.Arbitrary<infer T> ? T : never

const isCutShort = ({ end }: Case) => end === 'leave' || end === 'revoke' || end === 'ban'

/** A call that somebody cuts short goes on until then; a cap may cut the counted thought too. */
const request = anyCase.map((one): Case => {
  const hasStop = one.hasStop && one.api === 'chat' && !isCutShort(one)
  const cap = isCutShort(one) ? null : one.cap
  return { ...one, hasStop, cap, hiddenTokens: cap === null ? one.hiddenTokens : 0 }
})

const TOOL = { name: 'f', parameters: { type: 'object' } }
const line = (value: object) => `data: ${JSON.stringify(value)}\n\n`

/** The model as the case wants it. */
function scriptOf({ parts, end, hiddenTokens }: Case): Script {
  const sent = parts.map(({ as, text }, index) => {
    if (as === 'text') return chunk(text)
    if (as === 'thought') return thoughtChunk(text)
    const call = { index, id: `c${index}`, type: 'function', function: { name: 'f', arguments: text } }
    return line({ choices: [{ delta: { tool_calls: [call] } }] })
  })
  const usage = {
    prompt_tokens: COUNTED_INPUT,
    completion_tokens: 1,
    completion_tokens_details: { reasoning_tokens: hiddenTokens },
  }
  const errors: Record<string, object> = {
    error: { code: 500, message: 'no' },
    timeout: { code: 504, message: 'late' },
    filter: { code: 400, message: 'content_filter' },
  }
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const text of sent) response.write(text)
    const error = errors[end]
    if (error) response.end(line({ error }))
    else if (end === 'broken') response.end()
    else if (end === 'stop' || end === 'length' || end === 'content_filter')
      response.end(chunk(null, end) + line({ choices: [], usage }) + DONE)
  }
}

function bodyOf({ api, stream, model, question, hasTools, hasStop }: Case) {
  const common = { model, stream }
  if (api === 'responses')
    return { ...common, input: question, ...(hasTools && { tools: [{ type: 'function', ...TOOL }] }) }
  return {
    ...common,
    ...{ messages: [{ role: 'user', content: question }], stream_options: { include_usage: true } },
    ...(hasTools && { tools: [{ type: 'function', function: TOOL }] }),
    ...(hasStop && { stop: [STOP] }),
  }
}

/** Runs the case; returns what the client got. */
async function run(one: Case, secret: string, shutOut: () => Promise<unknown>): Promise<Got> {
  provider.play(scriptOf(one))
  const before = provider.received.length
  const left = new AbortController()
  const path = one.api === 'chat' ? '/chat/completions' : '/responses'
  const asking = ask(secret, path, bodyOf(one), { signal: left.signal })
  const given = one.parts.reduce((sum, { as, text }) => sum + text.length + (as === 'tool' ? 1 : 0), 0)
  const reading = readAnswer(asking)
  if (isCutShort(one)) {
    await vi.waitFor(() => expect(provider.received.length).toBeGreaterThan(before))
    await vi.waitFor(() => expect(reading.size()).toBe(one.stream ? given : 0), 5000)
    await new Promise((done) => setTimeout(done, 60))
    if (one.end === 'leave') left.abort()
    else await shutOut()
  }
  return reading.end
}

/** What the rules say, from what the client has seen. */
function expected(one: Case, got: Got, input: number): { charged: number; thought: number } {
  const { output, thought, reason, error, hasRunOut } = got
  const rates = { inputRate: 1, outputRate: 2, thoughtRate: one.model === 'thinker' ? 1 : 0 }
  const cost = (hidden = 0) => ({
    charged: price(input, output, rates, { thought: thought + hidden }),
    thought: thought + hidden,
  })
  const stop = { charged: one.hasFreeStops ? 0 : input, thought: 0 }
  const isShutOut = error === 'invalid_api_key' || error === 'left'
  if (isShutOut) return output > 0 || thought * rates.thoughtRate > 0 ? cost() : stop
  if (error !== null) return { charged: 0, thought: 0 }
  if (hasRunOut) return cost()
  const hidden = got.isCutByUs || thought > 0 ? 0 : one.hiddenTokens * 3
  const isCut = reason === 'length' || (one.hasStop && reason === 'stop')
  if (output > 0 || thought > 0 || (isCut && hidden > 0)) return cost(hidden)
  return isCut ? stop : { charged: 0, thought: 0 }
}

test('any call of a program costs what was delivered, whatever ends it (S10.1020)', async () => {
  const seen: string[] = []
  await fc.assert(
    fc.asyncProperty(request, async (one) => {
      // The breaker rests a model after failures of several people.
      await db
        .update(models)
        .set({ providerModel: `vendor/${seen.length}` })
        .where(inArray(models.id, ['fast', 'thinker']))
      const shape = one.hasTools ? JSON.stringify(TOOL).length : 0
      const input = one.question.length + shape + (one.hasStop ? STOP.length : 0)
      const { owner, key, secret, userId } = await makeKey(
        one.cap === null ? {} : { capDay: Math.max(1, input + one.cap) },
      )
      const used = { freeStops: FREE_STOPS, freeStopsDay: dayOf(new Date()) }
      if (!one.hasFreeStops) await db.update(balances).set(used).where(eq(balances.userId, userId))
      const shutOut = () =>
        one.end === 'ban'
          ? admin.call(authAdminApi.banUser, { body: { userId } })
          : owner.call(apiKeysApi.end, { params: { id: key.id } })
      const got = await run(one, secret, shutOut)
      await vi.waitFor(async () => expect((await balanceOf(db, userId)).held).toBe(0), 5000)
      const rule = expected(one, got, input)
      const { availableTokens } = await balanceOf(db, userId)
      expect(100_000 - availableTokens).toBe(rule.charged)
      const entries = await db.select().from(ledger).where(eq(ledger.userId, userId)).orderBy(asc(ledger.id))
      const charges = entries.filter(({ kind }) => kind === 'answer')
      expect(charges).toHaveLength(rule.charged > 0 ? 1 : 0)
      for (const { thought, ...entry } of charges)
        expect({ input: entry.input, output: entry.output, thought: thought ?? 0 }).toEqual({
          ...{ input, output: got.output, thought: rule.thought },
        })
      seen.push(`${got.error ?? got.reason} ${rule.charged > 0}`)
    }),
    { numRuns: propertyRuns(40) },
  )
  expect(await reconcile(db)).toEqual([])
  expect(new Set(seen).size).toBeGreaterThan(3)
}, 120_000)
