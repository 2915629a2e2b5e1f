import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { accountApi } from '#contract/account.ts'
import { authApi } from '#contract/auth.ts'
import { readConfig } from '#server/config.ts'
import { accounts, users } from '#server/db/schema.ts'
import { type SignedIn, startTestApp } from '#server/testing/app.ts'
import { DAY, withClockForward } from '#server/testing/clock.ts'
import { unsignedToken } from './testing/fake-providers.ts'
import { allProviders, replyAsVk, startSocialApp, throughProvider, vkPerson } from './testing/social.ts'
import { errorOf, isSignedIn, linkTo, newAddress, PASSWORD } from './testing/steps.ts'

const LINK = accountApi.linkSocial
const adminEmails = ['owner@example.test', 'second@example.test']

const { app, providers } = await startSocialApp({ auth: { trustedProviders: ['yandex'], adminEmails } })

const location = (answer: Response) => answer.headers.get('location')
const rowsOf = (userId: string) => app.db.select().from(accounts).where(eq(accounts.userId, userId))
const start = (provider: string) => ({ provider, callbackURL: '/profile', errorCallbackURL: '/profile' })

function naverKnows(id: string, email: string) {
  providers.reply('nid.naver.com/oauth2.0/token', { access_token: 'n', expires_in: 3600 })
  providers.reply('openapi.naver.com/v1/nid/me', { resultcode: '00', response: { id, email, name: 'Н' } })
}
function kakaoKnows(id: number, email: string, verified: boolean) {
  providers.reply('kauth.kakao.com/oauth/token', { access_token: 'k', expires_in: 3600 })
  providers.reply('kapi.kakao.com/v2/user/me', {
    id,
    kakao_account: { email, is_email_valid: verified, is_email_verified: verified, profile: { nickname: 'К' } },
  })
}
function yandexKnows(id: string, email: string) {
  providers.reply('oauth.yandex.com/token', { access_token: 'y', expires_in: 3600 })
  providers.reply('login.yandex.ru/info', { id, default_email: email, display_name: 'Яна' })
}
const lineToken = (claims: Record<string, unknown>) => unsignedToken({ name: 'Лайн', ...claims })
const lineSays = (verdict: unknown) => providers.reply('api.line.me/oauth2/v2.1/verify', verdict)

test('a trusted provider joins an existing account with the same address (S5.19)', async () => {
  const anna = await app.signIn()
  yandexKnows('y-1', anna.user.email)
  const visitor = app.visitor()
  await throughProvider(visitor, { provider: 'yandex', callbackURL: '/' })
  expect((await visitor.call(authApi.getSession, {}))?.user.id).toBe(anna.user.id)
  expect(await rowsOf(anna.user.id)).toMatchObject([{ providerId: 'yandex' }])
})

test('another user’s address in a VK profile does not open that account (S8.14)', async () => {
  const victim = await app.signIn()
  replyAsVk(providers, vkPerson(victim.user.email))
  const attacker = app.visitor()
  const refused = await throughProvider(attacker, { provider: 'vk', errorCallbackURL: '/auth/signin' })
  expect(location(refused)).toMatch(/^\/auth\/signin\?error=link_confirmation_sent/)
  // Not even when the victim opens the email about it.
  const link = linkTo(app, victim.user.email, 'Привязать VK ID')
  for (const visitor of [victim, app.visitor()])
    expect(location(await visitor.fetch(link))).toBe('/auth/signin?error=open_where_asked')
  await throughProvider(attacker, { provider: 'vk' })
  expect(await isSignedIn(attacker)).toBe(false)
  expect(await rowsOf(victim.user.id)).toEqual([])
})

