import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accountApi } from '#contract/account.ts'
import { authApi } from '#contract/auth.ts'
import { users } from '#server/db/schema.ts'
import { testApp } from '#server/testing/app.ts'
import { HOUR, withClockForward } from '#server/testing/clock.ts'
import { emailsTo, emailTo, errorOf, follow, isSignedIn, linkTo, newAddress } from './testing/steps.ts'

const app = await testApp()

const emailOf = async (id: string) => {
  const [user] = await app.db.select().from(users).where(eq(users.id, id))
  return { email: user?.email, verified: user?.emailVerified }
}

async function requestChange() {
  const anna = await app.signIn()
  const newEmail = newAddress('new')
  const answer = await anna.call(accountApi.changeEmail, { body: { newEmail, callbackURL: '/profile' } })
  expect(answer).toEqual({ status: true })
  return { anna, newEmail, confirmation: linkTo(app, anna.user.email, 'Смена почты') }
}

test('a verified address changes after emails to both addresses are confirmed (S1.2, S4.21)', async () => {
  const { anna, newEmail, confirmation } = await requestChange()
  expect(emailsTo(app, newEmail)).toHaveLength(0)
  const confirmed = await follow(anna, confirmation)
  expect(confirmed.headers.get('location')).toBe('/profile')
  expect(await emailOf(anna.user.id)).toEqual({ email: anna.user.email, verified: true })
  const verified = await follow(anna, linkTo(app, newEmail, 'Подтвердите новую почту'))
  expect(verified.headers.get('location')).toBe('/profile')
  expect(await emailOf(anna.user.id)).toEqual({ email: newEmail, verified: true })
  expect(await isSignedIn(anna)).toBe(true)
})

test('the old address gets an email after the change', async () => {
  const { anna, newEmail, confirmation } = await requestChange()
  await follow(anna, confirmation)
  await follow(anna, linkTo(app, newEmail))
  expect(emailTo(app, anna.user.email, 'изменена').text).toContain(newEmail)
})

test('a change-email link without a session changes the address, without signing in', async () => {
  const { anna, newEmail, confirmation } = await requestChange()
  const visitor = app.visitor()
  await follow(visitor, confirmation)
  await follow(visitor, linkTo(app, newEmail))
  expect(await isSignedIn(visitor)).toBe(false)
  expect([...visitor.cookies.keys()]).toEqual(['device'])
  expect(await emailOf(anna.user.id)).toEqual({ email: newEmail, verified: true })
})

test('a mail scanner that opens the first link confirms nothing', async () => {
  const { newEmail, confirmation } = await requestChange()
  expect((await app.visitor().fetch(confirmation)).status).toBe(200)
  expect(emailsTo(app, newEmail)).toHaveLength(0)
})

test('the link does nothing in another user’s session', async () => {
  const { anna, newEmail, confirmation } = await requestChange()
  const stranger = await app.signIn()
  const answer = await follow(stranger, confirmation)
  expect(answer.headers.get('location')).toBe('http://localhost:3000/profile?error=INVALID_USER')
  expect(emailsTo(app, newEmail)).toHaveLength(0)
  expect(await emailOf(anna.user.id)).toMatchObject({ email: anna.user.email })
})

test('both links live 1 h and work once (S9.4)', async () => {
  const { anna, newEmail, confirmation } = await requestChange()
  const late = await withClockForward(HOUR + 1000, () => follow(app.visitor(), confirmation))
  expect(late.headers.get('location')).toBe('/profile?error=TOKEN_EXPIRED')
  await follow(anna, confirmation)
  const verification = linkTo(app, newEmail)
  await follow(anna, verification)
  const again = await follow(anna, verification)
  expect(again.headers.get('location')).toBe('http://localhost:3000/profile?error=USER_NOT_FOUND')
})

