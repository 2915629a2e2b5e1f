import { type IncomingMessage, request } from 'node:http'
import { expect, test, vi } from 'vitest'
import { chunk, DONE, refuses, type Script } from '#server/llm/testing/fake-openai.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { balanceOf } from '../billing/ledger.ts'
import { startPrograms } from './testing/programs.ts'

const START = 60_000_000
const programs = await closeAfterTests(startPrograms({ startSymbols: START }))
const { db, provider, makeKey, ask } = programs

const PIECE = 'a'.repeat(5000)
/** As fast as the server reads. */
const writes =
  (pieces: number, onEnd = () => {}): Script =>
  async (response) => {
    response.once('close', onEnd)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let n = 0; n < pieces && !response.destroyed; n += 1)
      if (!response.write(chunk(PIECE))) await drained(response)
    response.end(chunk(null, 'stop') + DONE)
  }
const drained = (response: Parameters<Script>[0]) =>
  new Promise<void>((done) => {
    const go = () => {
      response.off('drain', go).off('close', go)
      done()
    }
    response.on('drain', go).on('close', go)
  })

async function spent(userId: string): Promise<number> {
  await vi.waitFor(async () => expect((await balanceOf(db, userId)).held).toBe(0), { timeout: 10_000 })
  return START - (await balanceOf(db, userId)).availableTokens
}

const events = (text: string) =>
  text
    .split('\n\n')
    .flatMap((event) => /^data: (\{.*)$/m.exec(event)?.[1] ?? [])
    .map((data) => JSON.parse(data) as { type?: string; delta?: string; choices?: { delta: { content?: string } }[] })

test('a long answer of the Responses API comes with its end (S10.1620)', async () => {
  const { secret, userId } = await makeKey()
  provider.play(writes(140))
  const response = await ask(secret, '/responses', { model: 'fast', input: 'я', stream: true })
  const received = events(await response.text())
  expect(received.at(-1)?.type).toBe('response.completed')
  const deltas = received.filter(({ type }) => type === 'response.output_text.delta')
  expect(deltas.map(({ delta }) => delta).join('').length).toBe(700_000)
  expect(await spent(userId)).toBe(1 + 2 * 700_000)
})

/** Reads nothing for a while, then all. */
async function readsLate(secret: string, until: Promise<void>): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}` }
  const sent = request(`${programs.baseURL}/chat/completions`, { method: 'POST', headers })
  sent.end(JSON.stringify({ model: 'fast', messages: [{ role: 'user', content: 'я' }], stream: true }))
  const response = await new Promise<IncomingMessage>((done, fail) => sent.once('response', done).once('error', fail))
  await until
  let text = ''
  for await (const part of response.setEncoding('utf8')) text += part
  return text
}

test('a program that reads late gets all that it pays for (S10.1621)', async () => {
  const { secret, userId } = await makeKey()
  const isWritten = new Promise<void>((onEnd) => provider.play(writes(3000, onEnd)))
  const text = await readsLate(secret, isWritten)
  expect(text.endsWith(DONE)).toBe(true)
  const received = events(text).reduce((sum, { choices }) => sum + (choices?.[0]?.delta.content?.length ?? 0), 0)
  expect(received).toBeGreaterThan(1_000_000)
  expect(await spent(userId)).toBe(1 + 2 * received)
})

test('a request has at most 500 images (S10.1622)', async () => {
  const { secret, userId } = await makeKey()
  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }
  const asked = (count: number) => ({
    model: 'fast',
    messages: [{ role: 'user', content: Array.from({ length: count }, () => image) }],
  })
  const refused = await ask(secret, '/chat/completions', asked(501))
  expect([refused.status, await refused.json()]).toMatchObject([400, { error: { param: 'messages' } }])
  provider.play(refuses(400, { error: { message: 'no' } }))
  await ask(secret, '/chat/completions', asked(500))
  expect(provider.received.length).toBe(3)
  expect(await spent(userId)).toBe(0)
})

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