test('opening the email in the provider’s browser links both accounts once', async () => {
  const { user } = await app.signIn()
  const person = vkPerson(user.email)
  replyAsVk(providers, person)
  const anna = app.visitor()
  await throughProvider(anna, { provider: 'vk', errorCallbackURL: '/auth/signin' })
  const link = linkTo(app, user.email, 'Привязать VK ID')
  expect(location(await anna.fetch(link))).toBe('/auth/signin?mode=linked')
  expect(await rowsOf(user.id)).toMatchObject([{ providerId: 'vk', accountId: person.user_id }])
  expect(await isSignedIn(anna)).toBe(false)
  await throughProvider(anna, { provider: 'vk', callbackURL: '/' })
  expect((await anna.call(authApi.getSession, {}))?.user.id).toBe(user.id)
  expect(location(await anna.fetch(link))).toBe('/auth/signin?mode=linked&error=INVALID_TOKEN')
})

test('an untrusted provider never joins an existing account', async () => {
  const anna = await app.signIn()
  for (const verified of [false, true]) {
    kakaoKnows(501, anna.user.email, verified)
    const refused = await throughProvider(app.visitor(), { provider: 'kakao', errorCallbackURL: '/auth/signin' })
    expect(location(refused)).toMatch(/^\/auth\/signin\?error=(account_not_linked|link_confirmation_sent)/)
  }
  expect(await rowsOf(anna.user.id)).toEqual([])
})

test('even a trusted provider does not join an admin’s account', async () => {
  const admin = await app.signIn('owner@example.test')
  expect(admin.user.role).toBe('admin')
  yandexKnows('y-2', admin.user.email)
  const attacker = app.visitor()
  const refused = await throughProvider(attacker, { provider: 'yandex', errorCallbackURL: '/auth/signin' })
  expect(location(refused)).toMatch(/^\/auth\/signin\?error=account_not_linked/)
  expect(await isSignedIn(attacker)).toBe(false)
})

test('accounts with an admin address are protected in the same way', async () => {
  await app.signIn('owner@example.test')
  const second = await app.signIn('second@example.test')
  await app.db.update(users).set({ role: 'user' }).where(eq(users.id, second.user.id))
  yandexKnows('y-3', second.user.email)
  const attacker = app.visitor()
  await throughProvider(attacker, { provider: 'yandex', errorCallbackURL: '/auth/signin' })
  expect(await isSignedIn(attacker)).toBe(false)
})

test('a trusted provider does not join an account with an unverified address', async () => {
  const email = newAddress()
  await app.visitor().call(accountApi.signUpEmail, { body: { email, password: PASSWORD, name: 'Чужой' } })
  yandexKnows('y-4', email)
  const visitor = app.visitor()
  const answer = await throughProvider(visitor, { provider: 'yandex', errorCallbackURL: '/auth/signin' })
  expect(location(answer)).toBe('/auth/signin?error=account_not_linked')
  expect(await isSignedIn(visitor)).toBe(false)
})

test('the profile links only providers that verified the address (S1.7, S5.19)', async () => {
  const anna = await app.signIn()
  kakaoKnows(502, anna.user.email, false)
  expect(location(await throughProvider(anna, start('kakao'), LINK))).toBe('/profile?error=unable_to_link_account')
  kakaoKnows(502, anna.user.email, true)
  expect(location(await throughProvider(anna, start('kakao'), LINK))).toBe('/profile')
  expect(await rowsOf(anna.user.id)).toMatchObject([{ providerId: 'kakao' }])
})

test('link-social returns url and redirect, and links on the return (S3.5, S5.19)', async () => {
  const anna = await app.signIn()
  replyAsVk(providers, vkPerson(anna.user.email))
  expect(location(await throughProvider(anna, start('vk'), LINK))).toBe('/profile')
  expect(await anna.call(accountApi.listAccounts, {})).toMatchObject([
    { providerId: 'vk', userId: anna.user.id, scopes: ['email', 'phone'], createdAt: expect.any(String) },
  ])
})

test('linking a different e-mail is email_doesn’t_match (S5.19, S8.14)', async () => {
  const anna = await app.signIn()
  replyAsVk(providers, vkPerson(newAddress('vk')))
  expect(location(await throughProvider(anna, start('vk'), LINK))).toBe("/profile?error=email_doesn't_match")
})

