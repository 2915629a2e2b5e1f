import { createHmac } from 'node:crypto'
import { createAuthEndpoint } from 'better-auth/api'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { accountApi } from '#contract/account.ts'
import { authApi } from '#contract/auth.ts'
import { authAdminApi } from '#contract/auth-admin.ts'
import { usersApi } from '#contract/users.ts'
import { balances, sessions, settings, users } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { startTestApp, testApp } from '#server/testing/app.ts'
import { DAY, HOUR, withClockForward } from '#server/testing/clock.ts'
import { createAuth } from './auth.ts'
import { sessionOf, sessionOfPageLoad, signedValue } from './session.ts'
import { errorOf, isSignedIn, linkIn, linkTo, newAddress } from './testing/steps.ts'

let ended: string[] = []
const app = await testApp({ auth: { onSessionEnded: (id) => ended.push(id) } })
beforeEach(() => {
  ended = []
})

const idsOf = async (userId: string) =>
  (await app.db.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, userId))).map(({ id }) => id)

async function twice() {
  const email = newAddress()
  const phone = await app.signIn(email)
  const laptop = await app.signIn(email)
  return { phone, laptop, userId: laptop.user.id, ids: (await idsOf(laptop.user.id)).sort() }
}

test('a session is created at sign-in and deleted at sign-out (S4.18)', async () => {
  const anna = await app.signIn()
  const ids = await idsOf(anna.user.id)
  expect(ids).toHaveLength(1)
  expect(await anna.call(authApi.signOut, {})).toEqual({ success: true })
  expect(await idsOf(anna.user.id)).toEqual([])
  expect(await isSignedIn(anna)).toBe(false)
  expect(ended).toEqual(ids)
})

test('sign-out without a session succeeds too', async () => {
  expect(await app.visitor().call(authApi.signOut, {})).toEqual({ success: true })
})

test('get-session is null for strangers, forged cookies and expired sessions', async () => {
  expect(await app.visitor().call(authApi.getSession, {})).toBeNull()
  const forger = app.visitor()
  forger.cookies.set('better-auth.session_token', 'forged.c2lnbmF0dXJl')
  expect(await forger.call(authApi.getSession, {})).toBeNull()
  const anna = await app.signIn()
  const ids = await idsOf(anna.user.id)
  expect(await withClockForward(7 * DAY + 1000, () => anna.call(authApi.getSession, {}))).toBeNull()
  expect(ended).toEqual(ids)
})

test('every new session has a profile, settings and a single starting gift', async () => {
  const { userId } = await twice()
  expect(await app.db.select().from(settings).where(eq(settings.userId, userId))).toHaveLength(1)
  expect(await app.db.select().from(balances).where(eq(balances.userId, userId))).toMatchObject([{ total: 20_000 }])
})

test('list-sessions shows every device', async () => {
  const { phone, ids } = await twice()
  const listed = await phone.call(accountApi.listSessions, {})
  expect(listed.map(({ id }) => id).sort()).toEqual(ids)
})

test('revoke-session ends only an own session of the user', async () => {
  const { phone, laptop, userId } = await twice()
  const stranger = await app.signIn()
  const [first] = await phone.call(accountApi.listSessions, {})
  const { session } = (await laptop.call(authApi.getSession, {})) ?? {}
  expect(first).toBeDefined()
  await stranger.call(accountApi.revokeSession, { body: { token: session?.token ?? '' } })
  expect(await isSignedIn(laptop)).toBe(true)
  await phone.call(accountApi.revokeSession, { body: { token: session?.token ?? '' } })
  expect([await isSignedIn(phone), await isSignedIn(laptop)]).toEqual([true, false])
  expect(ended).toEqual([session?.id])
  expect(await idsOf(userId)).toHaveLength(1)
})

test('revoke-other-sessions keeps the session that asks', async () => {
  const { phone, laptop } = await twice()
  await phone.call(accountApi.revokeOtherSessions, {})
  expect([await isSignedIn(phone), await isSignedIn(laptop)]).toEqual([true, false])
  expect(ended).toHaveLength(1)
})

