import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accountApi } from '#contract/account.ts'
import { authApi } from '#contract/auth.ts'
import { accounts } from '#server/db/schema.ts'
import { unsignedToken } from './testing/fake-providers.ts'
import {
  replyAsVk,
  returnFromProvider,
  startAtProvider,
  startSocialApp,
  throughProvider,
  vkPerson,
} from './testing/social.ts'
import { follow, linkTo, newAddress, PASSWORD, withPassword } from './testing/steps.ts'

/** Fields of the specification that no other test covers. */

const { app, providers } = await startSocialApp()

const addressOf = async (body: Record<string, unknown>, visitor = app.visitor(), by = authApi.signInSocial) =>
  new URL((await visitor.call(by, { body: { provider: 'vk', ...body } })).url ?? '').searchParams

test('sign-in/social takes scopes and loginHint on to the provider', async () => {
  expect((await addressOf({ scopes: ['friends'] })).get('scope')).toBe('email phone friends')
  const line = await addressOf({ provider: 'line', loginHint: 'anna@example.test' })
  expect(line.get('login_hint')).toBe('anna@example.test')
})

test('sign-in/social takes requestSignUp and signs the newcomer up', async () => {
  const person = vkPerson(newAddress('sign-up'))
  replyAsVk(providers, person)
  const visitor = app.visitor()
  const start = { provider: 'vk', callbackURL: '/', requestSignUp: true }
  const state = (await addressOf(start, visitor)).get('state') ?? ''
  await returnFromProvider(visitor, 'vk', { code: 'c', state, device_id: 'd' })
  expect((await visitor.call(authApi.getSession, {}))?.user.email).toBe(person.email)
})

test('sign-in/social takes tokens and their expiry with an ID token', async () => {
  const email = newAddress('line')
  providers.reply('api.line.me/oauth2/v2.1/verify', {
    iss: 'https://access.line.me',
    sub: 'line-7',
    aud: 'line-client',
    email,
    name: 'Лайн',
  })
  const visitor = app.visitor()
  const idToken = {
    token: unsignedToken({ sub: 'line-7', email, name: 'Лайн', aud: 'line-client', iss: 'https://access.line.me' }),
    accessToken: 'access-7',
    refreshToken: 'refresh-7',
    expiresAt: Math.floor(Date.now() / 1000) + 3600,
  }
  const answer = await visitor.call(authApi.signInSocial, { body: { provider: 'line', idToken } })
  expect(answer).toMatchObject({ redirect: false, token: expect.any(String), user: { email } })
})

test('an account keeps the ID token and the expiry of its tokens (S3.5)', async () => {
  const person = vkPerson(newAddress('id-token'))
  replyAsVk(providers, person, { id_token: 'the-id-token', refresh_token_expires_in: 7200 })
  const visitor = app.visitor()
  await throughProvider(visitor, { provider: 'vk', callbackURL: '/' })
  const [row] = await app.db.select().from(accounts).where(eq(accounts.accountId, person.user_id))
  expect(row?.idToken).toBeTruthy()
  expect(row?.refreshTokenExpiresAt).toBeInstanceOf(Date)
  const token = await visitor.call(accountApi.getAccessToken, { body: { providerId: 'vk' } })
  expect(token.idToken).toBe('the-id-token')
  providers.reply('id.vk.com/oauth2/auth', { access_token: 'renewed', id_token: 'a-newer-id-token', expires_in: 3600 })
  const renewed = await visitor.call(accountApi.refreshToken, { body: { providerId: 'vk' } })
  expect(renewed.idToken).toBe('a-newer-id-token')
})

test('the callback takes the user field that some providers append (S7.18)', async () => {
  replyAsVk(providers, vkPerson(newAddress('with-user')))
  const visitor = app.visitor()
  const url = await startAtProvider(visitor, { provider: 'vk', callbackURL: '/threads' })
  const state = url.searchParams.get('state') ?? ''
  const user = JSON.stringify({ name: { firstName: 'Анна', lastName: 'К' } })
  const back = await returnFromProvider(visitor, 'vk', { code: 'c', state, device_id: 'd', user })
  expect(back.headers.get('location')).toBe('/threads')
})

test('link-social takes scopes, requestSignUp and disableRedirect', async () => {
  const anna = await app.signIn()
  const body = {
    provider: 'vk',
    callbackURL: '/profile',
    scopes: ['friends'],
    requestSignUp: true,
    disableRedirect: true,
  }
  const answer = await anna.call(accountApi.linkSocial, { body })
  expect(answer.redirect).toBe(false)
  expect(new URL(answer.url ?? '').searchParams.get('scope')).toBe('email phone friends')
})

test('without rememberMe the cookie outlives the browser', async () => {
  const { email } = await withPassword(app)
  const cookieWith = async (rememberMe?: boolean) => {
    const answer = await app.visitor().post('/api/auth/sign-in/email', {
      email,
      password: PASSWORD,
      ...(rememberMe === undefined ? {} : { rememberMe }),
    })
    return answer.headers.getSetCookie().find((line) => line.includes('session_token')) ?? ''
  }
  expect(await cookieWith()).toContain('Max-Age=604800')
  expect(await cookieWith(true)).toContain('Max-Age=604800')
  expect(await cookieWith(false)).not.toContain('Max-Age')
})

test("request-password-reset takes redirectTo: the email's link leads there with the token (S7.25)", async () => {
  const { email } = await withPassword(app)
  await app.visitor().call(accountApi.requestPasswordReset, { body: { email, redirectTo: '/somewhere?mode=own' } })
  const answer = await follow(app.visitor(), linkTo(app, email, 'Новый пароль'))
  const location = new URL(answer.headers.get('location') ?? '', 'http://localhost:3000')
  expect(location.pathname).toBe('/somewhere')
  expect(location.searchParams.get('mode')).toBe('own')
  expect(location.searchParams.get('token')).toHaveLength(24)
})
