import { createHash } from 'node:crypto'
import { eq, like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accountApi } from '#contract/account.ts'
import { authApi } from '#contract/auth.ts'
import { accounts, users, verifications } from '#server/db/schema.ts'
import { MINUTE, withClockForward } from '#server/testing/clock.ts'
import {
  allProviders,
  replyAsVk,
  returnFromProvider,
  startAtProvider,
  startSocialApp,
  throughProvider,
  vkPerson,
} from './testing/social.ts'
import { emailsTo, errorOf, isSignedIn, newAddress } from './testing/steps.ts'

const ERROR_PAGE = 'http://localhost:3000/api/auth/error'

const { app, providers } = await startSocialApp()

const location = (answer: Response) => answer.headers.get('location')

test('sign-in/social returns url and redirect', async () => {
  const answer = await app.visitor().call(authApi.signInSocial, { body: { provider: 'vk', callbackURL: '/' } })
  expect(answer).toMatchObject({ redirect: true, url: expect.stringContaining('https://id.vk.com/authorize?') })
  const quiet = { provider: 'vk', disableRedirect: true }
  expect(await app.visitor().call(authApi.signInSocial, { body: quiet })).toMatchObject({ redirect: false })
})

test('an unknown provider is PROVIDER_NOT_FOUND (S8.27)', async () => {
  const failure = await errorOf(app.visitor().call(authApi.signInSocial, { body: { provider: 'myspace' } }))
  expect(failure).toEqual({ status: 404, code: 'PROVIDER_NOT_FOUND', message: 'Provider not found' })
})

test('each provider asks for its default scopes and uses its own callback (S1.7, S9.13)', async () => {
  const scopes: Record<string, string | null> = {}
  const withPkce: string[] = []
  for (const { id } of allProviders) {
    const { searchParams } = await startAtProvider(app.visitor(), { provider: id })
    expect(searchParams.get('redirect_uri')).toBe(`http://localhost:3000/api/auth/callback/${id}`)
    expect(searchParams.get('client_id')).toBe(`${id}-client`)
    scopes[id] = searchParams.get('scope')
    if (searchParams.get('code_challenge_method') === 'S256') withPkce.push(id)
  }
  expect(scopes).toEqual({
    vk: 'email phone',
    yandex: 'login:info login:email login:avatar',
    reddit: 'identity',
    roblox: 'openid profile',
    salesforce: 'openid email profile',
    zoom: null,
    notion: null,
    kakao: 'account_email profile_image profile_nickname',
    naver: 'profile email',
    line: 'openid profile email',
    paypal: null,
  })
  expect(withPkce.sort()).toEqual(['line', 'paypal', 'salesforce', 'vk', 'yandex', 'zoom'])
})

test('PayPal sandbox is the default environment (S1.7, S9.13)', async () => {
  expect((await startAtProvider(app.visitor(), { provider: 'paypal' })).host).toBe('www.sandbox.paypal.com')
})

test('VK exchanges the code with the verifier and the device id (S1.7, S3.5, S7.18)', async () => {
  const email = newAddress('vk')
  const person = vkPerson(email)
  replyAsVk(providers, person)
  const visitor = app.visitor()
  const url = await startAtProvider(visitor, { provider: 'vk', callbackURL: '/threads', newUserCallbackURL: '/help' })
  const state = url.searchParams.get('state') ?? ''
  const back = await returnFromProvider(visitor, 'vk', { code: 'the-code', state, device_id: 'device-7' })
  expect(location(back)).toBe('/help')

  const { form } = providers.lastTo('id.vk.com/oauth2/auth') ?? { form: new URLSearchParams() }
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  expect(challenge).toBe(url.searchParams.get('code_challenge'))
  expect([form.get('code'), form.get('device_id')]).toEqual(['the-code', 'device-7'])

  const session = await visitor.call(authApi.getSession, {})
  expect(session?.user).toMatchObject({ email, name: 'Анна Каренина', emailVerified: false })
  expect(await visitor.call(accountApi.listAccounts, {})).toMatchObject([
    { providerId: 'vk', accountId: person.user_id, scopes: ['email', 'phone'] },
  ])
  expect(emailsTo(app, email)).toEqual([])
  expect(location(await throughProvider(app.visitor(), { provider: 'vk', callbackURL: '/threads' }))).toBe('/threads')
})

