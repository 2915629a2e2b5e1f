import { expect, test } from 'vitest'
import { authApi } from '#contract/auth.ts'
import { authAdminApi } from '#contract/auth-admin.ts'
import { HOUR, withClockForward } from '#server/testing/clock.ts'
import { replyAsVk, startSocialApp, throughProvider, vkPerson } from './testing/social.ts'
import { errorOf, follow, isSignedIn, linkTo, newAddress, PASSWORD, withPassword } from './testing/steps.ts'

const { app, providers } = await startSocialApp()
const admin = await app.signIn('owner@example.test')

const ban = (userId: string, banExpiresIn?: number) =>
  admin.call(authAdminApi.banUser, { body: { userId, banReason: 'спам', ...(banExpiresIn ? { banExpiresIn } : {}) } })

async function signedInByEmail(email: string) {
  const visitor = app.visitor()
  await visitor.call(authApi.signInMagicLink, { body: { email } })
  return { visitor, answer: await follow(visitor, linkTo(app, email)) }
}

test('a ban ends all sessions and keeps its reason (S6.1)', async () => {
  const anna = await app.signIn()
  const { user } = await ban(anna.user.id)
  expect(user).toMatchObject({ banned: true, banReason: 'спам', banExpires: null })
  expect(await isSignedIn(anna)).toBe(false)
})

test('a banned user who opens a sign-in link gets the error page', async () => {
  const anna = await app.signIn()
  await ban(anna.user.id)
  const { visitor, answer } = await signedInByEmail(anna.user.email)
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/error?error=banned'])
  expect(await isSignedIn(visitor)).toBe(false)
})

test('a banned user who returns from a provider gets the error page', async () => {
  const email = newAddress('vk')
  replyAsVk(providers, vkPerson(email))
  const anna = app.visitor()
  await throughProvider(anna, { provider: 'vk', callbackURL: '/' })
  const session = await anna.call(authApi.getSession, {})
  await ban(session?.user.id ?? '')
  const visitor = app.visitor()
  const answer = await throughProvider(visitor, { provider: 'vk', callbackURL: '/', errorCallbackURL: '/auth/signin' })
  expect([answer.status, answer.headers.get('location')]).toEqual([302, 'http://localhost:3000/error?error=banned'])
  expect(await isSignedIn(visitor)).toBe(false)
})

test('a banned user with a password gets BANNED_USER', async () => {
  const anna = await withPassword(app)
  await ban(anna.user.id)
  const failure = await errorOf(
    app.visitor().call(authApi.signInEmail, { body: { email: anna.email, password: PASSWORD } }),
  )
  expect(failure).toMatchObject({ status: 403, code: 'BANNED_USER' })
  expect(failure.message).toMatch(/заблокирован/)
})

test('a ban ends by itself or by unban-user', async () => {
  const [anna, boris] = [await app.signIn(), await app.signIn()]
  await ban(anna.user.id, 3600)
  await ban(boris.user.id)
  const { visitor } = await withClockForward(HOUR + 1000, () => signedInByEmail(anna.user.email))
  expect(await withClockForward(HOUR + 2000, () => isSignedIn(visitor))).toBe(true)
  await admin.call(authAdminApi.unbanUser, { body: { userId: boris.user.id } })
  expect(await isSignedIn((await signedInByEmail(boris.user.email)).visitor)).toBe(true)
})