test('revoke-sessions ends all of them', async () => {
  const { phone, laptop, ids } = await twice()
  await phone.call(accountApi.revokeSessions, {})
  expect([await isSignedIn(phone), await isSignedIn(laptop)]).toEqual([false, false])
  expect(ended.sort()).toEqual(ids)
})

test('an admin can end sessions, also by a ban or a removal (S6.1)', async () => {
  const admin = await app.signIn('owner@example.test')
  const actions = [
    (userId: string) => admin.call(authAdminApi.revokeUserSessions, { body: { userId } }),
    (userId: string) => admin.call(authAdminApi.banUser, { body: { userId } }),
    (userId: string) => admin.call(authAdminApi.updateUser, { body: { userId, data: { banned: true } } }),
    (userId: string) => admin.call(authAdminApi.removeUser, { body: { userId } }),
  ]
  for (const action of actions) {
    const { userId, ids, phone } = await twice()
    ended = []
    await action(userId)
    expect(ended.sort()).toEqual(ids)
    expect(await isSignedIn(phone)).toBe(false)
  }
  const { userId, ids } = await twice()
  const { sessions: listed } = await admin.call(authAdminApi.listUserSessions, { body: { userId } })
  ended = []
  await admin.call(authAdminApi.revokeUserSession, { body: { sessionToken: listed[0]?.token ?? '' } })
  expect(ended).toEqual([listed[0]?.id])
  expect(ids).toContain(listed[0]?.id)
})

test('deleting the account ends its sessions', async () => {
  const { laptop, phone, ids } = await twice()
  await laptop.call(accountApi.deleteUser, { body: {} })
  await laptop.fetch(linkTo(app, laptop.user.email, 'Удаление'))
  expect(ended.sort()).toEqual(ids)
  expect(await isSignedIn(phone)).toBe(false)
})

test('an owner who verifies the address by email ends all earlier sessions', async () => {
  const { auth } = app
  const email = newAddress()
  const context = await auth.$context
  const id = newId()
  await app.db.insert(users).values({ id, email, name: '' })
  const session = await context.internalAdapter.createSession(id)
  await app.signIn(email)
  expect(ended).toEqual([session.id])
})

test('a session that another instance ended is refused at the next request (S10.411)', async () => {
  const anna = await app.signIn()
  expect(await anna.call(usersApi.get, { params: { id: anna.user.id } })).toMatchObject({ id: anna.user.id })
  await app.db.delete(sessions).where(eq(sessions.userId, anna.user.id))
  const failure = await errorOf(anna.call(usersApi.get, { params: { id: anna.user.id } }))
  expect(failure).toMatchObject({ status: 401 })
})

test('only the first cookie of its name with our signature counts (S10.411)', () => {
  const signed = (value: string, secret = 'secret') =>
    `token=${encodeURIComponent(`${value}.${createHmac('sha256', secret).update(value).digest('base64')}`)}`
  expect(signedValue(signed('a.b'), 'token', 'secret')).toBe('a.b')
  expect(signedValue(`other=1; ${signed('anna')}; ${signed('boris')}`, 'token', 'secret')).toBe('anna')
  const refused = [null, '', 'token=', 'token=anna', 'token=anna.', 'token=%E0%A4%A', signed('anna', 'another')]
  for (const cookies of refused) expect(signedValue(cookies, 'token', 'secret')).toBeNull()
  expect(signedValue(signed('anna').replace('anna', 'boris'), 'token', 'secret')).toBeNull()
  expect(signedValue(signed('anna'), 'other', 'secret')).toBeNull()
})

test('calls that need a session answer 401 to strangers', async () => {
  const body = { newPassword: 'a password', currentPassword: 'a password' }
  const failure = await errorOf(app.visitor().call(accountApi.changePassword, { body }))
  expect(failure).toMatchObject({ status: 401 })
})