test('provider tokens are stored encrypted (S3.5)', async () => {
  const person = vkPerson(newAddress('vk'))
  replyAsVk(providers, person)
  await throughProvider(app.visitor(), { provider: 'vk' })
  const [row] = await app.db.select().from(accounts).where(eq(accounts.accountId, person.user_id))
  expect(row?.accessToken).toBeTruthy()
  expect(JSON.stringify(row)).not.toMatch(/vk-access|vk-refresh/)
})

test('the sign-in state lives 10 min in the database and the cookie (S9.4)', async () => {
  const answer = await app.visitor().post('/api/auth/sign-in/social', { provider: 'vk' })
  expect(answer.headers.getSetCookie().join()).toMatch(/better-auth\.state=[^;]+; Max-Age=600/)
  const rows = await app.db.select().from(verifications).where(like(verifications.value, '%oauthState%'))
  const lifetimes = rows.map(({ createdAt, expiresAt }) => Math.round((+expiresAt - +createdAt) / MINUTE))
  expect(new Set(lifetimes)).toEqual(new Set([10]))
  replyAsVk(providers, vkPerson(newAddress('vk')))
  const visitor = app.visitor()
  const url = await startAtProvider(visitor, { provider: 'vk', callbackURL: '/threads' })
  const query = { code: 'c', state: url.searchParams.get('state') ?? '' }
  expect(
    location(await withClockForward(10 * MINUTE + 1000, () => returnFromProvider(visitor, 'vk', query))),
  ).toContain('error=state_mismatch')
})

test('a state from another browser is refused', async () => {
  replyAsVk(providers, vkPerson(newAddress('vk')))
  const url = await startAtProvider(app.visitor(), { provider: 'vk', callbackURL: '/threads' })
  const victim = app.visitor()
  const answer = await returnFromProvider(victim, 'vk', { code: 'c', state: url.searchParams.get('state') ?? '' })
  expect(location(answer)).toContain('error=state_mismatch')
  expect(await isSignedIn(victim)).toBe(false)
})

test('callback errors: state_not_found, invalid_callback_request, no_code, oauth_provider_not_found (S7.18, S8.14)', async () => {
  const visitor = app.visitor()
  expect(location(await returnFromProvider(visitor, 'vk', { code: 'c' }))).toBe(`${ERROR_PAGE}?error=state_not_found`)
  const twice = await visitor.fetch('/api/auth/callback/vk?code=a&code=b&state=c')
  expect(location(twice)).toBe('/api/auth/error?error=invalid_callback_request')
  const url = await startAtProvider(visitor, { provider: 'vk', errorCallbackURL: '/auth/signin' })
  const noCode = await returnFromProvider(visitor, 'vk', { state: url.searchParams.get('state') ?? '' })
  expect(location(noCode)).toBe('/auth/signin?error=no_code')
  const again = await startAtProvider(visitor, { provider: 'vk', errorCallbackURL: '/auth/signin' })
  const other = await returnFromProvider(visitor, 'myspace', {
    code: 'c',
    state: again.searchParams.get('state') ?? '',
  })
  expect(location(other)).toBe('/auth/signin?error=oauth_provider_not_found')
})

test('a failed exchange is invalid_code, and the provider’s own error is shown (S7.18, S8.14)', async () => {
  providers.reply('id.vk.com/oauth2/auth', undefined)
  const start = { provider: 'vk', errorCallbackURL: '/auth/signin' }
  expect(location(await throughProvider(app.visitor(), start))).toBe('/auth/signin?error=invalid_code')
  const visitor = app.visitor()
  const state = (await startAtProvider(visitor, start)).searchParams.get('state') ?? ''
  const denied = await returnFromProvider(visitor, 'vk', {
    state,
    error: 'access_denied',
    error_description: 'User denied it',
  })
  expect(location(denied)).toBe('/auth/signin?error=access_denied&error_description=User+denied+it')
})

test('VK without an e-mail is unable_to_get_user_info (S8.14)', async () => {
  replyAsVk(providers, vkPerson())
  const answer = await throughProvider(app.visitor(), { provider: 'vk', errorCallbackURL: '/auth/signin' })
  expect(location(answer)).toBe('/auth/signin?error=unable_to_get_user_info')
})

