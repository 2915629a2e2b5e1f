import { afterEach, expect, test, vi } from 'vitest'
import { modelsApi } from '#contract/models.ts'
import type { WrittenState } from '#contract/page.ts'
import { STATE_START } from '#contract/shell.ts'
import { ThreadWithMessages, threadsApi } from '#contract/threads.ts'
import { usersApi } from '#contract/users.ts'
import type { Limits } from '#server/http/limits.ts'
import { noParts } from '#server/http/page-html.ts'
import { AppError } from '#server/lib/errors.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'
import { aBranch, aThread } from '#server/testing/builders.ts'

let isLimited = false
const html = `${STATE_START}<!--page-state--></script></body>`
let draws = ({ title }: { title: string }, hasOlder: boolean) => `<ol>${hasOlder} ${title.length}</ol>`
const drawing = async () => ({ drawThread: (...given: Parameters<typeof draws>) => draws(...given) })
const site = { buildId: 'test', html, files: new Map(), parts: noParts, worker: { keeps: false, script: '' }, drawing }
const limits: Limits = async (name) => {
  if (name === 'lists' && isLimited) throw new AppError('too_many_requests', 'Слишком много запросов.')
}
const app = await testApp({ deps: { limits, site } })
const anna = await app.signIn()
const thread = await aThread(app.db, anna.user.id, { title: '</script><b>Чай' })
await aBranch(app.db, thread, 4)
afterEach(() => vi.restoreAllMocks())

async function firstOf(person: Pick<SignedIn, 'fetch'>, path: string) {
  const html = await (await person.fetch(path)).text()
  expect(html.match(/<\/script>/g)).toHaveLength(1)
  const json = /id="page-state">(.*)<\/script>/.exec(html)?.[1] ?? ''
  const { first, mark } = JSON.parse(json) as WrittenState
  expect(mark === undefined).toBe(first === undefined)
  return first
}

test('the page carries what its calls would answer, and no more (S10.401)', async () => {
  const answers = {
    profile: await anna.call(usersApi.me, {}),
    models: await anna.call(modelsApi.list, {}),
    threads: { items: await anna.call(threadsApi.list, { query: {} }), nextCursor: null },
  }
  const read = { items: await anna.call(threadsApi.get, { params: { id: thread.id }, query: {} }), nextCursor: null }
  expect(await firstOf(anna, '/')).toEqual(answers)
  expect(await firstOf(anna, '/admin/users')).toEqual(answers)
  expect(await firstOf(anna, `/threads/${thread.id}`)).toEqual({ ...answers, thread: read })
  const owner = await app.signIn('owner@example.test')
  expect((await firstOf(owner, '/'))?.models).toEqual(await owner.call(modelsApi.list, {}))
})

test('the page carries nothing to strangers, panel-less screens or other people (S10.401)', async () => {
  const stranger = { fetch: async (path: string) => app.app.request(path) }
  expect(await firstOf(stranger, `/threads/${thread.id}`)).toBeUndefined()
  expect(await firstOf(anna, '/shared/7')).toBeUndefined()
  const boris = await app.signIn()
  const first = await firstOf(boris, `/threads/${thread.id}`)
  expect(first).not.toHaveProperty('thread')
  expect(first?.threads?.items).toEqual([])
})

test('the messages of a chat are drawn for its owner only (S10.727)', async () => {
  const boris = await app.signIn()
  const isDrawn = async (person: SignedIn, path: string) =>
    (await (await person.fetch(path)).text()).includes('<template id="drawn"><ol>false 15</ol></template></body>')
  const path = `/threads/${thread.id}`
  expect(await isDrawn(anna, path)).toBe(true)
  expect(await isDrawn(boris, path)).toBe(false)
  expect(await isDrawn(anna, '/')).toBe(false)
  expect(await isDrawn(anna, `${path}?message=${thread.id}`)).toBe(false)
  draws = () => {
    throw new Error('broken')
  }
  expect((await firstOf(anna, path))?.thread?.items.id).toBe(thread.id)
})

test('unreadable data is left out, and the rest is there (S10.401)', async () => {
  vi.spyOn(ThreadWithMessages, 'parse').mockImplementation(() => {
    throw new Error('broken')
  })
  const first = await firstOf(anna, `/threads/${thread.id}`)
  expect(Object.keys(first ?? {})).toEqual(['profile', 'models', 'threads'])
})

test('a limited list leaves the page without first data (S10.401)', async () => {
  isLimited = true
  const first = await firstOf(anna, '/')
  isLimited = false
  expect(first).toBeUndefined()
})

test('a page with its data needs fewer statements than separate calls (S10.401)', async () => {
  const spy = vi.spyOn(
    (app.db as unknown as { $client: object }).$client as { query: (...given: unknown[]) => unknown },
    'query',
  )
  const count = async (work: () => Promise<unknown>) => {
    const before = spy.mock.calls.length
    await work()
    return spy.mock.calls.length - before
  }
  const paths = ['/api/page', '/api/users/me', '/api/models', '/api/threads', `/api/threads/${thread.id}`]
  await anna.fetch('/')
  const page = await count(() => anna.fetch(`/threads/${thread.id}`))
  const calls = await count(() => Promise.all(paths.map((path) => anna.fetch(path))))
  expect(page).toBeGreaterThan(0)
  expect(page).toBeLessThan(calls)
})
