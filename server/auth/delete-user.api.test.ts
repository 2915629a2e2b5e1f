import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accountApi } from '#contract/account.ts'
import { accounts, users, verifications } from '#server/db/schema.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { DAY, withClockForward } from '#server/testing/clock.ts'
import { emailsTo, errorOf, isSignedIn, linkTo, newAddress, PASSWORD, withPassword } from './testing/steps.ts'

const DELETED = { success: true, message: 'User deleted' }
const SENT = { success: true, message: 'Verification email sent' }

const app = await testApp()

const exists = async (id: string) => (await app.db.select().from(users).where(eq(users.id, id))).length > 0

async function emailFor(anna: Awaited<ReturnType<TestApp['signIn']>>) {
  expect(await anna.call(accountApi.deleteUser, { body: { callbackURL: '/auth/signin' } })).toEqual(SENT)
  const link = linkTo(app, anna.user.email, 'Удаление')
  return { link, token: new URL(link).searchParams.get('token') ?? '' }
}

test('with a password the account is deleted at once, in any session (S1.2, S5.16)', async () => {
  const anna = await withPassword(app)
  const answer = await withClockForward(2 * DAY, () =>
    anna.call(accountApi.deleteUser, { body: { password: PASSWORD } }),
  )
  expect(answer).toEqual(DELETED)
  expect(await exists(anna.user.id)).toBe(false)
  expect(await app.db.select().from(accounts).where(eq(accounts.userId, anna.user.id))).toEqual([])
  expect(await isSignedIn(anna)).toBe(false)
})

test('a wrong password is INVALID_PASSWORD, a missing password CREDENTIAL_ACCOUNT_NOT_FOUND (S5.16, S8.27)', async () => {
  const anna = await withPassword(app)
  const wrong = await errorOf(anna.call(accountApi.deleteUser, { body: { password: 'not the password' } }))
  expect(wrong).toMatchObject({ status: 400, code: 'INVALID_PASSWORD' })
  const signedInByEmail = await app.signIn()
  const none = await errorOf(signedInByEmail.call(accountApi.deleteUser, { body: { password: PASSWORD } }))
  expect(none).toMatchObject({ status: 400, code: 'CREDENTIAL_ACCOUNT_NOT_FOUND' })
  expect([await exists(anna.user.id), await exists(signedInByEmail.user.id)]).toEqual([true, true])
})

test('without password or token the session must be fresh, else SESSION_EXPIRED (S5.16, S8.27, S9.17)', async () => {
  // Signed in by email, so that the email of the sign-in is the only one.
  const anna = await app.signIn('not-fresh@example.test')
  const stale = await withClockForward(DAY, () => errorOf(anna.call(accountApi.deleteUser, { body: {} })))
  expect(stale).toMatchObject({ status: 400, code: 'SESSION_EXPIRED' })
  expect(emailsTo(app, anna.user.email)).toHaveLength(1)
})

test('a fresh session gets an email whose link deletes the account (S1.2)', async () => {
  const anna = await app.signIn()
  const { link } = await emailFor(anna)
  expect(await exists(anna.user.id)).toBe(true)
  const answer = await anna.fetch(link)
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/auth/signin'])
  expect(await exists(anna.user.id)).toBe(false)
})

test('a delete token has 32 characters, lives 24 h and works once (S3.5, S4.16, S9.4)', async () => {
  const anna = await app.signIn()
  const requestedAt = Date.now()
  const { token, link } = await emailFor(anna)
  expect(token).toMatch(/^[0-9a-z]{32}$/)
  const rows = () => app.db.select().from(verifications).where(eq(verifications.value, anna.user.id))
  const [row] = await rows()
  expect(row?.identifier).toBe(`delete-account-${token}`)
  expect(Math.round(((row?.expiresAt.getTime() ?? 0) - requestedAt) / 60_000)).toBe(24 * 60)
  const late = await withClockForward(DAY + 1000, () => anna.fetch(link))
  expect([late.status, await late.json()]).toMatchObject([404, { code: 'INVALID_TOKEN' }])
  const second = await emailFor(anna)
  await anna.fetch(second.link)
  expect((await rows()).map(({ identifier }) => identifier)).not.toContain(`delete-account-${second.token}`)
})

test('the token may also be given in the body', async () => {
  const anna = await app.signIn()
  const { token } = await emailFor(anna)
  const wrong = await errorOf(anna.call(accountApi.deleteUser, { body: { token: 'nonsense' } }))
  expect(wrong).toMatchObject({ status: 404, code: 'INVALID_TOKEN' })
  expect(await anna.call(accountApi.deleteUser, { body: { token } })).toEqual(DELETED)
  expect(await exists(anna.user.id)).toBe(false)
  expect([...anna.cookies.keys()]).toEqual(['device'])
})

test('the link deletes the account only in its owner’s session', async () => {
  const anna = await app.signIn()
  const { link } = await emailFor(anna)
  const scanner = await app.visitor().fetch(link)
  expect([scanner.status, await scanner.json()]).toMatchObject([404, { code: 'FAILED_TO_GET_USER_INFO' }])
  expect(await exists(anna.user.id)).toBe(true)
  await (await app.signIn()).fetch(link)
  expect(await exists(anna.user.id)).toBe(true)
})

test('the link without a session shows the error page, not JSON', async () => {
  const anna = await app.signIn()
  const { link } = await emailFor(anna)
  const answer = await app.visitor().fetch(link, { headers: { accept: 'text/html,*/*' } })
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/error?error=FAILED_TO_GET_USER_INFO'])
})

test('a user without a real address deletes with a fresh session alone', async () => {
  const anna = await app.signIn()
  const email = `${newAddress('t2').split('@')[0]}@reddit.placeholder.invalid`
  await app.db.update(users).set({ email }).where(eq(users.id, anna.user.id))
  expect(await anna.call(accountApi.deleteUser, { body: {} })).toEqual(DELETED)
  expect(await exists(anna.user.id)).toBe(false)
  expect(emailsTo(app, email)).toEqual([])
})

test('deleting needs a session', async () => {
  expect(await errorOf(app.visitor().call(accountApi.deleteUser, { body: {} }))).toMatchObject({ status: 401 })
})
