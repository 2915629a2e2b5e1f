import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { accountApi } from '#contract/account.ts'
import { authApi } from '#contract/auth.ts'
import { authFactorsApi } from '#contract/auth-factors.ts'
import { passkeys, twoFactors, users } from '#server/db/schema.ts'
import { limitTable } from '#server/http/limit-table.ts'
import { newId } from '#server/lib/ids.ts'
import { memoryLimits, startTestApp, testApp } from '#server/testing/app.ts'
import { DAY, MINUTE, withClockForward } from '#server/testing/clock.ts'
import {
  codeIn,
  emailTo,
  errorOf,
  follow,
  isSignedIn,
  linkTo,
  newAddress,
  PASSWORD,
  withPassword,
} from './testing/steps.ts'
import { codeOf, turnOnTotp } from './testing/totp.ts'

const app = await testApp()

const PROOF = { status: 403, code: 'proof_required' }
const later = <T>(action: () => Promise<T>) => withClockForward(20 * MINUTE, action)

describe('a stolen session', () => {
  test('cannot create a password', async () => {
    const anna = await app.signIn()
    const created = later(() => errorOf(anna.call(accountApi.createPassword, { body: { newPassword: PASSWORD } })))
    expect(await created).toMatchObject(PROOF)
  })

  test('cannot prove anything by a password that was created after it began (S10.582)', async () => {
    const anna = await app.signIn()
    await anna.call(accountApi.createPassword, { body: { newPassword: PASSWORD } })
    expect(emailTo(app, anna.user.email, 'Пароль').text).toContain('создан пароль')
    await later(async () => {
      expect((await anna.call(authFactorsApi.proof, {})).ways).toEqual(['email'])
      const proven = errorOf(anna.call(authFactorsApi.provePassword, { body: { password: PASSWORD } }))
      expect(await proven).toMatchObject({ status: 403, code: 'PASSWORD_TOO_NEW' })
      expect(await errorOf(anna.call(authFactorsApi.enableTotp, {}))).toMatchObject(PROOF)
      const change = { currentPassword: PASSWORD, newPassword: 'another password' }
      expect(await errorOf(anna.call(accountApi.changePassword, { body: change }))).toMatchObject(PROOF)
      expect(await errorOf(anna.call(accountApi.deleteUser, { body: { password: PASSWORD } }))).toMatchObject(PROOF)
    })
    const again = app.visitor()
    await again.call(authApi.signInEmail, { body: { email: anna.user.email, password: PASSWORD } })
    await later(() => again.call(authFactorsApi.provePassword, { body: { password: PASSWORD } }))
  })

  test('cannot change the address, see or end sessions, link, unlink or rename', async () => {
    const anna = await withPassword(app)
    await later(async () => {
      const refused = [
        anna.call(accountApi.changeEmail, { body: { newEmail: newAddress('thief') } }),
        anna.call(accountApi.listSessions, {}),
        anna.call(accountApi.revokeSession, { body: { token: 'x' } }),
        anna.call(accountApi.revokeSessions, {}),
        anna.call(accountApi.revokeOtherSessions, {}),
        anna.call(accountApi.linkSocial, { body: { provider: 'vk' } }),
        anna.call(accountApi.unlinkAccount, { body: { providerId: 'credential' } }),
        anna.call(authFactorsApi.renamePasskey, { body: { id: 'x', name: 'x' } }),
      ]
      for (const call of refused) expect(await errorOf(call)).toMatchObject(PROOF)
    })
  })

  test('cannot request the deletion of the account without a proof', async () => {
    const anna = await app.signIn()
    await later(async () => {
      expect(await errorOf(anna.call(accountApi.deleteUser, { body: {} }))).toMatchObject(PROOF)
      await anna.call(authFactorsApi.sendProofCode, {})
      await anna.call(authFactorsApi.proveCode, { body: { code: codeIn(emailTo(app, anna.user.email, 'Код')) } })
      await anna.call(accountApi.deleteUser, { body: {} })
    })
    expect(emailTo(app, anna.user.email, 'Удаление')).toBeDefined()
  })

  test('cannot use the password where a second factor is on', async () => {
    const anna = await withPassword(app)
    const { key } = await turnOnTotp(anna)
    const change = { currentPassword: PASSWORD, newPassword: 'another password' }
    await withClockForward(2 * DAY, async () => {
      expect(await errorOf(anna.call(accountApi.changePassword, { body: change }))).toMatchObject(PROOF)
      expect(await errorOf(anna.call(accountApi.deleteUser, { body: { password: PASSWORD } }))).toMatchObject(PROOF)
      await anna.call(authFactorsApi.verifyTotp, { body: { code: codeOf(key) } })
      await anna.call(accountApi.changePassword, { body: change })
    })
    expect(emailTo(app, anna.email, 'изменён').text).toContain('Пароль вашего аккаунта')
  })
})

