import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accountApi } from '#contract/account.ts'
import { authApi } from '#contract/auth.ts'
import { authAdminApi } from '#contract/auth-admin.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { users } from '#server/db/schema.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'
import { errorOf, isSignedIn, newAddress, PASSWORD } from './testing/steps.ts'

const app = await testApp()
const admin = await app.signIn('owner@example.test')

const roleOf = async (id: string) =>
  (await app.db.select({ role: users.role }).from(users).where(eq(users.id, id)))[0]?.role

const permissions = {
  user: ['create', 'list', 'set-role', 'ban', 'impersonate', 'delete', 'set-password', 'get', 'update'],
  session: ['list', 'revoke', 'delete'],
}

test('an admin has all permissions on users and sessions, users lack them (S6.1)', async () => {
  const user = await app.signIn()
  for (const [resource, actions] of Object.entries(permissions)) {
    for (const action of actions) {
      const body = { permissions: { [resource]: [action] } }
      expect([action, (await admin.call(authAdminApi.hasPermission, { body })).success]).toEqual([action, true])
      expect([action, (await user.call(authAdminApi.hasPermission, { body })).success]).toEqual([action, false])
    }
  }
})

test('an admin has nothing beyond that table', async () => {
  for (const action of ['set-email', 'impersonate-admins']) {
    const body = { permissions: { user: [action] } }
    expect((await admin.call(authAdminApi.hasPermission, { body })).success).toBe(false)
  }
  const anna = await app.signIn()
  const body = { userId: anna.user.id, data: { email: newAddress() } }
  expect(await errorOf(admin.call(authAdminApi.updateUser, { body }))).toMatchObject({ status: 403 })
})

test('every admin call is refused to users and strangers (S6.1)', async () => {
  const user = await app.signIn()
  const endpoints: Endpoint[] = Object.values(authAdminApi)
  for (const { method, path, who } of endpoints.filter(({ who }) => who === 'admin')) {
    const body = {
      userId: admin.user.id,
      role: 'user',
      data: { name: 'Х' },
      email: newAddress(),
      name: 'Х',
      newPassword: PASSWORD,
      sessionToken: 'x',
    }
    const ask = (visitor: Pick<SignedIn, 'fetch' | 'post'>) =>
      method === 'GET' ? visitor.fetch(`${path}?id=${admin.user.id}`) : visitor.post(path, body)
    expect([path, who, (await ask(user)).status]).toEqual([path, who, 403])
    expect([path, who, (await ask(app.visitor())).status]).toEqual([path, who, 401])
  }
  expect(await roleOf(admin.user.id)).toBe('admin')
})