test('only a page load prolongs the session and sends the cookie', async () => {
  const anna = await app.signIn()
  const headers = new Headers({ cookie: [...anna.cookies].map(([name, value]) => `${name}=${value}`).join('; ') })
  const expiry = async () =>
    (await app.db.select().from(sessions).where(eq(sessions.userId, anna.user.id)))[0]?.expiresAt.getTime() ?? 0
  const start = await expiry()
  expect(await withClockForward(2 * DAY, () => sessionOf(app.auth, app.db, headers))).toMatchObject({
    user: { id: anna.user.id },
  })
  expect(await expiry()).toBe(start)
  const { session, cookies } = await withClockForward(2 * DAY, () => sessionOfPageLoad(app.auth, app.db, headers))
  expect(session?.user.id).toBe(anna.user.id)
  expect(cookies.join()).toMatch(/session_token=.*Max-Age=604800/)
  expect(await expiry()).toBeGreaterThan(start + 47 * HOUR)
  expect(await sessionOfPageLoad(app.auth, app.db, new Headers())).toEqual({ session: null, cookies: [] })
})

test('the session cookie is HttpOnly and Lax, and Secure under https', async () => {
  const anna = app.visitor()
  await anna.call(authApi.signInMagicLink, { body: { email: newAddress() } })
  const link = linkIn(app.outbox.at(-1) ?? { to: '', subject: '', text: '', html: '' }).replace('/open', '/verify')
  const [line = ''] = (await anna.fetch(link)).headers.getSetCookie()
  expect(line).toMatch(/^better-auth\.session_token=.+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/)
  const secure = createAuth({ ...authDeps(), appUrl: 'https://chat.example.test' })
  const { authCookies } = await secure.$context
  expect(authCookies.sessionToken).toMatchObject({
    name: '__Host-better-auth.session_token',
    attributes: { secure: true, httpOnly: true, sameSite: 'lax', path: '/' },
  })
  expect(authCookies.sessionToken.attributes.domain).toBeUndefined()
})

test('under https no other host can set the session cookie', async () => {
  const appUrl = 'https://chat.example.test'
  const https = await startTestApp({ auth: { appUrl, trustedOrigins: ['http://localhost:3000', appUrl] } })
  const anna = await https.signIn()
  const name = [...anna.cookies.keys()].find((cookie) => cookie.includes('session_token'))
  expect(name).toBe('__Host-better-auth.session_token')
  expect([...anna.cookies.keys()].every((cookie) => cookie.startsWith('__Host-'))).toBe(true)
  await anna.call(authApi.signOut, {})
  expect(await isSignedIn(anna)).toBe(false)
  await https.close()
})

test('cookie lifetime is capped at 400 days (S9.4)', async () => {
  const cookie = (days: number) =>
    createAuthEndpoint('/cookie', { method: 'GET' }, async (ctx) =>
      ctx.setCookie('a', 'b', { maxAge: (days * DAY) / 1000 }),
    )({})
  expect(await cookie(400)).toContain('Max-Age=34560000')
  await expect(cookie(401)).rejects.toThrow(/400 days/)
})

const authDeps = () => ({
  db: app.db,
  mail: async () => {},
  appName: 'Символ',
  appUrl: 'http://localhost:3000',
  secret: 'a secret for tests that is long enough',
  adminEmails: [],
  firstUserIsAdmin: false,
  onSignIn: async () => {},
  onSessionEnded: () => {},
})

const MINUTE_MS = 60_000
const anna = await app.signIn()

async function seenAfterCall(minutesAgo: number): Promise<{ before: number; after: number }> {
  const before = new Date(Date.now() - minutesAgo * MINUTE_MS)
  await app.db.update(users).set({ lastSeenAt: before }).where(eq(users.id, anna.user.id))
  await Promise.all([anna.call(usersApi.me, {}), anna.call(usersApi.me, {})])
  const [row] = await app.db.select({ at: users.lastSeenAt }).from(users).where(eq(users.id, anna.user.id))
  return { before: before.getTime(), after: row?.at.getTime() ?? 0 }
}

test('a visit is stored once an hour and costs nothing in between', async () => {
  const soon = await seenAfterCall(55)
  expect(soon.after).toBe(soon.before)
  const late = await seenAfterCall(65)
  expect(Date.now() - late.after).toBeLessThan(MINUTE_MS)
})

test('a user cannot set the time of the last visit', async () => {
  await anna.post('/api/auth/update-user', { lastSeenAt: '2001-01-01T00:00:00.000Z' })
  const [row] = await app.db.select({ at: users.lastSeenAt }).from(users).where(eq(users.id, anna.user.id))
  expect(row?.at.getFullYear()).toBeGreaterThan(2001)
})
