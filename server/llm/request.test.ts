import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LlmError } from './errors.ts'
import { createProviders, type Providers } from './providers.ts'
import { createByteBudget, retryAfterMs } from './request.ts'
import { draws, type FakeOpenAi, hangs, refuses, says, startFakeOpenAi } from './testing/fake-openai.ts'

let provider: FakeOpenAi
let providers: Providers
beforeAll(async () => {
  provider = await startFakeOpenAi()
  const timeouts = { firstTokenMs: 1000, silenceMs: 1000, thinkingMs: 1000 }
  providers = createProviders([{ name: 'fake', baseUrl: provider.baseUrl, apiKey: null }], { timeouts })
})
afterAll(() => provider.close())

let models = 0
/** Each question goes to its own model, so that the failures of one test do not open the circuit of another. */
async function ask(signal = new AbortController().signal) {
  const model = `model-${++models}`
  const startedAt = performance.now()
  let text = ''
  const error = await providers
    .llm('fake')({ model, messages: [{ role: 'user', content: 'Вопрос' }] }, signal, (chunk) => {
      text += chunk
    })
    .then(
      () => null,
      (failure: unknown) => failure as LlmError,
    )
  const requests = provider.received.filter((one) => one.model === model).length
  return { text, error, requests, ms: performance.now() - startedAt }
}
const busy = (retryAfter: string, status = 429) => refuses(status, {}, { 'retry-after': retryAfter })

describe('Retry-After', () => {
  test('is read as seconds and as a date; nonsense is ignored', () => {
    const now = Date.UTC(2026, 0, 1)
    const read = (value: string | undefined) => retryAfterMs(value === undefined ? {} : { 'retry-after': value }, now)
    expect(read('7')).toBe(7000)
    expect(read('0.5')).toBe(500)
    expect(read(new Date(now + 90_000).toUTCString())).toBe(90_000)
    expect(read(new Date(now - 90_000).toUTCString())).toBe(0)
    for (const value of [undefined, '', 'soon', '99999999']) expect(read(value)).toBeNull()
  })

  test.each([429, 503])('of a short time is waited for after %d, then retried', async (status) => {
    provider.play(busy('1', status), says('Готово'))
    const { text, error, requests, ms } = await ask()
    expect({ text, error, requests }).toEqual({ text: 'Готово', error: null, requests: 2 })
    expect(ms).toBeGreaterThan(990)
  })

  test('of a long time fails at once, naming the time', async () => {
    provider.play(busy('40'), says('Рано'))
    expect(await ask()).toMatchObject({
      requests: 1,
      error: { kind: 'busy', message: expect.stringContaining('через 40 с ') },
    })
    provider.play(busy('600', 503), says('Рано'))
    expect(await ask()).toMatchObject({
      requests: 1,
      error: { kind: 'down', message: expect.stringContaining('через 10 мин ') },
    })
  })

  test('is not waited for after an abort', async () => {
    provider.play(busy('5'))
    const { error, requests, ms } = await ask(AbortSignal.timeout(300))
    expect({ kind: error?.kind, requests }).toEqual({ kind: 'timeout', requests: 1 })
    // Less than the five seconds that the provider asked for.
    expect(ms).toBeLessThan(5000)
    const left = new AbortController()
    setTimeout(() => left.abort('left'), 100)
    expect((await ask(left.signal)).error).toBe('left')
  })

  test('is honoured for images too', async () => {
    const image = Buffer.from('an image')
    const draw = (model: string) =>
      providers.draw('fake')({ model, prompt: 'Кот', size: 'auto', seed: '1' }, new AbortController().signal)
    provider.play(busy('1'), draws(image))
    expect(Buffer.from((await draw('brush')).bytes)).toEqual(image)
    provider.play(busy('120'))
    await expect(draw('brush')).rejects.toMatchObject({ message: expect.stringContaining('через 2 мин ') })
  })
})

test('a silent model is asked once', async () => {
  provider.play(hangs(), says('Поздно'))
  const { error, requests } = await ask()
  expect({ kind: error?.kind, requests }).toEqual({ kind: 'timeout', requests: 1 })
})

const small = () => createByteBudget({ processBytes: 100, userBytes: 60, waitMs: 50 })
const rejected = { status: 503, message: expect.stringContaining('Повторите через') }

test('a person takes at most a share, and others get theirs', async () => {
  const budget = small()
  await budget.take('anna', 60)
  await expect(budget.take('anna', 1)).rejects.toMatchObject(rejected)
  await budget.take('boris', 40)
  await expect(budget.check('vera', 1)).rejects.toMatchObject(rejected)
})

test('a waiting request is admitted when it fits, before larger requests', async () => {
  const budget = createByteBudget({ processBytes: 100, userBytes: 100, waitMs: 5000 })
  const release = await budget.take('anna', 90)
  const leave = new AbortController()
  const large = budget.take('boris', 95, leave.signal)
  const little = budget.take('vera', 90)
  release()
  release()
  const second = await Promise.race([large.then(() => 'large'), little.then(() => 'little')])
  expect(second).toBe('large')
  await expect(Promise.race([little, new Promise((done) => setTimeout(done, 30, 'waits'))])).resolves.toBe('waits')
})

test('an aborted request leaves no trace; a huge request runs alone', async () => {
  const budget = small()
  const release = await budget.take('anna', 500)
  const leave = new AbortController()
  const waiting = budget.take('boris', 10, leave.signal)
  leave.abort('left')
  await expect(waiting).rejects.toBe('left')
  release()
  await budget.check('boris', 60)
  await budget.check('boris', 60)
})
