import { and, eq, like, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accountApi } from '#contract/account.ts'
import { apiKeysApi } from '#contract/api-keys.ts'
import { authApi } from '#contract/auth.ts'
import { sessions, verifications } from '#server/db/schema.ts'
import { testApp } from '#server/testing/app.ts'
import { HOUR, withClockForward } from '#server/testing/clock.ts'
import { emailsTo, errorOf, isSignedIn, linkTo, newAddress, PASSWORD, withPassword } from './testing/steps.ts'

const NEW_PASSWORD = 'another good password'
const REPLY = 'If this email exists in our system, check your email for the reset link'

const ended: string[] = []
const app = await testApp({ auth: { onSessionEnded: (id) => ended.push(id) } })

const sessionsOf = (userId: string) => app.db.select().from(sessions).where(eq(sessions.userId, userId))
const signIn = async (email: string, password: string) => {
  const visitor = app.visitor()
  await visitor.call(authApi.signInEmail, { body: { email, password } })
  return visitor
}

async function resetToken(email: string): Promise<string> {
  await app.visitor().call(accountApi.requestPasswordReset, { body: { email, redirectTo: '/auth/signin' } })
  return new URL(linkTo(app, email, 'Новый пароль')).pathname.split('/').at(-1) ?? ''
}

test('change-password returns no token and the user when other sessions stay', async () => {
  const anna = await withPassword(app)
  const other = await signIn(anna.email, PASSWORD)
  const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
  const answer = await anna.call(accountApi.changePassword, { body })
  expect(answer).toMatchObject({ token: null, user: { id: anna.user.id } })
  expect(await isSignedIn(other)).toBe(true)
  expect(await errorOf(signIn(anna.email, PASSWORD))).toMatchObject({ code: 'INVALID_EMAIL_OR_PASSWORD' })
  await signIn(anna.email, NEW_PASSWORD)
})

test('a password change with revoke-others replaces all sessions with a new session (S4.20)', async () => {
  const anna = await withPassword(app)
  const other = await signIn(anna.email, PASSWORD)
  const before = await sessionsOf(anna.user.id)
  const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, revokeOtherSessions: true }
  const { token } = await anna.call(accountApi.changePassword, { body })
  const after = await sessionsOf(anna.user.id)
  expect(after.map((session) => session.token)).toEqual([token])
  expect(before.map(({ id }) => id)).not.toContain(after[0]?.id)
  expect(ended).toEqual(expect.arrayContaining(before.map(({ id }) => id)))
  expect([await isSignedIn(anna), await isSignedIn(other)]).toEqual([true, false])
})

test('a password change ends API keys like other sessions, or as asked (S10.1233)', async () => {
  const keysLeft = async (choice: { revokeOtherSessions?: boolean; endApiKeys?: boolean }) => {
    const anna = await withPassword(app)
    await anna.call(apiKeysApi.create, { body: { name: 'n8n' } })
    await anna.call(accountApi.changePassword, {
      body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, ...choice },
    })
    const { keys } = await anna.call(apiKeysApi.list, {})
    return keys.filter(({ endedAt }) => endedAt === null).length
  }
  expect(await keysLeft({ revokeOtherSessions: true })).toBe(0)
  expect(await keysLeft({ revokeOtherSessions: true, endApiKeys: false })).toBe(1)
  expect(await keysLeft({ endApiKeys: true })).toBe(0)
  expect(await keysLeft({})).toBe(1)
})

test('a rejected password change ends no API key (S10.1233)', async () => {
  const anna = await withPassword(app)
  await anna.call(apiKeysApi.create, { body: { name: 'n8n' } })
  const body = { currentPassword: 'not the password', newPassword: NEW_PASSWORD, endApiKeys: true }
  await errorOf(anna.call(accountApi.changePassword, { body }))
  expect((await anna.call(apiKeysApi.list, {})).keys).toMatchObject([{ endedAt: null }])
})

test('change-password refuses wrong, short and long passwords, and users without a password (S5.5, S8.27)', async () => {
  const anna = await withPassword(app)
  const change = (currentPassword: string, newPassword: string, visitor: Pick<typeof anna, 'call'> = anna) =>
    errorOf(visitor.call(accountApi.changePassword, { body: { currentPassword, newPassword } }))
  expect(await change('not the password', NEW_PASSWORD)).toMatchObject({ status: 400, code: 'INVALID_PASSWORD' })
  expect(await change(PASSWORD, 'short')).toMatchObject({ status: 400, code: 'PASSWORD_TOO_SHORT' })
  expect(await change(PASSWORD, 'x'.repeat(129))).toMatchObject({ status: 400, code: 'PASSWORD_TOO_LONG' })
  const signedInByEmail = await app.signIn()
  const failure = await change(PASSWORD, NEW_PASSWORD, signedInByEmail)
  expect(failure).toMatchObject({ status: 400, code: 'CREDENTIAL_ACCOUNT_NOT_FOUND' })
})

