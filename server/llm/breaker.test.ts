import { beforeEach, expect, test } from 'vitest'
import { type Breakers, createBreakers } from './breaker.ts'
import { kindOf, LlmError, type LlmErrorKind } from './errors.ts'

let now: number
let breakers: Breakers
let reached: string[]
beforeEach(() => {
  now = 0
  reached = []
  breakers = createBreakers(() => now)
})

const idle = new AbortController().signal

type Behaviour = LlmErrorKind | 'fine' | Promise<unknown>
async function call(userId: string, behaviour: Behaviour, { model = 'm', signal = idle } = {}): Promise<string> {
  const ask = async (request: { model: string; userId: string }) => {
    reached.push(request.userId)
    if (typeof behaviour !== 'string') await behaviour
    else if (behaviour !== 'fine') throw new LlmError(behaviour)
    return 'fine'
  }
  return breakers
    .guard('p', ask)({ model, userId }, signal)
    .catch((error: unknown) => (error instanceof LlmError ? `${error.kind} ${error.reason ?? ''}`.trim() : 'other'))
}
const RESTING = 'down resting'
async function open() {
  for (const userId of ['anna', 'anna', 'boris', 'dina']) await call(userId, 'down')
}

test('failures of a single person leave the model to everybody', async () => {
  for (let i = 0; i < 20; i += 1) expect(await call('anna', 'timeout')).toBe('timeout')
  expect(await call('boris', 'fine')).toBe('fine')
  expect(breakers.state()).toEqual([])
})

test('failures of three people within a minute rest only that model (S10.1231)', async () => {
  await open()
  expect(await call('vera', 'fine')).toBe(RESTING)
  expect(await call('vera', 'fine', { model: 'other' })).toBe('fine')
  expect(breakers.state()).toEqual([{ provider: 'p', model: 'm', until: new Date(30_000) }])
  expect(reached).toHaveLength(5)
})

test('two people close a model for nobody but themselves (S10.1231)', async () => {
  for (const userId of ['anna', 'anna', 'boris']) await call(userId, 'down')
  expect([await call('anna', 'fine'), await call('boris', 'fine')]).toEqual([RESTING, RESTING])
  expect(await call('vera', 'fine')).toBe('fine')
  expect(await call('anna', 'fine')).toBe('fine')
})

test('while the first other person asks, the others wait for it (S10.1231)', async () => {
  for (const userId of ['anna', 'anna', 'boris']) await call(userId, 'down')
  void call('vera', new Promise(() => {}))
  expect(await call('gleb', 'fine')).toBe(RESTING)
  breakers.noteText('p', 'm')
  expect(await call('gleb', 'fine')).toBe('fine')
})

test('what a request brings about itself does not count (S10.1232)', async () => {
  const server = new LlmError('down', { failure: { status: 500 } })
  const drawn = new LlmError('down', { reason: 'without-image' })
  const down = new LlmError('down', { failure: { code: 'ECONNREFUSED' } })
  const fail = (userId: string, error: LlmError, more: object) =>
    breakers
      .guard('p', async () => {
        throw error
      })({ model: 'm', userId, ...more }, idle)
      .catch(() => undefined)
  for (const userId of ['anna', 'boris', 'vera', 'gleb']) {
    await fail(userId, server, { sampling: { temperature: 2 } })
    await fail(userId, server, { tools: [] })
    await fail(userId, drawn, {})
  }
  expect(breakers.state()).toEqual([])
  for (const userId of ['anna', 'boris', 'vera', 'gleb']) await fail(userId, down, { tools: [] })
  expect(breakers.state()).toHaveLength(1)
})

test('a request beyond the limits of the account is too long (S10.1232)', () => {
  const text = 'Request too large for m on tokens per min (TPM): Limit 30000, Requested 53000.'
  expect([kindOf(429, text), kindOf(429, 'Rate limit reached')]).toEqual(['too_long', 'busy'])
})

test('a trial that its own content ended proves nothing (S10.1232)', async () => {
  await open()
  now = 30_000
  const own = new LlmError('down', { reason: 'too-large' })
  expect(await call('vera', Promise.reject(own))).toBe('down too-large')
  expect(await call('anna', 'fine')).toBe('fine')
})

test('a call to a resting model fails with the time to retry', async () => {
  await open()
  now = 10_000
  const refused = breakers.guard('p', async () => 'fine')({ model: 'm' }, idle)
  await expect(refused).rejects.toMatchObject({ retryAfterMs: 20_000, message: expect.stringContaining('через 20 с') })
})

test('failures far apart or around a success do not add up', async () => {
  for (const userId of ['anna', 'boris', 'vera', 'gleb']) {
    await call(userId, 'down')
    now += 31_000
  }
  expect(await call('anna', 'fine')).toBe('fine')
  await call('anna', 'down')
  await call('boris', 'down')
  await call('vera', 'fine')
  await call('anna', 'down')
  expect(await call('vera', 'fine')).toBe('fine')
})

test.each(['key', 'credit', 'filter', 'too_long', 'refused'] as const)(
  '«%s» does not count as a failure',
  async (kind) => {
    for (const userId of ['anna', 'boris', 'vera', 'gleb']) await call(userId, kind)
    expect(await call('anna', 'fine')).toBe('fine')
  },
)

test('after the rest a single call tries the model, others wait', async () => {
  await open()
  now = 30_000
  let answer: (value?: unknown) => void = () => {}
  const trial = call('vera', new Promise((done) => (answer = done)))
  expect(await call('anna', 'fine')).toBe(RESTING)
  answer()
  expect(await trial).toBe('fine')
  expect(await call('anna', 'fine')).toBe('fine')
})

test('a failed trial begins another rest, a cancelled trial does not', async () => {
  await open()
  now = 30_000
  expect(await call('vera', 'down')).toBe('down')
  expect(await call('anna', 'fine')).toBe(RESTING)
  now = 60_000
  expect(await call('vera', Promise.reject(new Error('stopped')), { signal: AbortSignal.abort() })).toBe('other')
  expect(await call('anna', 'fine')).toBe('fine')
})

test('a trial that has begun to answer opens the model to everybody', async () => {
  await open()
  now = 30_000
  void call('vera', new Promise(() => {}))
  expect(await call('anna', 'fine')).toBe(RESTING)
  breakers.noteText('p', 'm')
  expect(await call('anna', 'fine')).toBe('fine')
})

test('calls already running when the rest began do not prolong it', async () => {
  let fail: (error: unknown) => void = () => {}
  const late = call('gleb', new Promise((_, reject) => (fail = reject)))
  await open()
  now = 20_000
  fail(new LlmError('down'))
  await late
  now = 30_000
  expect(await call('anna', 'fine')).toBe('fine')
})