test('the library itself rejects a user without our check (S6.1)', async () => {
  const user = await app.signIn()
  const headers = new Headers({ cookie: [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ') })
  await expect(app.auth.api.listUsers({ headers, query: {} })).rejects.toMatchObject({ statusCode: 403 })
  const body = { userId: user.user.id, role: 'admin' as const }
  await expect(app.auth.api.setRole({ headers, body })).rejects.toMatchObject({ statusCode: 403 })
})

test('list-users pages, sorts and searches (S1.29, S6.1)', async () => {
  const address = newAddress('findme')
  await app.signIn(address)
  const found = await admin.call(authAdminApi.listUsers, { query: { searchValue: 'findme', limit: 10 } })
  expect(found).toMatchObject({ total: 1, users: [{ email: address }] })
  const page = await admin.call(authAdminApi.listUsers, {
    query: { limit: 1, offset: 1, sortBy: 'createdAt', sortDirection: 'asc' },
  })
  expect(page.users).toHaveLength(1)
  expect(page.total).toBeGreaterThan(1)
})

test('an admin creates, reads, updates and removes a user (S1.29, S6.1)', async () => {
  const email = newAddress('made')
  const { user } = await admin.call(authAdminApi.createUser, { body: { email, name: 'Новый', password: PASSWORD } })
  expect(user).toMatchObject({ email, role: 'user' })
  expect(await admin.call(authAdminApi.getUser, { query: { id: user.id } })).toMatchObject({ name: 'Новый' })
  const body = { userId: user.id, data: { name: 'Другой' } }
  expect(await admin.call(authAdminApi.updateUser, { body })).toMatchObject({ name: 'Другой' })
  expect(await admin.call(authAdminApi.removeUser, { body: { userId: user.id } })).toEqual({ success: true })
  expect(await roleOf(user.id)).toBeUndefined()
})

test('an admin sets a user’s password within the same rules (S6.1)', async () => {
  const anna = await app.signIn()
  const set = (newPassword: string) =>
    admin.call(authAdminApi.setUserPassword, { body: { userId: anna.user.id, newPassword } })
  expect(await errorOf(set('short'))).toMatchObject({ code: 'PASSWORD_TOO_SHORT' })
  expect(await set(PASSWORD)).toEqual({ status: true })
  await app.visitor().call(authApi.signInEmail, { body: { email: anna.user.email, password: PASSWORD } })
})

test('set-role knows only admin and user (S6.1)', async () => {
  const anna = await app.signIn()
  const answer = await admin.post('/api/auth/admin/set-role', { userId: anna.user.id, role: 'emperor' })
  expect(answer.status).toBe(400)
  expect(await roleOf(anna.user.id)).toBe('user')
})

test('roles may be comma-separated, and a single matching role is enough (S6.1, S6.15)', async () => {
  const anna = await app.signIn()
  await admin.call(authAdminApi.setRole, { body: { userId: anna.user.id, role: ['user', 'admin'] } })
  expect(await roleOf(anna.user.id)).toBe('user,admin')
  expect(await anna.call(authAdminApi.listUsers, { query: { limit: 1 } })).toMatchObject({ users: [{}] })
})

test('impersonation shows the user’s session for an hour and stop-impersonating leads back (S6.1)', async () => {
  const anna = await app.signIn()
  const boss = await app.signIn('owner@example.test')
  const started = await boss.call(authAdminApi.impersonateUser, { body: { userId: anna.user.id } })
  expect(started.user.id).toBe(anna.user.id)
  expect(started.session.impersonatedBy).toBe(boss.user.id)
  const minutes = (Date.parse(started.session.expiresAt) - Date.now()) / 60_000
  expect(Math.round(minutes)).toBe(60)
  expect((await boss.call(authApi.getSession, {}))?.user.id).toBe(anna.user.id)
  const back = await boss.call(authAdminApi.stopImpersonating, {})
  expect(back.user.id).toBe(boss.user.id)
  expect((await boss.call(authApi.getSession, {}))?.user.id).toBe(boss.user.id)
})

test('an impersonated session has no admin rights and cannot change the account', async () => {
  const anna = await app.signIn()
  const boss = await app.signIn('owner@example.test')
  await boss.call(authAdminApi.impersonateUser, { body: { userId: anna.user.id } })
  expect(await errorOf(boss.call(authAdminApi.listUsers, { query: {} }))).toMatchObject({ status: 403 })
  const tries = [
    boss.call(accountApi.createPassword, { body: { newPassword: PASSWORD } }),
    boss.call(accountApi.changeEmail, { body: { newEmail: newAddress() } }),
    boss.call(accountApi.deleteUser, { body: {} }),
    boss.call(accountApi.linkSocial, { body: { provider: 'vk' } }),
    boss.call(accountApi.revokeSessions, {}),
  ]
  for (const failure of await Promise.all(tries.map(errorOf))) {
    expect(failure).toMatchObject({ status: 403, code: 'impersonated' })
  }
  expect(await isSignedIn(anna)).toBe(true)
  expect(await anna.call(accountApi.listSessions, {})).toHaveLength(1)
})

test('an admin cannot impersonate admins, or ban or remove their own account', async () => {
  const other = await app.signIn()
  await admin.call(authAdminApi.setRole, { body: { userId: other.user.id, role: 'admin' } })
  const impersonate = admin.call(authAdminApi.impersonateUser, { body: { userId: other.user.id } })
  expect(await errorOf(impersonate)).toMatchObject({ status: 403 })
  const self = { body: { userId: admin.user.id } }
  expect(await errorOf(admin.call(authAdminApi.banUser, self))).toMatchObject({ code: 'YOU_CANNOT_BAN_YOURSELF' })
  expect(await errorOf(admin.call(authAdminApi.removeUser, self))).toMatchObject({ status: 400 })
})

test('stop-impersonating without impersonation is a 400', async () => {
  const anna = await app.signIn()
  expect(await errorOf(anna.call(authAdminApi.stopImpersonating, {}))).toMatchObject({
    status: 400,
    code: 'YOU_ARE_NOT_IMPERSONATING_ANYONE',
  })
})
