import { PassThrough } from 'node:stream'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { programApi } from '#contract/api.ts'
import { apiKeysApi } from '#contract/api-keys.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { MAX_EMBEDDED_TOKENS, MAX_PROGRAM_BYTES, MAX_PROGRAM_TEXT_BYTES } from '#contract/openai.ts'
import { longestPause } from '#contract/testing/worst-texts.ts'
import { models, users } from '#server/db/schema.ts'
import { openLog } from '#server/lib/log.ts'
import { createProviders } from '#server/llm/providers.ts'
import { startFakeOpenAi } from '#server/llm/testing/fake-openai.ts'
import { type SignedIn, type TestApp, testApp } from '#server/testing/app.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { mostBytesOf } from './http/body-size.ts'
import { PAGE_JSON } from './http/json-size.ts'
import { calls, label } from './testing/contract-walk.ts'
import { fuzzSettings } from './testing/fuzz/settings.ts'
import type { JsonSchema } from './testing/fuzz/values.ts'
import { placesIn, shapes } from './testing/hostile-bodies.ts'
import { usedBytes } from './testing/memory.ts'

/** The largest bodies that each call takes, in hostile shapes, at every place of a fitting body. */

const MOST_PAUSE_MS = 50
/** A body of 25 MB is copied several times, by the test too. */
const MOST_LARGE_MS = 150
const TRIES = 4
const GROWTH_BYTES = 24 * 1024 * 1024
const OWNER = 'owner@example.test'
const { isLong } = fuzzSettings()
const KB = 1024

const errors = new PassThrough()
const provider = await closeAfterTests(startFakeOpenAi())
const app: TestApp = await testApp({
  startSymbols: 1_000_000_000,
  deps: {
    providers: createProviders([{ name: 'fake', baseUrl: provider.baseUrl, apiKey: 'key' }]),
    log: openLog('error', errors),
  },
})
await app.db.update(models).set({ provider: 'fake' })

const programs = Object.values(programApi).flatMap((section) => Object.values(section))
const targets = [...calls, ...programs].filter(({ body, takes }) => body || takes)

/** How much of each kind a call takes. */
function sizeFor({ path, body }: Endpoint) {
  if (path === '/v1/embeddings') return { bytes: MAX_PROGRAM_TEXT_BYTES, values: 30_000 }
  if (path === '/v1/images/generations') return { bytes: mostBytesOf(body), values: 30_000 }
  if (path.startsWith('/v1/')) return { bytes: MAX_PROGRAM_TEXT_BYTES, values: 30_000 }
  if (path.startsWith('/api/auth/')) return { bytes: 16 * KB, values: 500 }
  return { bytes: mostBytesOf(body), values: PAGE_JSON.values }
}

/** A long string costs the same wherever it stands deep inside; `npm run fuzz` tries all places. */
const depthOf = (shape: string, bytes: number) => (!isLong && (bytes <= 16 * KB || shape === 'long strings') ? 1 : 5)

