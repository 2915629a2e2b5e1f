import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accountApi } from '#contract/account.ts'
import { authAdminApi } from '#contract/auth-admin.ts'
import { accounts, users } from '#server/db/schema.ts'
import { startTestApp, testApp } from '#server/testing/app.ts'
import { errorOf, isSignedIn, PASSWORD } from './testing/steps.ts'

const app = await testApp()
const owner = await app.signIn('owner@example.test')

const self = () => ({ userId: owner.user.id })
const stateOf = async (id: string) =>
  (await app.db.select({ role: users.role, banned: users.banned }).from(users).where(eq(users.id, id)))[0]

test('an admin cannot demote, ban or remove their own account', async () => {
  const tries = [
    owner.call(authAdminApi.setRole, { body: { ...self(), role: 'user' } }),
    owner.call(authAdminApi.updateUser, { body: { ...self(), data: { role: 'user' } } }),
    owner.call(authAdminApi.updateUser, { body: { ...self(), data: { banned: true } } }),
    owner.call(authAdminApi.banUser, { body: self() }),
    owner.call(authAdminApi.removeUser, { body: self() }),
  ]
  for (const failure of await Promise.all(tries.map(errorOf)))
    expect(failure).toMatchObject({ status: 400, message: expect.stringMatching(/^[А-Я].*\.$/) })
  expect(await stateOf(owner.user.id)).toEqual({ role: 'admin', banned: false })
  await owner.call(authAdminApi.setRole, { body: { ...self(), role: ['user', 'admin'] } })
  expect(await stateOf(owner.user.id)).toMatchObject({ role: 'user,admin' })
})

test.each([
  ['impersonate-user', { userId: { toString: 'x', valueOf: 'y' } }],
  ['ban-user', { userId: 'a-user', banExpiresIn: -(2 ** 63) }],
  ['ban-user', { userId: 'a-user', banExpiresIn: 1e300 }],
])('%s rejects %j with 400', async (call, body) => {
  expect((await owner.post(`/api/auth/admin/${call}`, body)).status).toBe(400)
})

test('an admin cannot be impersonated', async () => {
  expect(await errorOf(owner.call(authAdminApi.impersonateUser, { body: self() }))).toMatchObject({
    status: 403,
    message: expect.stringContaining('глазами администратора'),
  })
})

test('the only admin cannot delete the account, and keeps all sign-in methods', async () => {
  await owner.call(accountApi.createPassword, { body: { newPassword: PASSWORD } })
  const leave = owner.call(accountApi.deleteUser, { body: { password: PASSWORD } })
  expect(await errorOf(leave)).toMatchObject({ status: 400, code: 'LAST_ADMIN' })
  expect(await isSignedIn(owner)).toBe(true)
  expect(await app.db.select().from(accounts).where(eq(accounts.userId, owner.user.id))).toHaveLength(1)
})

test('two admins who demote each other at once leave a single admin', async () => {
  const other = await app.signIn()
  await owner.call(authAdminApi.setRole, { body: { userId: other.user.id, role: 'admin' } })
  const outcomes = await Promise.allSettled([
    owner.call(authAdminApi.setRole, { body: { userId: other.user.id, role: 'user' } }),
    other.call(authAdminApi.setRole, { body: { ...self(), role: 'user' } }),
  ])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const admins = await app.db.select({ id: users.id }).from(users).where(sql`is_acting_admin(role, banned)`)
  expect(admins).toHaveLength(1)
  await app.db.update(users).set({ role: 'admin' }).where(eq(users.id, owner.user.id))
})

test('the database itself keeps the last administrator, and the call says why', async () => {
  const others = sql`is_acting_admin(role, banned) and id <> ${owner.user.id}`
  await app.db.update(users).set({ role: 'user' }).where(others)
  const demote = app.db.update(users).set({ role: 'user' }).where(eq(users.id, owner.user.id))
  await expect(demote).rejects.toMatchObject({ cause: { code: 'SY409' } })
  const ban = app.db.update(users).set({ banned: true }).where(eq(users.id, owner.user.id))
  await expect(ban).rejects.toMatchObject({ cause: { code: 'SY409' } })
  await expect(app.db.delete(users).where(eq(users.id, owner.user.id))).rejects.toMatchObject({
    cause: { code: 'SY409' },
  })
})

test('an admin of the settings learns why the last admin stays', async () => {
  const listed = await app.signIn()
  const listing = await startTestApp({ database: app.database, auth: { adminUserIds: [listed.user.id] } })
  const boss = { ...listing.visitor(), cookies: listed.cookies }
  const headers = {
    cookie: [...listed.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'content-type': 'application/json',
  }
  const answer = await boss.fetch('/api/auth/admin/set-role', {
    method: 'POST',
    headers,
    body: JSON.stringify({ ...self(), role: 'user' }),
  })
  expect(await answer.json()).toMatchObject({
    status: 409,
    code: 'conflict',
    message: 'Это единственный администратор. Сначала назначьте ещё одного.',
  })
  expect(await stateOf(owner.user.id)).toMatchObject({ banned: false })
  await listing.close()
})
