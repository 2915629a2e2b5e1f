import { request } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { longestPause } from '#contract/testing/worst-texts.ts'
import { says } from '#server/llm/testing/fake-openai.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { startPrograms } from './testing/programs.ts'

const programs = await closeAfterTests(startPrograms())
const { provider, ask, makeKey, baseURL } = programs

const MB = 1024 * 1024
const json = { 'content-type': 'application/json' }
const open: ReturnType<typeof request>[] = []
afterEach(() => {
  for (const each of open.splice(0)) each.destroy()
})

/** A body of which only the beginning is sent. */
function begin(secret: string, bytes: number): Promise<number> {
  const headers = { ...json, authorization: `Bearer ${secret}`, 'content-length': String(24 * MB) }
  const sent = request(`${baseURL}/chat/completions`, { method: 'POST', headers, agent: false })
  open.push(sent)
  sent.on('error', () => undefined)
  sent.write(Buffer.alloc(bytes, 32))
  return new Promise((done) => sent.on('response', (response) => done(response.resume().statusCode ?? 0)))
}

test.each([
  ['numbers', `{"model":"fast","messages":[${'1,'.repeat(12 * MB)}1]}`],
  ['parts', `{"model":"fast","messages":[{"role":"user","content":[${'{"type":"x"},'.repeat(MB)}{"type":"x"}]}]}`],
  ['keys', `{"model":"fast","logit_bias":{${'"1":1,'.repeat(3 * MB)}"2":1}}`],
])('25 MB of %s are refused before they are parsed (S10.1300)', async (_, body) => {
  const { secret } = await makeKey()
  let status = 0
  const pause = await longestPause(async () => {
    status = (await ask(secret, '/chat/completions', undefined, { method: 'POST', headers: json, body })).status
  })
  expect(status).toBe(413)
  expect(pause).toBeLessThan(500)
})

test('a slot is taken before the body and given back (S10.1303)', async () => {
  const { secret } = await makeKey()
  const waiting = Array.from({ length: 20 }, () => begin(secret, 1))
  const refused = async () => (await ask(secret, '/chat/completions', {})).status
  await expect.poll(refused).toBe(429)
  expect(waiting).toHaveLength(20)
  for (const each of open.splice(0)) each.destroy()
  await expect.poll(refused).toBe(400)
  provider.play(says('Да'))
  const question = { model: 'fast', messages: [{ role: 'user', content: 'Привет' }] }
  expect((await ask(secret, '/chat/completions', question)).status).toBe(200)
})

test('unfinished bodies of one person take a bounded part of the memory (S10.1302)', async () => {
  const { secret } = await makeKey()
  const refused: number[] = []
  for (let n = 0; n < 12; n++) void begin(secret, 20 * MB).then((status) => refused.push(status))
  await expect.poll(() => refused, { timeout: 20_000 }).toEqual(Array(10).fill(429))
})