function bodiesFor(call: Endpoint) {
  const schema = z.toJSONSchema(call.body ?? z.object({}), { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const { bytes, values } = sizeFor(call)
  return Object.entries(shapes).flatMap(([shape, make]) => {
    const hostile = make({ bytes: bytes - 2 * KB, values })
    return [...placesIn(schema, depthOf(shape, bytes))].map(([place, put]) => ({
      place,
      shape,
      make: () => put(hostile),
    }))
  })
}

async function send(
  call: Endpoint,
  body: string | Uint8Array<ArrayBuffer>,
): Promise<{ status: number; pause: number }> {
  const person = await personFor(call)
  const type = call.takes === 'form' ? 'multipart/form-data; boundary=b' : 'application/json'
  const path = call.path.replace(/:(\w+)/g, 'no-such-id')
  const authorization = `Bearer ${secret}`
  const headers = { 'content-type': type, ...(call.who === 'key' ? { authorization } : {}) }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  let status = 0
  const pause = await longestPause(async () => {
    const answer = await person.fetch(path, { method: call.method, headers, body: bytes })
    status = answer.status
    await answer.body?.cancel()
  })
  return { status, pause }
}

const people: { user?: SignedIn; admin?: SignedIn } = {}
let secret = ''

/** A request may have ended a session. */
async function personFor({ who }: Endpoint): Promise<SignedIn> {
  const name = who === 'admin' ? 'admin' : 'user'
  const known = people[name]
  if (known && (await app.db.$count(users, eq(users.id, known.user.id))) > 0) return known
  const person = await app.signIn(who === 'admin' ? OWNER : undefined)
  people[name] = person
  if (name === 'user') secret = (await person.call(apiKeysApi.create, { body: { name: 'тест' } })).secret
  return person
}

test('no body that a call takes keeps the others waiting (S10.1305)', {
  timeout: isLong ? 3_600_000 : 600_000,
}, async () => {
  const slow: string[] = []
  const failed: string[] = []
  const table: { pause: number; what: string }[] = []
  for (const call of targets) {
    let worst = { pause: 0, what: label(call) }
    for (const { place, shape, make } of bodiesFor(call)) {
      const body = make()
      let best = Number.POSITIVE_INFINITY
      for (let tried = 0; tried < TRIES && best > MOST_PAUSE_MS; tried++) {
        const { status, pause } = await send(call, body)
        best = Math.min(best, pause)
        const logged = String(errors.read() ?? '').slice(0, 600)
        if ((status >= 500 && status !== 502 && status !== 503) || logged)
          failed.push(`${label(call)} ${place} ${shape}: ${status} ${logged}`)
      }
      const what = `${label(call)} ${place || 'the body'}: ${shape}, ${body.length}`
      if (best > worst.pause) worst = { pause: best, what }
      if (best > MOST_PAUSE_MS) slow.push(`${Math.round(best)} ms ${what}`)
    }
    table.push(worst)
  }
  const longest = table.toSorted((a, b) => b.pause - a.pause)
  process.stdout.write(
    `pauses by call, in ms:\n${longest.map(({ pause, what }) => `${pause.toFixed(1)} ${what}`).join('\n')}\n`,
  )
  expect(failed).toEqual([])
  expect(slow).toEqual([])
})

test('a hundred of the largest bodies leave nothing in memory (S10.1305)', {
  timeout: isLong ? 3_600_000 : 300_000,
}, async () => {
  const largest = targets.filter(
    (call) => isLong || sizeFor(call).bytes > 600 * KB || call.path === '/api/auth/sign-in/email',
  )
  for (const call of largest) {
    const bodies = bodiesFor(call).filter(({ place }) => place === '')
    let before = 0
    for (let n = 0; n < 100; n++) {
      if (n === 20) before = usedBytes()
      await send(call, bodies[n % bodies.length]?.make() ?? '')
    }
    // Memory of bodies is given back some turns after the garbage was collected.
    await expect.poll(() => usedBytes() - before, { message: label(call), timeout: 10_000 }).toBeLessThan(GROWTH_BYTES)
  }
})

test('images and bodies beyond the limit keep nobody waiting (S10.1305)', {
  timeout: 120_000,
}, async () => {
  const url = `data:image/png;base64,${'AbC/'.repeat((MAX_PROGRAM_BYTES - 4 * KB) / 4)}`
  const parts = [{ type: 'image_url', image_url: { url } }]
  const bodies: [name: string, path: string, body: string][] = [
    ['an image', '/v1/chat/completions', JSON.stringify({ model: 'm', messages: [{ role: 'user', content: parts }] })],
    ['a million numbers', '/v1/chat/completions', `{"model":"m","messages":[${'1,'.repeat(12_000_000)}1]}`],
    ['a text', '/v1/chat/completions', JSON.stringify({ model: 'm', messages: 'a'.repeat(20_000_000) })],
    ['tokens', '/v1/embeddings', JSON.stringify({ model: 'm', input: Array(MAX_EMBEDDED_TOKENS).fill(1) })],
    ['lists of tokens', '/v1/embeddings', JSON.stringify({ model: 'm', input: Array(2000).fill(Array(140).fill(1)) })],
  ]
  for (const [name, path, body] of bodies) {
    const call = programs.find((each) => each.path === path) as Endpoint
    const bytes = new TextEncoder().encode(body)
    let best = Number.POSITIVE_INFINITY
    for (let tried = 0; tried < TRIES; tried++) best = Math.min(best, (await send(call, bytes)).pause)
    process.stdout.write(`${best.toFixed(1)} ${name}\n`)
    expect(best, name).toBeLessThan(bytes.length > MAX_PROGRAM_TEXT_BYTES ? MOST_LARGE_MS : MOST_PAUSE_MS)
  }
})
