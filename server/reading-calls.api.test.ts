import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { type Endpoint, fillPath } from '#contract/endpoint.ts'
import { paymentsApi } from '#contract/payments.ts'
import { promptsApi } from '#contract/prompts.ts'
import { threadsApi } from '#contract/threads.ts'
import { usersApi } from '#contract/users.ts'
import { orders } from '#server/db/schema.ts'
import { startPaidApp } from './features/payments/testing/paid-app.ts'
import { aBranch, aThread } from './testing/builders.ts'

/** Walks over all GETs of the contract: another site can make a browser send any of them. */

const gets = Object.values(api)
  .flatMap((section) => Object.values(section))
  .filter(({ method }) => method === 'GET')
const withEffects = gets.filter(({ effects }) => effects)
/** The authentication library has its own rules and tests for links. */
const reads = gets.filter(({ effects, path }) => !effects && !path.startsWith('/api/auth/'))
const named = (list: Endpoint[]) => list.map((call) => [call.path, call] as const)

const app = await startPaidApp()
const { owner, db } = app
const thread = await aThread(db, owner.user.id)
await aBranch(db, thread, 2)
const shared = await owner.call(threadsApi.share, { params: { id: thread.id } })
const prompt = await owner.call(promptsApi.create, { body: { title: 'Письмо', content: 'Напиши письмо' } })
const plan = await app.aPlan()
const bundleId = (await app.aBundle()).id
await app.subscribe(owner, plan.id)
await app.buyBundle(owner, bundleId)
const [order] = await app.ordersOf(owner)
const ids: Record<string, string> = {
  '/api/threads': thread.id,
  '/api/prompts': prompt.id,
  '/api/orders': order?.id ?? '',
  '/api/users': owner.user.id,
  shareId: String(Object.values(shared).find((value) => typeof value === 'string')),
}

function addressOf({ path }: Pick<Endpoint, 'path'>): string {
  const own = ids[path.split('/').slice(0, 3).join('/')] ?? 'none'
  const params = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [
    name,
    name === 'id' ? own : (ids[name] ?? 'none'),
  ])
  return fillPath(path, Object.fromEntries(params))
}

test.each(named(reads))('%s writes nothing', async (_, call) => {
  // On Postgres the setting would apply to one connection of the pool only; the embedded database has one.
  if (app.url) return
  await app.database.execute('set default_transaction_read_only = on')
  const answer = await app.owner.fetch(addressOf(call))
  await app.database.execute('set default_transaction_read_only = off')
  expect(answer.status).toBeLessThan(500)
})

const foreign = [
  ['a link on another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }],
  ['a page of a neighbouring host', { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'empty' }],
  ['an image on another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }],
  ['an image in a shared chat', { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'image' }],
  ['a frame', { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'iframe' }],
  ['an address that was typed in or pasted', { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' }],
] as const

test.each(named(withEffects))('%s is refused to everybody but our own page', async (_, call) => {
  for (const [who, headers] of foreign) {
    const answer = await app.owner.fetch(addressOf(call), { headers })
    expect([who, answer.status]).toEqual([who, 403])
  }
  const own = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' }
  expect((await app.owner.fetch(addressOf(call), { headers: own })).status).not.toBe(403)
  expect((await app.owner.fetch(addressOf(call))).status).not.toBe(403)
})

test('a link of another site opens no order (S10.82)', async () => {
  const anna = await app.signIn()
  const before = await app.db.$count(orders)
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }
  await anna.fetch(`${paymentsApi.bundleUrl.path}?bundleId=${bundleId}`, { headers })
  await anna.fetch(paymentsApi.subscriptionUrl.path, { headers })
  expect(await app.db.$count(orders)).toBe(before)
})

test('a person’s export is downloaded only by a link of our page', async () => {
  const ask = async (site: string) => {
    const headers = { 'sec-fetch-site': site, 'sec-fetch-dest': 'document' }
    return (await app.owner.fetch(addressOf(usersApi.export), { headers })).status
  }
  expect([await ask('cross-site'), await ask('same-origin')]).toEqual([403, 200])
})