test('linking by an untrusted, unverified provider is unable_to_link_account (S1.7, S5.19, S8.14)', async () => {
  const anna = await app.signIn()
  naverKnows('naver-1', anna.user.email)
  expect(location(await throughProvider(anna, start('naver'), LINK))).toBe('/profile?error=unable_to_link_account')
})

test('linking another user’s account is account_already_linked_to_different_user (S8.14)', async () => {
  const person = vkPerson(newAddress('vk'))
  replyAsVk(providers, person)
  await throughProvider(app.visitor(), { provider: 'vk' })
  const anna = await app.signIn()
  replyAsVk(providers, { ...person, email: anna.user.email })
  const answer = await throughProvider(anna, start('vk'), LINK)
  expect(location(answer)).toBe('/profile?error=account_already_linked_to_different_user')
})

test('linking needs a session', async () => {
  const failure = await errorOf(app.visitor().call(accountApi.linkSocial, { body: { provider: 'vk' } }))
  expect(failure).toMatchObject({ status: 401 })
})

test('unlinking the last account is refused with FAILED_TO_UNLINK_LAST_ACCOUNT (S5.18, S8.27)', async () => {
  const anna = await app.signIn()
  replyAsVk(providers, vkPerson(anna.user.email))
  await throughProvider(anna, start('vk'), LINK)
  const failure = await errorOf(anna.call(accountApi.unlinkAccount, { body: { providerId: 'vk' } }))
  expect(failure).toEqual({
    status: 400,
    code: 'FAILED_TO_UNLINK_LAST_ACCOUNT',
    message: "You can't unlink your last account",
  })
})

test('unlink-account takes providerId alone or with either account id', async () => {
  const anna = await app.signIn()
  await anna.call(accountApi.createPassword, { body: { newPassword: PASSWORD } })
  const person = vkPerson(anna.user.email)
  for (const by of ['providerId', 'accountId', 'row'] as const) {
    replyAsVk(providers, person)
    await throughProvider(anna, start('vk'), LINK)
    const row = (await rowsOf(anna.user.id)).find(({ providerId }) => providerId === 'vk')
    const accountId = { providerId: undefined, accountId: person.user_id, row: row?.id }[by]
    const body = { providerId: 'vk', ...(accountId ? { accountId } : {}) }
    expect(await anna.call(accountApi.unlinkAccount, { body })).toEqual({ status: true })
    expect(await rowsOf(anna.user.id)).toHaveLength(1)
  }
})

test('unlinking a missing account is ACCOUNT_NOT_FOUND; old sessions need a proof (S8.27)', async () => {
  const anna = await app.signIn()
  const unlink = () => errorOf(anna.call(accountApi.unlinkAccount, { body: { providerId: 'vk', accountId: 'x' } }))
  expect(await unlink()).toEqual({ status: 400, code: 'ACCOUNT_NOT_FOUND', message: 'Account not found' })
  expect(await withClockForward(DAY, unlink)).toMatchObject({ status: 403, code: 'proof_required' })
})

test('sign-in with an ID token returns redirect, token, url and user (S1.7)', async () => {
  const email = newAddress('line')
  lineSays({ aud: 'line-client', sub: 'line-1' })
  const visitor = app.visitor()
  const body = {
    provider: 'line',
    idToken: { token: lineToken({ sub: 'line-1', email }), nonce: 'n', accessToken: 'a' },
  }
  const answer: object = JSON.parse(await (await visitor.post('/api/auth/sign-in/social', body)).text())
  expect(Object.keys(answer).sort()).toEqual(['redirect', 'token', 'url', 'user'])
  expect(answer).toMatchObject({ redirect: false, url: null, token: expect.any(String), user: { email, name: 'Лайн' } })
  expect(await isSignedIn(visitor)).toBe(true)
  expect(providers.lastTo('api.line.me/oauth2/v2.1/verify')?.form.get('nonce')).toBe('n')
})

