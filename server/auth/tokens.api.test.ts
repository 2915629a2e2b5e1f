import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { accountApi } from '#contract/account.ts'
import { authApi } from '#contract/auth.ts'
import { accounts } from '#server/db/schema.ts'
import type { TestApp } from '#server/testing/app.ts'
import { SECOND, withClockForward } from '#server/testing/clock.ts'
import { replyAsVk, startSocialApp, throughProvider, type VkPerson, vkPerson } from './testing/social.ts'
import { errorOf, newAddress, withPassword } from './testing/steps.ts'

const HOUR_SECONDS = 3600

let person: VkPerson
let visitor: ReturnType<TestApp['visitor']>
const { app, providers } = await startSocialApp()
beforeEach(async () => {
  person = vkPerson(newAddress('vk'))
  replyAsVk(providers, person)
  visitor = app.visitor()
  await throughProvider(visitor, { provider: 'vk', callbackURL: '/' })
  providers.requests.length = 0
})

const getToken = (body: { providerId: string; accountId?: string; userId?: string }) =>
  visitor.call(accountApi.getAccessToken, { body })
const refreshed = () => providers.reply('id.vk.com/oauth2/auth', { access_token: 'renewed', expires_in: HOUR_SECONDS })

test('get-access-token returns accessToken, accessTokenExpiresAt, scopes and idToken (S3.5)', async () => {
  const answer = await getToken({ providerId: 'vk' })
  expect(answer).toMatchObject({ accessToken: `vk-access-${person.user_id}`, scopes: ['email', 'phone'] })
  expect(new Date(answer.accessTokenExpiresAt ?? '').getTime()).toBeGreaterThan(Date.now())
  expect(providers.requests).toEqual([])
})

test('the account may be named by the provider’s id or row id', async () => {
  const [row] = await visitor.call(accountApi.listAccounts, {})
  for (const accountId of [person.user_id, row?.id ?? '']) {
    expect(await getToken({ providerId: 'vk', accountId })).toMatchObject({ scopes: ['email', 'phone'] })
  }
})

test('the access token is refreshed only if it expires within 5 s (S9.4)', async () => {
  refreshed()
  const before = await withClockForward((HOUR_SECONDS - 8) * SECOND, () => getToken({ providerId: 'vk' }))
  expect(before.accessToken).toBe(`vk-access-${person.user_id}`)
  const after = await withClockForward((HOUR_SECONDS - 3) * SECOND, () => getToken({ providerId: 'vk' }))
  expect(after.accessToken).toBe('renewed')
  expect(providers.lastTo('id.vk.com/oauth2/auth')?.form.get('refresh_token')).toBe(`vk-refresh-${person.user_id}`)
})

test('refresh-token always asks the provider and hides the refresh token (S3.5)', async () => {
  refreshed()
  const answer = await visitor.call(accountApi.refreshToken, { body: { providerId: 'vk' } })
  expect(answer).toMatchObject({ accessToken: 'renewed', scopes: ['email', 'phone'] })
  expect(answer.accessTokenExpiresAt).toBeTruthy()
  const raw = await (await visitor.post('/api/auth/refresh-token', { providerId: 'vk' })).text()
  expect(raw).not.toMatch(/refresh/i)
  expect((await getToken({ providerId: 'vk' })).accessToken).toBe('renewed')
})

test('the calls name the token that a refusing provider did not give (S8.45)', async () => {
  providers.reply('id.vk.com/oauth2/auth', undefined)
  const get = await withClockForward(HOUR_SECONDS * SECOND, () => errorOf(getToken({ providerId: 'vk' })))
  expect(get).toMatchObject({ status: 400, message: 'Failed to get a valid access token' })
  const refresh = await errorOf(visitor.call(accountApi.refreshToken, { body: { providerId: 'vk' } }))
  expect(refresh).toMatchObject({ status: 400, message: 'Failed to refresh access token' })
})

test('«Provider {id} is not supported» and «Account not found» (S8.45)', async () => {
  for (const endpoint of [accountApi.getAccessToken, accountApi.refreshToken]) {
    const unsupported = await errorOf(visitor.call(endpoint, { body: { providerId: 'myspace' } }))
    expect(unsupported).toMatchObject({ status: 400, message: 'Provider myspace is not supported.' })
    const missing = await errorOf(visitor.call(endpoint, { body: { providerId: 'line' } }))
    expect(missing).toMatchObject({ status: 400, code: 'ACCOUNT_NOT_FOUND', message: 'Account not found' })
  }
})

test('without a session the calls answer 401, whatever userId says', async () => {
  const session = await visitor.call(authApi.getSession, {})
  const body = { providerId: 'vk', userId: session?.user.id ?? '' }
  expect(await errorOf(app.visitor().call(accountApi.getAccessToken, { body }))).toMatchObject({ status: 401 })
  expect(await errorOf(app.visitor().call(accountApi.refreshToken, { body }))).toMatchObject({ status: 401 })
  expect(await errorOf(app.visitor().call(accountApi.accountInfo, { body: { accountId: 'x' } }))).toMatchObject({
    status: 401,
  })
})

test('without session and userId calls say «Either userId or session is required»', async () => {
  for (const endpoint of [accountApi.getAccessToken, accountApi.refreshToken])
    expect(await errorOf(app.visitor().call(endpoint, { body: { providerId: 'vk' } }))).toEqual({
      status: 400,
      code: 'USER_ID_OR_SESSION_REQUIRED',
      message: 'Either userId or session is required',
    })
})

test('idToken is null where the provider gave no ID token', async () => {
  const answer = await visitor.post('/api/auth/get-access-token', { providerId: 'vk' })
  expect(await answer.json()).toMatchObject({ idToken: null })
})

test('userId is ignored with a session, so other users’ tokens stay private', async () => {
  const stranger = await withPassword(app)
  const session = await visitor.call(authApi.getSession, {})
  const body = { providerId: 'vk', accountId: person.user_id, userId: session?.user.id ?? '' }
  const failure = await errorOf(stranger.call(accountApi.getAccessToken, { body }))
  expect(failure).toMatchObject({ code: 'ACCOUNT_NOT_FOUND' })
})

test('inside the server a userId is enough and is required (S8.45)', async () => {
  const session = await visitor.call(authApi.getSession, {})
  const body = { providerId: 'vk', userId: session?.user.id ?? '' }
  expect(await app.auth.api.getAccessToken({ body })).toMatchObject({ scopes: ['email', 'phone'] })
  const neither = app.auth.api.getAccessToken({ body: { providerId: 'vk' } })
  await expect(neither).rejects.toThrow('Either userId or session is required')
})

test('account-info returns user and data by the provider’s account id', async () => {
  const answer = await visitor.call(accountApi.accountInfo, { body: { accountId: person.user_id } })
  expect(answer.user).toMatchObject({ id: person.user_id, email: person.email, name: 'Анна Каренина' })
  expect(answer.data).toMatchObject({ user: { user_id: person.user_id } })
})

test('account-info: «Access token not found» and «Account not found» (S8.45)', async () => {
  const unknown = await errorOf(visitor.call(accountApi.accountInfo, { body: { accountId: 'x' } }))
  expect(unknown).toMatchObject({ status: 400, code: 'ACCOUNT_NOT_FOUND' })
  await app.db.update(accounts).set({ accessToken: null }).where(eq(accounts.accountId, person.user_id))
  const bare = await errorOf(visitor.call(accountApi.accountInfo, { body: { accountId: person.user_id } }))
  expect(bare).toMatchObject({ status: 400, message: 'Access token not found' })
})
