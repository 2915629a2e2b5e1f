import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { accountApi } from '#contract/account.ts'
import { api } from '#contract/api.ts'
import { authApi } from '#contract/auth.ts'
import { authAdminApi } from '#contract/auth-admin.ts'
import { addressOf, type Endpoint, fillPath } from '#contract/endpoint.ts'
import { pageApi } from '#contract/page.ts'
import { promocodesApi } from '#contract/promocodes.ts'
import { transactionsApi } from '#contract/transactions.ts'
import { usersApi } from '#contract/users.ts'
import { usersAdminApi } from '#contract/users-admin.ts'
import { rowsOf } from '#server/db/rows-of.ts'
import { users } from '#server/db/schema.ts'
import { testApp } from '#server/testing/app.ts'
import { aBranch, aThread } from '#server/testing/builders.ts'

/** Walks over the whole contract in an impersonated session. */

const calls = Object.values(api).flatMap((section) => Object.values(section))
const label = ({ method, path }: Endpoint) => `${method} ${path}`
const named = (list: Endpoint[]) => list.map((call) => [label(call), call] as const)

const app = await testApp()
const anna = await app.signIn()
const thread = await aThread(app.db, anna.user.id)
const threadId = thread.id
await aBranch(app.db, thread, 2)
const boss = await app.signIn('owner@example.test')
await boss.call(authAdminApi.impersonateUser, { body: { userId: anna.user.id } })
const before = await everything()

/** Parameters name rows that Anna owns, so that only the access check can reject. */
function address({ path }: Endpoint): string {
  const ids: Record<string, string> = path.startsWith('/api/users') ? { id: anna.user.id } : { id: threadId }
  const params = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, ids[name] ?? 'no-such-id'])
  return fillPath(path, Object.fromEntries(params))
}
const init = ({ method, body }: Endpoint): RequestInit => ({
  method,
  ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ userId: anna.user.id }) } : {}),
})

/** A hash of every table. */
async function everything(): Promise<Record<string, string>> {
  const tables = await rowsOf(
    app.db,
    sql`select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'rate_limits' order by 1`,
    z.object({ name: z.string() }),
  )
  const hashes: Record<string, string> = {}
  for (const { name } of tables) {
    const whole = sql`select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as hash from ${sql.identifier(name)} t`
    const [row] = await rowsOf(app.db, whole, z.object({ hash: z.string() }))
    hashes[name] = row?.hash ?? ''
  }
  return hashes
}

async function refused(call: Endpoint, code: string) {
  const response = await boss.fetch(address(call), init(call))
  expect(response.status).toBe(403)
  expect(await response.json()).toMatchObject({ status: 403, code })
}

describe('an admin call is rejected in an impersonated session', () => {
  test.each(named(calls.filter(({ who }) => who === 'admin')))('%s', (_, call) => refused(call, 'forbidden'))
})

const changing = calls.filter(
  ({ who, method, impersonation = method === 'GET' ? 'allowed' : 'refused' }) =>
    who === 'user' && impersonation === 'refused',
)

describe('a call that changes something of the user’s is refused', () => {
  test.each(named(changing))('%s', (_, call) => refused(call, 'impersonated'))

  test('money, messages and sign-in methods are among them', () => {
    const covered = changing.map(label)
    expect(covered).toEqual(
      expect.arrayContaining([
        'POST /api/threads/:id/message',
        'POST /api/openai/translate',
        'PATCH /api/profile/balance',
        'POST /api/users/:id/apply-promocode',
        'GET /api/bepaid/get-subscription-url',
        'GET /api/bepaid/get-bundle-url',
        'POST /api/auth/change-password',
        'POST /api/auth/create-password',
        'POST /api/auth/change-email',
        'POST /api/auth/link-social',
        'POST /api/auth/unlink-account',
        'POST /api/auth/revoke-session',
        'POST /api/auth/revoke-sessions',
        'POST /api/auth/revoke-other-sessions',
        'POST /api/auth/delete-user',
        'POST /api/auth/update-user',
      ]),
    )
  })
})

test('after all these calls no row of any table has changed', async () => {
  expect(await everything()).toEqual(before)
})

test('an impersonated session may only read, end itself and ask for permissions', () => {
  const open = calls.filter(
    ({ who, impersonation, method }) => who === 'user' && method !== 'GET' && impersonation === 'allowed',
  )
  expect(open.map(label).sort()).toEqual([
    'POST /api/auth/admin/has-permission',
    'POST /api/auth/admin/stop-impersonating',
  ])
})

test('admin files, personal data, unlisted calls and provider tokens are refused too', async () => {
  for (const path of [promocodesApi.csv.path, usersAdminApi.csv.path, `${transactionsApi.csv.path}?all=1`])
    expect([path, (await boss.fetch(path)).status]).toEqual([path, 403])
  expect((await boss.post(promocodesApi.createBatchCsv.path, {})).status).toBe(403)
  const data = await boss.fetch(addressOf(usersApi.export, { params: { id: anna.user.id } }))
  expect(await data.json()).toMatchObject({ status: 403, code: 'impersonated' })
  for (const path of ['/api/auth/oauth2/link', '/api/auth/update-session', '/api/auth/set-password'])
    expect(await (await boss.post(path, {})).json()).toMatchObject({ status: 404 })
  for (const { path } of [accountApi.getAccessToken, accountApi.refreshToken])
    expect(await (await boss.post(path, { providerId: 'vk' })).json()).toMatchObject({
      status: 403,
      code: 'impersonated',
    })
})

test('reading shows what the user sees without counting as a visit', async () => {
  const longAgo = new Date('2026-01-01T00:00:00Z')
  await app.db.update(users).set({ lastSeenAt: longAgo }).where(eq(users.id, anna.user.id))
  expect((await boss.call(usersApi.me, {})).id).toBe(anna.user.id)
  expect((await boss.call(pageApi.state, {})).user).toMatchObject({ id: anna.user.id, impersonated: true })
  const [seen] = await app.db.select({ at: users.lastSeenAt }).from(users).where(eq(users.id, anna.user.id))
  expect(seen?.at).toEqual(longAgo)
  await anna.call(usersApi.me, {})
  const [again] = await app.db.select({ at: users.lastSeenAt }).from(users).where(eq(users.id, anna.user.id))
  expect(again?.at.getTime()).toBeGreaterThan(longAgo.getTime())
})

test('a user who becomes an admin gives the impersonated session no rights', async () => {
  await app.db.update(users).set({ role: 'admin' }).where(eq(users.id, anna.user.id))
  const anotherUser = await app.signIn()
  await expect(boss.call(usersApi.get, { params: { id: anotherUser.user.id } })).rejects.toMatchObject({ status: 404 })
  expect((await boss.fetch('/api/users')).status).toBe(403)
  await app.db.update(users).set({ role: 'user' }).where(eq(users.id, anna.user.id))
})

test('ending the impersonation returns the administrator’s own rights', async () => {
  await boss.call(authAdminApi.stopImpersonating, {})
  expect((await boss.call(authApi.getSession, {}))?.user.email).toBe('owner@example.test')
  expect((await boss.fetch('/api/users')).status).toBe(200)
})