test('ID tokens: INVALID_TOKEN, USER_EMAIL_NOT_FOUND, FAILED_TO_GET_USER_INFO, ID_TOKEN_NOT_SUPPORTED (S5.23, S8.27)', async () => {
  const signIn = (provider: string, token: string) =>
    errorOf(app.visitor().call(authApi.signInSocial, { body: { provider, idToken: { token } } }))
  lineSays({ aud: 'another-app', sub: 'line-2' })
  expect(await signIn('line', lineToken({ sub: 'line-2' }))).toMatchObject({ status: 401, code: 'INVALID_TOKEN' })
  lineSays({ aud: 'line-client', sub: 'line-2' })
  expect(await signIn('line', lineToken({ sub: 'line-2' }))).toMatchObject({
    status: 401,
    code: 'USER_EMAIL_NOT_FOUND',
  })
  providers.reply('api.line.me/oauth2/v2.1/userinfo', undefined)
  expect(await signIn('line', 'opaque')).toMatchObject({ status: 401, code: 'FAILED_TO_GET_USER_INFO' })
  expect(await signIn('vk', 'any')).toMatchObject({ status: 404, code: 'ID_TOKEN_NOT_SUPPORTED' })
})

test('link-social refuses ID tokens of untrusted, unverified providers: «linking not allowed» (S8.45)', async () => {
  const anna = await app.signIn()
  lineSays({ aud: 'line-client', sub: 'line-3' })
  const token = lineToken({ sub: 'line-3', email: anna.user.email })
  const failure = await errorOf(anna.call(accountApi.linkSocial, { body: { provider: 'line', idToken: { token } } }))
  expect(failure).toMatchObject({ status: 401, message: 'Account not linked - linking not allowed' })
  expect(await rowsOf(anna.user.id)).toEqual([])
})

describe('an ID token of a provider that the owner names in TRUSTED_PROVIDERS', () => {
  const { trustedProviders } = readConfig({ TRUSTED_PROVIDERS: 'line' })
  const trusting = async () => startTestApp({ auth: { providers: allProviders, trustedProviders } })
  const link = (anna: SignedIn, sub: string, email: string) => {
    lineSays({ aud: 'line-client', sub })
    const body = { provider: 'line', idToken: { token: lineToken({ sub, email }) } }
    return anna.call(accountApi.linkSocial, { body })
  }

  test('links at once and returns url, redirect and status', async () => {
    const trusted = await trusting()
    const anna = await trusted.signIn()
    expect(await link(anna, 'line-10', anna.user.email)).toEqual({ url: '', redirect: false, status: true })
    expect(await anna.call(accountApi.listAccounts, {})).toMatchObject([{ providerId: 'line', accountId: 'line-10' }])
    await trusted.close()
  })

  test('Account not linked - different emails not allowed (S5.19, S8.45)', async () => {
    const trusted = await trusting()
    const anna = await trusted.signIn()
    const failure = await errorOf(link(anna, 'line-11', newAddress()))
    expect(failure).toMatchObject({ status: 401, message: 'Account not linked - different emails not allowed' })
    expect(await anna.call(accountApi.listAccounts, {})).toEqual([])
    await trusted.close()
  })

  test('Account not linked - unable to create account, when the insert fails (S8.45)', async () => {
    const trusted = await trusting()
    const anna = await trusted.signIn()
    await trusted.db.execute("alter table accounts add constraint full_of_line check (provider_id <> 'line')")
    const failure = await errorOf(link(anna, 'line-12', anna.user.email))
    expect(failure).toMatchObject({ status: 417, message: 'Account not linked - unable to create account' })
    await trusted.db.execute('alter table accounts drop constraint full_of_line')
    await trusted.close()
  })
})

test('a VK user with an unverified address changes it at once', async () => {
  replyAsVk(providers, vkPerson(newAddress('vk')))
  const visitor = app.visitor()
  await throughProvider(visitor, { provider: 'vk', callbackURL: '/' })
  const newEmail = newAddress('new')
  await visitor.call(accountApi.changeEmail, { body: { newEmail } })
  expect(await app.db.select().from(users).where(eq(users.email, newEmail))).toMatchObject([{ emailVerified: false }])
})