test('Kakao without an e-mail is email_not_found (S8.14)', async () => {
  providers.reply('kauth.kakao.com/oauth/token', { access_token: 'k', expires_in: 3600 })
  providers.reply('kapi.kakao.com/v2/user/me', { id: 77, kakao_account: { profile: { nickname: 'Нет почты' } } })
  const answer = await throughProvider(app.visitor(), { provider: 'kakao', errorCallbackURL: '/auth/signin' })
  expect(location(answer)).toBe('/auth/signin?error=email_not_found')
})

test('a Reddit account gets an invented address that receives no email (S1.7)', async () => {
  providers.reply('www.reddit.com/api/v1/access_token', { access_token: 'r', expires_in: 3600 })
  providers.reply('oauth.reddit.com/api/v1/me', { id: 't2abc', name: 'redditor' })
  const visitor = app.visitor()
  await throughProvider(visitor, { provider: 'reddit', callbackURL: '/' })
  const session = await visitor.call(authApi.getSession, {})
  expect(session?.user.email).toBe('t2abc@reddit.placeholder.invalid')
  expect(providers.lastTo('www.reddit.com/api/v1/access_token')?.authorization).toMatch(/^Basic /)
  await app.visitor().call(accountApi.requestPasswordReset, { body: { email: 't2abc@reddit.placeholder.invalid' } })
  expect(app.outbox.filter(({ to }) => to.endsWith('.invalid'))).toEqual([])
})

test('Yandex signs in through the general plugin (S1.7)', async () => {
  const email = newAddress('yandex')
  providers.reply('oauth.yandex.com/token', { access_token: 'y', expires_in: 3600 })
  providers.reply('login.yandex.ru/info', { id: '42', default_email: email, display_name: 'Яна' })
  const visitor = app.visitor()
  expect(location(await throughProvider(visitor, { provider: 'yandex', callbackURL: '/' }))).toBe('/')
  expect((await visitor.call(authApi.getSession, {}))?.user).toMatchObject({ email, name: 'Яна' })
  expect(providers.lastTo('login.yandex.ru/info')?.authorization).toBe('OAuth y')
})

test('the state of a provider is refused at another provider’s callback (S10.591)', async () => {
  providers.reply('oauth.yandex.com/token', { access_token: 'y', expires_in: 3600 })
  providers.reply('login.yandex.ru/info', { id: '43', default_email: newAddress('yandex'), display_name: 'Яна' })
  const visitor = app.visitor()
  const start = { provider: 'reddit', callbackURL: '/', errorCallbackURL: '/auth/signin' }
  const state = (await startAtProvider(visitor, start)).searchParams.get('state') ?? ''
  const answer = await returnFromProvider(visitor, 'yandex', { code: 'of the attacker', state })
  expect(location(answer)).toContain('/auth/signin?error=state_mismatch')
  expect(await isSignedIn(visitor)).toBe(false)
})

test('client additions to a sign-in do not reach the state (S10.591)', async () => {
  const visitor = app.visitor()
  const added = { boundTo: 'yandex', link: { userId: 'x', email: 'x@example.test' } }
  const answer = await visitor.post('/api/auth/sign-in/social', { provider: 'vk', additionalData: added })
  const { url } = (await answer.json()) as { url: string }
  const [row] = await app.db
    .select()
    .from(verifications)
    .where(eq(verifications.identifier, `auth-state:${new URL(url).searchParams.get('state')}`))
  const state = JSON.parse(row?.value ?? '{}') as Record<string, unknown>
  expect([state.boundTo, state.link]).toEqual(['vk', undefined])
})

test('the provider may also come back by POST (S7.18)', async () => {
  replyAsVk(providers, vkPerson(newAddress('vk')))
  const visitor = app.visitor()
  const state = (await startAtProvider(visitor, { provider: 'vk', callbackURL: '/' })).searchParams.get('state') ?? ''
  const posted = await visitor.fetch('/api/auth/callback/vk', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ code: 'c', state }),
  })
  expect(posted.status).toBe(302)
  await visitor.fetch(location(posted) ?? '')
  expect(await isSignedIn(visitor)).toBe(true)
})

test('a user from a provider is stored once, in lower case', async () => {
  const email = newAddress('vk')
  replyAsVk(providers, vkPerson(email.toUpperCase()))
  await throughProvider(app.visitor(), { provider: 'vk' })
  expect(await app.db.select().from(users).where(eq(users.email, email))).toHaveLength(1)
})
