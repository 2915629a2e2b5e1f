import { PassThrough } from 'node:stream'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { pageApi } from '#contract/page.ts'
import { longestPause } from '#contract/testing/worst-texts.ts'
import { models, users } from '#server/db/schema.ts'
import { openLog } from '#server/lib/log.ts'
import { createProviders } from '#server/llm/providers.ts'
import { startFakeOpenAi } from '#server/llm/testing/fake-openai.ts'
import { openBepaid } from '#server/payments/shop.ts'
import { type SignedIn, type TestApp, testApp } from '#server/testing/app.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { type FuzzRequest, makeRequest, type Target } from '#server/testing/fuzz/requests.ts'
import { createRandom } from '#server/testing/fuzz/values.ts'
import { usedBytes } from '#server/testing/memory.ts'
import { TEST_ORIGIN } from '#server/testing/visitor.ts'
import { startFakeGateway } from './features/payments/testing/paid-app.ts'
import { fuzzSettings } from './testing/fuzz/settings.ts'

/** Hostile requests to every call. `npm run fuzz` sends 50,000 of them, `npm test` a short form. */

const { requests, seed } = fuzzSettings()
const SLOW_MS = 1000
/** How long one request may keep all others waiting. The embedded database works in the same thread. */
const PAUSE_MS = 500
/** How much memory may grow between the first third of the requests and the end. */
const GROWTH_BYTES = 64 * 1024 * 1024
const OWNER = 'owner@example.test'

const errors = new PassThrough()
const provider = await closeAfterTests(startFakeOpenAi())
const gateway = await startFakeGateway(() => app)
const app: TestApp = await testApp({
  startSymbols: 1_000_000,
  shops: { bepaid: openBepaid(gateway.settings) },
  deps: {
    providers: createProviders([{ name: 'fake', baseUrl: provider.baseUrl, apiKey: 'key' }]),
    log: openLog('error', errors),
  },
})
await app.db.update(models).set({ provider: 'fake' })
for (const kind of ['text', 'image', 'transcription'] as const)
  await app.db.insert(models).values({ id: kind, name: kind, kind, provider: 'fake', providerModel: kind })

test(`${requests} hostile requests (seed ${seed}) cause no failure, delay or growth (S10.524)`, {
  timeout: requests * 200 + 120_000,
}, async () => {
  const random = createRandom(seed)
  const targets = allTargets(app)
  const ids = createIds()
  const people = { user: await app.signIn(), admin: await app.signIn(OWNER) }
  const failed: string[] = []
  const slow: string[] = []
  const pauses = createPauseList()
  let before = 0
  for (let sent = 0; sent < requests; sent++) {
    if (sent % 200 === 0) await comeBack(people)
    if (sent === Math.floor(requests / 3)) before = usedBytes()
    const target = random.pick(targets)
    const who = random.pick(['user', 'admin', 'admin', 'visitor'] as const)
    const request = makeRequest(target, random, (name) => ids.pick(target.path, name, random.below))
    const visitor = who === 'visitor' ? app.visitor() : people[who]
    let answer = { status: 0, ms: 0, text: '' }
    const pause = await longestPause(async () => {
      answer = await send(visitor, request)
    })
    const { status, ms, text } = answer
    pauses.add(pause, described(who, target, request))
    const logged = String(errors.read() ?? '').slice(0, 600)
    if (isServerError(status, text, logged))
      failed.push(`${status} ${described(who, target, request)}\n  ${text.slice(0, 200)} ${logged}`)
    else ids.learn(target.path, text)
    // A busy machine may be slow once; three times in a row is a defect.
    if (ms > SLOW_MS && (await isSlowAgain(visitor, request)))
      slow.push(`${Math.round(ms)} ms ${described(who, target, request)}`)
    if (pause > PAUSE_MS && (await pausesAgain(visitor, request)))
      slow.push(`others waited ${Math.round(pause)} ms ${described(who, target, request)}`)
    if (failed.length + slow.length > 40) break
  }
  process.stdout.write(`${pauses.table()}\n`)
  expect(failed).toEqual([])
  expect(slow).toEqual([])
  expect(usedBytes() - before).toBeLessThan(GROWTH_BYTES)
})