test('an address taken by another user in the meantime stays theirs (S5.11)', async () => {
  const { anna, newEmail, confirmation } = await requestChange()
  await follow(anna, confirmation)
  const other = await app.signIn(newEmail)
  const answer = await follow(anna, linkTo(app, newEmail, 'Подтвердите'))
  expect(answer.headers.get('location')).toContain('error=COULDNT_UPDATE_YOUR_EMAIL')
  expect(await emailOf(other.user.id)).toMatchObject({ email: newEmail })
})

test('links do not affect a later account with the former address', async () => {
  const { anna, newEmail, confirmation } = await requestChange()
  await follow(anna, confirmation)
  const verification = linkTo(app, newEmail, 'Подтвердите')
  await app.db
    .update(users)
    .set({ email: newAddress('moved') })
    .where(eq(users.id, anna.user.id))
  const boris = await app.signIn(anna.user.email)
  for (const link of [confirmation, verification]) {
    const answer = await follow(app.visitor(), link)
    expect(answer.headers.get('location')).toBe('http://localhost:3000/profile?error=INVALID_TOKEN')
  }
  expect(boris.user.id).not.toBe(anna.user.id)
  expect(await emailOf(boris.user.id)).toMatchObject({ email: boris.user.email })
})

test('a verification link does not affect a later account with the address', async () => {
  const anna = await app.signIn()
  const { email, id } = anna.user
  await app.db.update(users).set({ emailVerified: false }).where(eq(users.id, id))
  await anna.call(authApi.sendVerificationEmail, { body: { email, callbackURL: '/profile' } })
  const link = linkTo(app, email, 'Подтвердите')
  await app.db
    .update(users)
    .set({ email: newAddress('moved') })
    .where(eq(users.id, id))
  const boris = await app.signIn(email)
  await app.db.update(users).set({ emailVerified: false }).where(eq(users.id, boris.user.id))
  const answer = await follow(app.visitor(), link)
  expect(answer.headers.get('location')).toContain('error=INVALID_TOKEN')
  expect(await emailOf(boris.user.id)).toEqual({ email, verified: false })
})

test('an unverified address changes at once and a verification mail is sent (S4.21, S5.11)', async () => {
  const anna = await app.signIn()
  await app.db.update(users).set({ emailVerified: false }).where(eq(users.id, anna.user.id))
  const newEmail = newAddress('new')
  await anna.call(accountApi.changeEmail, { body: { newEmail: newEmail.toUpperCase() } })
  expect(await emailOf(anna.user.id)).toEqual({ email: newEmail, verified: false })
  await follow(anna, linkTo(app, newEmail, 'Подтвердите почту'))
  expect(await emailOf(anna.user.id)).toEqual({ email: newEmail, verified: true })
})

test('the same address is refused with «Email is the same», case-insensitively (S5.11)', async () => {
  const anna = await app.signIn()
  const body = { newEmail: anna.user.email.toUpperCase() }
  const failure = await errorOf(anna.call(accountApi.changeEmail, { body }))
  expect(failure).toEqual({ status: 400, code: 'EMAIL_IS_THE_SAME', message: 'Email is the same' })
})

test('another user’s address is refused with «Couldn’t update your email» (S5.11)', async () => {
  const [anna, boris] = [await app.signIn(), await app.signIn()]
  const failure = await errorOf(anna.call(accountApi.changeEmail, { body: { newEmail: boris.user.email } }))
  expect(failure).toEqual({ status: 400, code: 'COULDNT_UPDATE_YOUR_EMAIL', message: "Couldn't update your email" })
})

test('an invalid address is INVALID_EMAIL (S5.11)', async () => {
  const anna = await app.signIn()
  for (const newEmail of ['nonsense', 'person@vk.placeholder.invalid']) {
    expect(await errorOf(anna.call(accountApi.changeEmail, { body: { newEmail } }))).toMatchObject({
      status: 400,
      code: 'INVALID_EMAIL',
    })
  }
})

test('update-user cannot change the address', async () => {
  const anna = await app.signIn()
  const answer = await anna.post('/api/auth/update-user', { email: newAddress() })
  expect(await answer.json()).toMatchObject({ status: 400, code: 'EMAIL_CAN_NOT_BE_UPDATED' })
})