test('guesses of emailed codes are counted per account across sessions and networks (S10.592)', async () => {
  const many = { points: 1000, seconds: 900 }
  const rows = { ...limitTable, 'second-factor': { ...limitTable['second-factor'], ...many } }
  const strict = await startTestApp({ deps: { limits: memoryLimits(rows) }, settings: { trustedProxies: 1 } })
  const anna = await strict.signIn(newAddress('guessed'))
  const phone = await strict.signIn(anna.user.email)
  const statuses: number[] = []
  for (const session of [anna, phone]) {
    await session.call(authFactorsApi.sendProofCode, {})
    const wrong = codeIn(emailTo(strict, anna.user.email, 'Код')) === '000000' ? '000001' : '000000'
    for (let guess = 0; guess < 25; guess++) {
      const network = { 'x-forwarded-for': `10.7.${statuses.length}.1` }
      statuses.push((await session.post('/api/auth/proof/email-code', { code: wrong }, network)).status)
    }
  }
  expect(statuses).toEqual([...Array(40).fill(401), ...Array(10).fill(429)])
  await strict.close()
})

test('a password from before the session proves within the call itself', async () => {
  const anna = await withPassword(app)
  const change = { currentPassword: PASSWORD, newPassword: 'another password', revokeOtherSessions: true }
  await later(() => anna.call(accountApi.changePassword, { body: change }))
  expect(await isSignedIn(anna)).toBe(true)
})

test('the second factor and passkeys survive a confirmation in an unknown browser (S10.583)', async () => {
  const anna = await app.signIn()
  const { key } = await turnOnTotp(anna)
  const passkey = { id: newId(), userId: anna.user.id, publicKey: 'x', credentialID: newId() }
  await app.db.insert(passkeys).values({ ...passkey, counter: 0, deviceType: 'singleDevice', backedUp: false })
  const newEmail = newAddress('new')
  await anna.call(accountApi.changeEmail, { body: { newEmail, callbackURL: '/profile' } })
  const visitor = app.visitor()
  await follow(visitor, linkTo(app, anna.user.email, 'Смена почты'))
  await follow(visitor, linkTo(app, newEmail, 'Подтвердите новую почту'))

  const [user] = await app.db.select().from(users).where(eq(users.id, anna.user.id))
  expect(user).toMatchObject({ email: newEmail, twoFactorEnabled: true })
  expect(await app.db.$count(twoFactors, eq(twoFactors.userId, anna.user.id))).toBe(1)
  expect(await app.db.$count(passkeys, eq(passkeys.userId, anna.user.id))).toBe(1)
  expect(await isSignedIn(anna)).toBe(false)

  await visitor.call(authApi.signInMagicLink, { body: { email: newEmail, callbackURL: '/' } })
  const response = await visitor.fetch(linkTo(app, newEmail, 'Вход'))
  expect(response.headers.get('location')).toContain('/auth/second-factor')
  await withClockForward(MINUTE, () => visitor.call(authFactorsApi.verifyTotp, { body: { code: codeOf(key) } }))
  expect(await isSignedIn(visitor)).toBe(true)
})
