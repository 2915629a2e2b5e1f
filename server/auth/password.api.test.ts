import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accountApi } from '#contract/account.ts'
import { authApi } from '#contract/auth.ts'
import { accounts } from '#server/db/schema.ts'
import { testApp } from '#server/testing/app.ts'
import { DAY, HOUR, withClockForward } from '#server/testing/clock.ts'
import { emailsTo, errorOf, follow, isSignedIn, linkTo, newAddress, PASSWORD, withPassword } from './testing/steps.ts'

const app = await testApp()

const signIn = (email: string, password: string) =>
  app.visitor().call(authApi.signInEmail, { body: { email, password } })

test('sign-in by e-mail returns redirect, token, url and user (S1.2)', async () => {
  const anna = await withPassword(app)
  const visitor = app.visitor()
  const body = { email: anna.email, password: PASSWORD, callbackURL: '/threads' }
  const answer = await visitor.call(authApi.signInEmail, { body })
  expect(answer).toMatchObject({ redirect: true, url: '/threads', token: expect.any(String) })
  expect(answer.user).toMatchObject({ id: anna.user.id, email: anna.email, name: 'Анна', image: null })
  expect(answer.user).toMatchObject({
    emailVerified: true,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  expect(await isSignedIn(visitor)).toBe(true)
})

test('without a callbackURL the url of the answer is null, not missing', async () => {
  const anna = await withPassword(app)
  const answer = await app.visitor().post('/api/auth/sign-in/email', { email: anna.email, password: PASSWORD })
  const body: object = JSON.parse(await answer.text())
  expect(Object.keys(body).sort()).toEqual(['redirect', 'token', 'url', 'user'])
  expect(body).toMatchObject({ redirect: false, url: null })
})

test('without a callbackURL there is nowhere to redirect to', async () => {
  const anna = await withPassword(app)
  expect(await signIn(anna.email, PASSWORD)).toMatchObject({ redirect: false })
})

test('sign-in e-mail must be valid, else INVALID_EMAIL (S5.1, S8.27)', async () => {
  expect(await errorOf(signIn('nonsense', PASSWORD))).toMatchObject({ status: 400, code: 'INVALID_EMAIL' })
})

test('wrong e-mail, missing credential account and wrong password all give INVALID_EMAIL_OR_PASSWORD (S5.1, S8.27)', async () => {
  const anna = await withPassword(app)
  const signedInByEmail = await app.signIn()
  const failures = await Promise.all([
    errorOf(signIn(newAddress('unknown'), PASSWORD)),
    errorOf(signIn(signedInByEmail.user.email, PASSWORD)),
    errorOf(signIn(anna.email, 'not the password')),
  ])
  for (const failure of failures) {
    expect(failure).toEqual({ status: 401, code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' })
  }
})

test('unverified users get EMAIL_NOT_VERIFIED and a new verification email (S4.11, S8.27)', async () => {
  const email = newAddress()
  const visitor = app.visitor()
  const { token, user } = await visitor.call(accountApi.signUpEmail, { body: { email, password: PASSWORD, name: 'Б' } })
  expect([token, user.emailVerified]).toEqual([null, false])
  expect(await isSignedIn(visitor)).toBe(false)
  expect(await errorOf(signIn(email, PASSWORD))).toMatchObject({ status: 403, code: 'EMAIL_NOT_VERIFIED' })
  expect(emailsTo(app, email)).toHaveLength(2)
})

test('the verification token lives 1 h (S9.4)', async () => {
  const email = newAddress()
  const visitor = app.visitor()
  await visitor.call(accountApi.signUpEmail, { body: { email, password: PASSWORD, name: 'Б', callbackURL: '/help' } })
  const link = linkTo(app, email)
  const expired = await withClockForward(HOUR + 1000, () => follow(app.visitor(), link))
  expect(expired.headers.get('location')).toBe('/help?error=TOKEN_EXPIRED')
  const inTime = await withClockForward(HOUR - 5000, () => follow(visitor, link))
  expect(inTime.headers.get('location')).toBe('/help')
  expect(await signIn(email, PASSWORD)).toMatchObject({ user: { emailVerified: true } })
})

test('a mail scanner that only opens the verification link verifies nothing', async () => {
  const email = newAddress()
  await app.visitor().call(accountApi.signUpEmail, { body: { email, password: PASSWORD, name: 'Б' } })
  expect((await app.visitor().fetch(linkTo(app, email))).status).toBe(200)
  expect(await errorOf(signIn(email, PASSWORD))).toMatchObject({ code: 'EMAIL_NOT_VERIFIED' })
})

test('verify-email without a callbackURL answers in JSON (S8.27)', async () => {
  const failure = await errorOf(app.visitor().call(accountApi.verifyEmail, { query: { token: 'nonsense' } }))
  expect(failure).toEqual({ status: 401, code: 'INVALID_TOKEN', message: 'Invalid token' })
  const redirected = await app.visitor().fetch('/api/auth/verify-email?token=nonsense&callbackURL=/help')
  expect(redirected.headers.get('location')).toBe('/help?error=INVALID_TOKEN')
})

test('a repeated verification request never reveals whether the address is known', async () => {
  const email = newAddress()
  await app.visitor().call(accountApi.signUpEmail, { body: { email, password: PASSWORD, name: 'Б' } })
  expect(await app.visitor().call(authApi.sendVerificationEmail, { body: { email } })).toEqual({ status: true })
  const unknown = newAddress('unknown')
  expect(await app.visitor().call(authApi.sendVerificationEmail, { body: { email: unknown } })).toEqual({
    status: true,
  })
  expect(emailsTo(app, email)).toHaveLength(2)
  expect(emailsTo(app, unknown)).toHaveLength(0)
})

test('sign-up with an address that has an account is USER_ALREADY_EXISTS (422) (S8.27)', async () => {
  const anna = await withPassword(app)
  const body = { email: anna.email.toUpperCase(), password: PASSWORD, name: 'Двойник' }
  const failure = await errorOf(app.visitor().call(accountApi.signUpEmail, { body }))
  expect(failure).toEqual({ status: 422, code: 'USER_ALREADY_EXISTS', message: 'User already exists.' })
})

test('sign-up with an invalid address is INVALID_EMAIL (S8.27)', async () => {
  const body = { email: 'nonsense', password: PASSWORD, name: 'Б' }
  expect(await errorOf(app.visitor().call(accountApi.signUpEmail, { body }))).toMatchObject({ code: 'INVALID_EMAIL' })
})

test('a new password has at least 8 and at most 128 characters (S5.5, S8.27, S9.17)', async () => {
  const signUp = (password: string) =>
    app.visitor().call(accountApi.signUpEmail, { body: { email: newAddress(), password, name: 'Б' } })
  expect(await errorOf(signUp('1234567'))).toMatchObject({ status: 400, code: 'PASSWORD_TOO_SHORT' })
  expect(await errorOf(signUp('x'.repeat(129)))).toMatchObject({ status: 400, code: 'PASSWORD_TOO_LONG' })
  await signUp('12345678')
  await signUp('x'.repeat(128))
})

test('sign-up and update-user refuse a name that is too long', async () => {
  const body = { email: newAddress(), password: PASSWORD, name: 'Я'.repeat(101) }
  expect(await errorOf(app.visitor().call(accountApi.signUpEmail, { body }))).toMatchObject({ status: 400 })
  const anna = await app.signIn()
  expect(await errorOf(anna.call(accountApi.updateUser, { body: { name: 'Я'.repeat(101) } }))).toMatchObject({
    status: 400,
  })
  const image = { body: { image: 'https://tracker.example/pixel.png' } }
  expect(await errorOf(anna.call(accountApi.updateUser, image))).toMatchObject({ status: 400 })
  expect(await anna.call(accountApi.updateUser, { body: { name: 'Анна' } })).toEqual({ status: true })
})

test('the password is stored as a hash (S3.5)', async () => {
  const anna = await withPassword(app)
  const [account] = await app.db.select().from(accounts).where(eq(accounts.userId, anna.user.id))
  expect(account).toMatchObject({ providerId: 'credential', accountId: anna.user.id })
  expect(account?.password).not.toContain(PASSWORD)
})

test('set-password is server-only: over HTTP there is no such call (S7.36)', async () => {
  const anna = await app.signIn()
  expect((await anna.post('/api/auth/set-password', { newPassword: PASSWORD })).status).toBe(404)
})

test('a user who signed in by email can create a password once (S5.15, S7.36)', async () => {
  const anna = await app.signIn()
  const create = (newPassword: string) => anna.call(accountApi.createPassword, { body: { newPassword } })
  expect(await errorOf(create('short'))).toMatchObject({ code: 'PASSWORD_TOO_SHORT' })
  expect(await errorOf(create('x'.repeat(129)))).toMatchObject({ code: 'PASSWORD_TOO_LONG' })
  expect(await create(PASSWORD)).toEqual({ status: true })
  expect(await errorOf(create(PASSWORD))).toMatchObject({ status: 400, code: 'PASSWORD_ALREADY_SET' })
  expect(await signIn(anna.user.email, PASSWORD)).toMatchObject({ user: { id: anna.user.id } })
})

test('creating a password needs a fresh proof', async () => {
  const anna = await app.signIn()
  const call = () => errorOf(anna.call(accountApi.createPassword, { body: { newPassword: PASSWORD } }))
  expect(await withClockForward(DAY, call)).toMatchObject({ status: 403, code: 'proof_required' })
})

test('rememberMe false gives a cookie that ends with the browser', async () => {
  const anna = await withPassword(app)
  const body = { email: anna.email, password: PASSWORD, rememberMe: false }
  const answer = await app.visitor().post('/api/auth/sign-in/email', body)
  const cookie = answer.headers.getSetCookie().find((line) => line.includes('session_token='))
  expect(cookie).not.toMatch(/max-age/i)
})
