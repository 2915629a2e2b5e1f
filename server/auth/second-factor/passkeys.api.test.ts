import { expect, test } from 'vitest'
import { authApi } from '#contract/auth.ts'
import { authFactorsApi } from '#contract/auth-factors.ts'
import { testApp } from '#server/testing/app.ts'
import { MINUTE, withClockForward } from '#server/testing/clock.ts'
import { TEST_ORIGIN, type Visitor } from '#server/testing/visitor.ts'
import { createAuthenticator } from '../testing/authenticator.ts'
import { emailTo, errorOf, isSignedIn } from '../testing/steps.ts'
import { turnOnTotp } from '../testing/totp.ts'

const app = await testApp()

type Device = ReturnType<typeof createAuthenticator>

async function add(visitor: Visitor, device: Device, name = 'Ноутбук') {
  const options = await visitor.call(authFactorsApi.passkeyRegistration, {})
  return visitor.call(authFactorsApi.addPasskey, { body: { response: device.create(options), name } })
}

async function enter(visitor: Visitor, device: Device) {
  const options = await visitor.call(authFactorsApi.passkeySignIn, {})
  return visitor.call(authFactorsApi.signInPasskey, { body: { response: device.get(options) } })
}

async function prove(visitor: Visitor, device: Device) {
  const options = await visitor.call(authFactorsApi.passkeySignIn, {})
  return visitor.call(authFactorsApi.provePasskey, { body: { response: device.get(options) } })
}

test('a passkey is added, listed, renamed, used and deleted, with emails', async () => {
  const anna = await app.signIn()
  const device = createAuthenticator(TEST_ORIGIN)
  const { id } = await add(anna, device)
  await anna.call(authFactorsApi.renamePasskey, { body: { id, name: 'Телефон' } })
  expect(await anna.call(authFactorsApi.listPasskeys, {})).toEqual([expect.objectContaining({ id, name: 'Телефон' })])
  expect(emailTo(app, anna.user.email, 'Новый ключ').text).toContain('добавлен ключ доступа')
  const visitor = app.visitor()
  expect((await enter(visitor, device)).user.id).toBe(anna.user.id)
  await anna.call(authFactorsApi.deletePasskey, { body: { id } })
  expect(emailTo(app, anna.user.email, 'удалён').text).toContain('удалён ключ доступа')
  expect(await errorOf(enter(app.visitor(), device))).toMatchObject({ status: 401 })
})

test('a passkey replaces both steps, without a TOTP code', async () => {
  const anna = await app.signIn()
  const device = createAuthenticator(TEST_ORIGIN)
  await add(anna, device)
  await turnOnTotp(anna)
  const visitor = app.visitor()
  await enter(visitor, device)
  expect(await isSignedIn(visitor)).toBe(true)
  expect((await visitor.call(authFactorsApi.proof, {})).fresh).toBe(true)
})

test('a device without user verification neither becomes a passkey nor signs in', async () => {
  const anna = await app.signIn()
  const careless = createAuthenticator(TEST_ORIGIN, { verifiesUser: false })
  expect(await errorOf(add(anna, careless))).toMatchObject({ status: 401, code: 'USER_NOT_VERIFIED' })
  expect(await anna.call(authFactorsApi.listPasskeys, {})).toEqual([])
  const options = await app.visitor().call(authFactorsApi.passkeySignIn, {})
  expect(options.userVerification).toBe('required')
})

test('an invalid passkey response is rejected with 400', async () => {
  const anna = await app.signIn()
  await anna.fetch('/api/auth/passkey/generate-register-options')
  for (const response of [{}, { id: 'x', response: {} }, { id: 1, rawId: [], type: 'public-key', response: null }]) {
    const answer = await anna.post('/api/auth/passkey/verify-registration', { response })
    expect([400, 401], await answer.clone().text()).toContain(answer.status)
  }
})

test('answers for another site or challenge, and repeated answers, are refused', async () => {
  const anna = await app.signIn()
  const device = createAuthenticator(TEST_ORIGIN)
  await add(anna, device)
  const phishing = createAuthenticator('https://evil.example')
  expect(await errorOf(add(anna, phishing))).toMatchObject({ status: expect.toSatisfy((s: number) => s >= 400) })
  const visitor = app.visitor()
  const options = await visitor.call(authFactorsApi.passkeySignIn, {})
  const response = device.get(options)
  const other = app.visitor()
  await other.call(authFactorsApi.passkeySignIn, {})
  expect((await errorOf(other.call(authFactorsApi.signInPasskey, { body: { response } }))).status).toBe(400)
  await visitor.call(authFactorsApi.signInPasskey, { body: { response } })
  const replay = app.visitor()
  await replay.call(authFactorsApi.passkeySignIn, {})
  expect((await errorOf(replay.call(authFactorsApi.signInPasskey, { body: { response } }))).status).toBe(400)
  expect(await isSignedIn(replay)).toBe(false)
})

test('another user’s passkey proves nothing and does not switch accounts', async () => {
  const anna = await app.signIn()
  const boris = await app.signIn()
  const device = createAuthenticator(TEST_ORIGIN)
  await add(boris, device)
  expect(await errorOf(prove(anna, device))).toMatchObject({ status: 401, code: 'PASSKEY_FAILED' })
  expect(await errorOf(enter(anna, device))).toMatchObject({ status: 403, code: 'ANOTHER_USER' })
  expect((await anna.call(authApi.getSession, {}))?.user.id).toBe(anna.user.id)
  const [mine] = await boris.call(authFactorsApi.listPasskeys, {})
  expect((await errorOf(anna.call(authFactorsApi.deletePasskey, { body: { id: mine?.id ?? '' } }))).status).toBe(401)
  expect(
    (await errorOf(anna.call(authFactorsApi.renamePasskey, { body: { id: mine?.id ?? '', name: 'x' } }))).status,
  ).toBe(401)
})

test('adding and deleting passkeys needs a fresh proof', async () => {
  const anna = await app.signIn()
  const device = createAuthenticator(TEST_ORIGIN)
  const { id } = await add(anna, device)
  await withClockForward(16 * MINUTE, async () => {
    const another = () => add(anna, createAuthenticator(TEST_ORIGIN))
    expect(await errorOf(another())).toMatchObject({ status: 403, code: 'proof_required' })
    const remove = () => anna.call(authFactorsApi.deletePasskey, { body: { id } })
    expect(await errorOf(remove())).toMatchObject({ code: 'proof_required' })
    await prove(anna, device)
    await another()
    await remove()
  })
  expect(await anna.call(authFactorsApi.listPasskeys, {})).toHaveLength(1)
})