/** Every endpoint of the contract and the routes outside it. */
function allTargets({ app }: TestApp): Target[] {
  const calls: Target[] = Object.values(api).flatMap((section) => Object.values(section))
  const known = new Set(calls.map(({ method, path }) => `${method} ${path}`))
  const beside = app.routes
    .filter(({ method, path }) => method !== 'ALL' && !path.includes('*') && !known.has(`${method} ${path}`))
    .map(({ method, path }) => ({ method, path }) as Target)
  return [...calls, ...beside]
}

async function send(visitor: Pick<SignedIn, 'fetch'>, { method, address, headers, body }: FuzzRequest) {
  const started = performance.now()
  const response = await visitor.fetch(`${TEST_ORIGIN}${address}`, { method, headers, body })
  // A long file is streamed: the time to its first byte counts.
  const ms = performance.now() - started
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel()
    return { status: response.status, ms, text: '' }
  }
  return { status: response.status, ms, text: await response.text() }
}

async function isSlowAgain(visitor: Pick<SignedIn, 'fetch'>, request: FuzzRequest): Promise<boolean> {
  for (let again = 0; again < 2; again++) if ((await send(visitor, request)).ms <= SLOW_MS) return false
  return true
}

async function pausesAgain(visitor: Pick<SignedIn, 'fetch'>, request: FuzzRequest): Promise<boolean> {
  for (let again = 0; again < 2; again++)
    if ((await longestPause(() => send(visitor, request))) <= PAUSE_MS) return false
  return true
}

const LISTED = 10

/** The requests for which all others waited longest. */
function createPauseList() {
  let worst: { pause: number; what: string }[] = []
  return {
    add: (pause: number, what: string) => {
      if (worst.length === LISTED && pause <= (worst.at(-1)?.pause ?? 0)) return
      worst = [...worst, { pause, what }].toSorted((a, b) => b.pause - a.pause).slice(0, LISTED)
    },
    table: () =>
      `the longest pauses of the event loop:\n${worst.map(({ pause, what }) => `${Math.round(pause)} ms ${what}`).join('\n')}`,
  }
}

/** What an admin switched off or deleted is rejected with a sentence; everything else above 499 is our error. */
function isServerError(status: number, text: string, logged: string): boolean {
  return logged !== '' || (status >= 500 && !/"code":"(unavailable|payments_off)"/.test(text))
}

/** A request may have signed a user out, banned or deleted them. */
async function comeBack(people: { user: SignedIn; admin: SignedIn }): Promise<void> {
  app.outbox.length = 0
  provider.received.length = 0
  const isThere = async (visitor: SignedIn) => (await visitor.call(pageApi.state, {})).user?.id === visitor.user.id
  if (!(await isThere(people.user))) people.user = await app.signIn()
  if (await isThere(people.admin)) return
  await app.db
    .update(users)
    .set({ banned: false, banExpires: null, email: OWNER })
    .where(eq(users.id, people.admin.user.id))
  people.admin = await app.signIn(OWNER)
}

/** Ids from earlier responses, by the first segment of the path, so that later requests reach existing rows. */
function createIds() {
  const known = new Map<string, string[]>()
  const add = (word: string, id: string) => {
    const ids = known.get(word) ?? []
    if (!ids.includes(id)) known.set(word, [...ids.slice(-50), id])
  }
  const wordOf = (path: string) => path.split('/')[2] ?? ''
  return {
    learn: (path: string, text: string) => {
      for (const [, id = ''] of text.slice(0, 20_000).matchAll(/"(?:id|ID)":\s*"([^"]{1,80})"/g)) add(wordOf(path), id)
      for (const [, name = '', id = ''] of text.slice(0, 20_000).matchAll(/"(\w+)Id":\s*"([^"]{1,80})"/g))
        add(`${name}s`, id)
    },
    pick: (path: string, name: string, below: (limit: number) => number): string => {
      const word = name === 'id' || name === 'ids' ? wordOf(path) : name.replace(/Ids?$/, 's')
      const ids = known.get(word) ?? known.get(wordOf(path)) ?? []
      return ids[below(ids.length)] ?? 'no-such-id'
    },
  }
}

function described(who: string, { method, path }: Target, { address, headers, body }: FuzzRequest): string {
  const sent = typeof body === 'string' ? body : `${body?.length ?? 0} bytes`
  return `${who} ${method} ${path}\n  ${address.slice(0, 300)}\n  ${JSON.stringify(headers).slice(0, 200)}\n  ${sent.slice(0, 150)} (${sent.length})`
}