test('a reset request answers the same for known and unknown addresses (S7.25, S8.59)', async () => {
  const anna = await withPassword(app)
  const unknown = newAddress('unknown')
  for (const endpoint of [accountApi.requestPasswordReset, accountApi.forgetPassword]) {
    for (const email of [anna.email, unknown]) {
      expect(await app.visitor().call(endpoint, { body: { email } })).toEqual({ status: true, message: REPLY })
    }
  }
  expect(emailsTo(app, anna.email).filter(({ subject }) => subject.includes('Новый пароль'))).toHaveLength(2)
  expect(emailsTo(app, unknown)).toHaveLength(0)
})

test('a reset token has 24 characters and lives 3600 s (S3.5, S4.13, S9.4)', async () => {
  const anna = await withPassword(app)
  const requestedAt = Date.now()
  const token = await resetToken(anna.email)
  expect(token).toMatch(/^[A-Za-z0-9]{24}$/)
  const [row] = await app.db
    .select()
    .from(verifications)
    .where(and(like(verifications.identifier, 'reset-password:%'), eq(verifications.value, anna.user.id)))
  expect(row?.identifier).toBe(`reset-password:${token}`)
  const lifetime = (row?.expiresAt.getTime() ?? 0) - requestedAt
  expect(Math.round(lifetime / 10_000)).toBe(360)
})

test('the email’s link redirects with the token, or with error=INVALID_TOKEN (S7.29)', async () => {
  const anna = await withPassword(app)
  await app.visitor().call(accountApi.requestPasswordReset, { body: { email: anna.email } })
  const link = linkTo(app, anna.email, 'Новый пароль')
  const token = new URL(link).pathname.split('/').at(-1)
  const good = await app.visitor().fetch(link)
  expect(good.headers.get('location')).toBe(`http://localhost:3000/auth/signin?mode=reset&token=${token}`)
  const wrong = 'http://localhost:3000/auth/signin?mode=reset&error=INVALID_TOKEN'
  expect((await app.visitor().fetch(link.replace(`${token}`, 'x'))).headers.get('location')).toBe(wrong)
  const late = await withClockForward(HOUR + 1000, () => app.visitor().fetch(link))
  expect(late.headers.get('location')).toBe(wrong)
})

test('a reset token works once, from the body or the query (S1.2, S4.13, S5.5, S5.7, S7.29, S8.27)', async () => {
  const anna = await withPassword(app)
  const token = await resetToken(anna.email)
  const reset = (newPassword: string) => app.visitor().call(accountApi.resetPassword, { body: { newPassword, token } })
  expect(await errorOf(reset('short'))).toMatchObject({ code: 'PASSWORD_TOO_SHORT' })
  expect(await errorOf(reset('x'.repeat(129)))).toMatchObject({ code: 'PASSWORD_TOO_LONG' })
  expect(await reset(NEW_PASSWORD)).toEqual({ status: true })
  expect(await errorOf(reset(NEW_PASSWORD))).toMatchObject({ status: 400, code: 'INVALID_TOKEN' })
  await signIn(anna.email, NEW_PASSWORD)
  const second = await resetToken(anna.email)
  const byQuery = await app.visitor().post(`/api/auth/reset-password?token=${second}`, { newPassword: PASSWORD })
  expect(byQuery.status).toBe(200)
  const none = await app.visitor().post('/api/auth/reset-password', { newPassword: PASSWORD })
  expect(await none.json()).toEqual({ status: 400, code: 'INVALID_TOKEN', message: 'Invalid token' })
})

test('an expired reset token is INVALID_TOKEN (S4.13, S5.7, S9.4)', async () => {
  const anna = await withPassword(app)
  const token = await resetToken(anna.email)
  const reset = () => errorOf(app.visitor().call(accountApi.resetPassword, { body: { newPassword: PASSWORD, token } }))
  expect(await withClockForward(HOUR + 1000, reset)).toMatchObject({ status: 400, code: 'INVALID_TOKEN' })
})

test('a reset ends every session', async () => {
  const anna = await withPassword(app)
  const before = await sessionsOf(anna.user.id)
  const token = await resetToken(anna.email)
  await app.visitor().call(accountApi.resetPassword, { body: { newPassword: NEW_PASSWORD, token } })
  expect(await isSignedIn(anna)).toBe(false)
  expect(ended).toEqual(expect.arrayContaining(before.map(({ id }) => id)))
})

test('a change that fails midway changes nothing (S4.20)', async () => {
  const anna = await withPassword(app)
  await app.db.execute(sql`create function refuse() returns trigger as $$ begin raise 'no'; end $$ language plpgsql`)
  await app.db.execute(sql`create trigger refuse before insert on sessions execute function refuse()`)
  const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, revokeOtherSessions: true }
  const answer = await anna.post('/api/auth/change-password', body)
  await app.db.execute(sql`drop trigger refuse on sessions`)
  expect(answer.status).toBe(500)
  expect(await isSignedIn(anna)).toBe(true)
  await signIn(anna.email, PASSWORD)
})
