import { eq } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { pageApi } from '#contract/page.ts'
import { users } from '#server/db/schema.ts'
import { startTestApp, type TestApp, type TestAppOptions } from '#server/testing/app.ts'
import { hasRole, promoteIfDue } from './roles.ts'
import { newAddress, PASSWORD } from './testing/steps.ts'

let open: TestApp[] = []
async function start(auth: TestAppOptions['auth'] = {}) {
  const app = await startTestApp({ auth })
  open.push(app)
  return app
}
afterEach(async () => {
  for (const app of open) await app.close()
  open = []
})

test('a single matching role of several comma-separated roles is enough (S6.15)', () => {
  expect(hasRole('user,admin', 'admin')).toBe(true)
  expect(hasRole('user, admin', 'admin')).toBe(true)
  expect(hasRole('superadmin', 'admin')).toBe(false)
  expect(hasRole(null, 'admin')).toBe(false)
})

test('addresses of the settings become admins once they are verified', async () => {
  const app = await start({ adminEmails: ['boss@example.test', 'late@example.test'] })
  expect((await app.signIn('boss@example.test')).user.role).toBe('admin')
  expect((await app.signIn()).user.role).toBe('user')
  const late = await app.signIn('late@example.test')
  await app.db.update(users).set({ role: 'user' }).where(eq(users.id, late.user.id))
  expect((await app.signIn('late@example.test')).user.role).toBe('admin')
})

test('an unverified address never becomes an admin', async () => {
  const app = await start({ adminEmails: ['boss@example.test'] })
  const visitor = app.visitor()
  await visitor.post('/api/auth/sign-up/email', { email: 'boss@example.test', password: PASSWORD, name: 'Самозванец' })
  const [row] = await app.db.select().from(users).where(eq(users.email, 'boss@example.test'))
  await promoteIfDue({ db: app.db, adminEmails: ['boss@example.test'], firstUserIsAdmin: false }, row?.id ?? '', true)
  const [after] = await app.db.select().from(users).where(eq(users.email, 'boss@example.test'))
  expect([after?.emailVerified, after?.role]).toEqual([false, 'user'])
})

test('without configured addresses only the first account becomes an admin', async () => {
  const app = await start({ adminEmails: [], firstUserIsAdmin: true })
  const first = await app.signIn()
  const second = await app.signIn()
  expect([first.user.role, second.user.role]).toEqual(['admin', 'user'])
  expect((await app.signIn(second.user.email)).user.role).toBe('user')
})

test('an earlier unverified account does not block the first admin', async () => {
  const app = await start({ adminEmails: [], firstUserIsAdmin: true })
  await app.visitor().post('/api/auth/sign-up/email', { email: newAddress(), password: PASSWORD, name: 'Б' })
  expect((await app.signIn()).user.role).toBe('admin')
})

test('ten people who arrive at once make a single admin', async () => {
  const app = await start({ adminEmails: [], firstUserIsAdmin: true })
  const people = await Promise.all(Array.from({ length: 10 }, () => app.signIn()))
  await Promise.all(people.map(({ user }) => app.signIn(user.email)))
  const rows = await app.db.select({ role: users.role }).from(users)
  expect(rows.filter(({ role }) => role === 'admin')).toHaveLength(1)
})

test('a listed admin user id is always allowed (S6.15)', async () => {
  const listed: string[] = []
  const app = await start({ adminUserIds: listed })
  const anna = await app.signIn()
  expect(anna.user.role).toBe('user')
  expect((await anna.fetch('/api/auth/admin/list-users')).status).toBe(403)
  listed.push(anna.user.id)
  expect((await anna.call(pageApi.state, {})).user?.role).toBe('admin')
  expect((await anna.fetch('/api/auth/admin/list-users')).status).toBe(200)
})

test('no user can give themselves the admin role', async () => {
  const app = await start()
  const body = { email: newAddress(), password: PASSWORD, name: 'Х', role: 'admin' }
  expect((await app.visitor().post('/api/auth/sign-up/email', body)).status).toBe(400)
  const anna = await app.signIn()
  for (const change of [{ role: 'admin' }, { name: 'Анна', role: 'admin' }, { banned: false }]) {
    expect((await anna.post('/api/auth/update-user', change)).status).toBe(400)
  }
  expect((await anna.call(pageApi.state, {})).user?.role).toBe('user')
})
