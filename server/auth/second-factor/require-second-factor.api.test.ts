import { eq, like } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { accountApi } from '#contract/account.ts'
import { authApi } from '#contract/auth.ts'
import { authAdminApi } from '#contract/auth-admin.ts'
import { authFactorsApi } from '#contract/auth-factors.ts'
import { sessions, twoFactors, users, verifications } from '#server/db/schema.ts'
import { memoryLimits, startTestApp } from '#server/testing/app.ts'
import { DAY, MINUTE, withClockForward } from '#server/testing/clock.ts'
import type { Visitor } from '#server/testing/visitor.ts'
import { unsignedToken } from '../testing/fake-providers.ts'
import { replyAsVk, startSocialApp, throughProvider, vkPerson } from '../testing/social.ts'
import { errorOf, follow, isSignedIn, linkTo, newAddress, PASSWORD, withPassword } from '../testing/steps.ts'
import { codeOf, turnOnTotp } from '../testing/totp.ts'

const { app, providers } = await startSocialApp()

const ASKED = { twoFactorRedirect: true, twoFactorMethods: ['totp'] }

async function person() {
  const anna = await withPassword(app)
  return { ...anna, ...(await turnOnTotp(anna)) }
}

async function openLink(visitor: Visitor, email: string, callbackURL = '/threads'): Promise<Response> {
  await visitor.call(authApi.signInMagicLink, { body: { email, callbackURL } })
  return follow(visitor, linkTo(app, email))
}

/** The response sets no session cookie, and only the first session exists. */
async function expectNoSession(visitor: Visitor, userId: string, answer?: Response) {
  expect(await isSignedIn(visitor)).toBe(false)
  const open = await app.db.select().from(sessions).where(eq(sessions.userId, userId))
  expect(open).toHaveLength(1)
  const given = answer?.headers.getSetCookie().filter((cookie) => /session_token=[^;]/.test(cookie)) ?? []
  expect(given).toEqual([])
}

describe('the first step alone gives no session to a second-factor user', () => {
  test('by an emailed link: the browser goes to the second step', async () => {
    const anna = await person()
    const visitor = app.visitor()
    const answer = await openLink(visitor, anna.email, '/threads?x=1')
    expect([answer.status, answer.headers.get('location')]).toEqual([
      302,
      '/auth/second-factor?next=%2Fthreads%3Fx%3D1',
    ])
    await expectNoSession(visitor, anna.user.id, answer)
    await visitor.call(authFactorsApi.verifyTotp, { body: { code: codeOf(anna.key) } })
    expect((await visitor.call(authApi.getSession, {}))?.user.id).toBe(anna.user.id)
  })

  test('by a password', async () => {
    const anna = await person()
    const visitor = app.visitor()
    const answer = await visitor.post('/api/auth/sign-in/email', { email: anna.email, password: PASSWORD })
    expect(await answer.clone().json()).toEqual(ASKED)
    await expectNoSession(visitor, anna.user.id, answer)
  })

  test('by the confirmation of an address', async () => {
    const anna = await person()
    await app.db.update(users).set({ emailVerified: false }).where(eq(users.id, anna.user.id))
    await anna.call(authApi.sendVerificationEmail, { body: { email: anna.email } })
    await anna.call(authApi.signOut, {})
    const answer = await follow(anna, linkTo(app, anna.email, 'Подтвердите'))
    expect([
      await isSignedIn(anna),
      answer.headers.getSetCookie().filter((cookie) => /session_token=[^;]/.test(cookie)),
    ]).toEqual([false, []])
  })

  test('by a social provider', async () => {
    const email = newAddress('vk')
    replyAsVk(providers, vkPerson(email))
    const first = app.visitor()
    await throughProvider(first, { provider: 'vk', callbackURL: '/' })
    const session = await first.call(authApi.getSession, {})
    await turnOnTotp(first)
    const visitor = app.visitor()
    const answer = await throughProvider(visitor, { provider: 'vk', callbackURL: '/images' })
    expect(answer.headers.get('location')).toBe('/auth/second-factor?next=%2Fimages')
    await expectNoSession(visitor, session?.user.id ?? '', answer)
  })

  test('by the token of a provider', async () => {
    const email = newAddress('line')
    const claims = { sub: `line-${email}`, aud: 'line-client', iss: 'https://access.line.me', email, name: 'Анна' }
    providers.reply('api.line.me/oauth2/v2.1/verify', { ...claims, exp: Math.ceil(Date.now() / 1000) + 600 })
    const body = { provider: 'line', idToken: { token: unsignedToken(claims) } }
    const first = app.visitor()
    const entered = await first.call(authApi.signInSocial, { body })
    expect(entered.token).toEqual(expect.any(String))
    await turnOnTotp(first)
    const visitor = app.visitor()
    const answer = await visitor.post('/api/auth/sign-in/social', body)
    expect(await answer.clone().json()).toEqual(ASKED)
    await expectNoSession(visitor, entered.user?.id ?? '', answer)
  })

  test('by a new password: the reset ends all sessions without opening any', async () => {
    const anna = await person()
    const visitor = app.visitor()
    await visitor.call(accountApi.requestPasswordReset, { body: { email: anna.email } })
    const landed = await visitor.fetch(linkTo(app, anna.email, 'пароль'))
    const token = new URL(landed.headers.get('location') ?? '', 'http://x').searchParams.get('token') ?? ''
    await visitor.call(accountApi.resetPassword, { body: { newPassword: 'another good password', token } })
    expect(await isSignedIn(visitor)).toBe(false)
    const again = await visitor.call(authApi.signInEmail, {
      body: { email: anna.email, password: 'another good password' },
    })
    expect(again.twoFactorRedirect).toBe(true)
    expect(await isSignedIn(visitor)).toBe(false)
  })
})

test('renewing or changing a session does not ask for the second step', async () => {
  const anna = await person()
  await anna.call(accountApi.updateUser, { body: { name: 'Анна К.' } })
  await withClockForward(2 * DAY, () => anna.call(authApi.getSession, {}))
  await anna.call(accountApi.changePassword, {
    body: { currentPassword: PASSWORD, newPassword: 'another good password', revokeOtherSessions: true },
  })
  expect(await isSignedIn(anna)).toBe(true)
})

test('an admin can impersonate a user with a second factor', async () => {
  const anna = await person()
  const boss = await app.signIn('owner@example.test')
  await boss.call(authAdminApi.impersonateUser, { body: { userId: anna.user.id } })
  expect((await boss.call(authApi.getSession, {}))?.user.id).toBe(anna.user.id)
  const refused = await errorOf(boss.call(authFactorsApi.verifyTotp, { body: { code: codeOf(anna.key) } }))
  expect(refused).toMatchObject({ status: 403, code: 'impersonated' })
  await boss.call(authAdminApi.stopImpersonating, {})
  expect((await boss.call(authApi.getSession, {}))?.user.email).toBe('owner@example.test')
})

describe('the second step', () => {
  test('belongs to the browser that took the first', async () => {
    const anna = await person()
    const visitor = app.visitor()
    await openLink(visitor, anna.email)
    const thief = app.visitor()
    const refused = await errorOf(thief.call(authFactorsApi.verifyTotp, { body: { code: codeOf(anna.key) } }))
    expect(refused).toMatchObject({ status: 401, code: 'INVALID_TWO_FACTOR_COOKIE' })
  })

  test('may be taken for ten minutes', async () => {
    const anna = await person()
    const visitor = app.visitor()
    await openLink(visitor, anna.email)
    const code = () => visitor.call(authFactorsApi.verifyTotp, { body: { code: codeOf(anna.key) } })
    expect(await errorOf(withClockForward(10 * MINUTE + 1000, code))).toMatchObject({
      code: 'INVALID_TWO_FACTOR_COOKIE',
    })
    expect(await isSignedIn(visitor)).toBe(false)
  })

  test('ends after five wrong codes, even for the right code', async () => {
    const anna = await person()
    const visitor = app.visitor()
    await openLink(visitor, anna.email)
    for (const code of ['000000', '000001', '000002', '000003', '000004'])
      expect(await errorOf(visitor.call(authFactorsApi.verifyTotp, { body: { code } }))).toMatchObject({
        code: 'INVALID_CODE',
      })
    const right = () => visitor.call(authFactorsApi.verifyTotp, { body: { code: codeOf(anna.key) } })
    expect((await errorOf(right())).code).toBe('TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE')
    expect((await errorOf(right())).status).toBe(401)
    expect(await isSignedIn(visitor)).toBe(false)
  })

  test('cannot be guessed by starting over: wrong codes are counted by person', async () => {
    const strict = await startTestApp({ deps: { limits: memoryLimits() } })
    const anna = await strict.signIn()
    const { key } = await turnOnTotp(anna)
    const tried: string[] = []
    const guess = async (visitor: Visitor, code: string) =>
      tried.push((await errorOf(visitor.call(authFactorsApi.verifyTotp, { body: { code } }))).code)
    for (let code = 0; code < 12; code++) await guess(anna, `00000${code}`.slice(-6))
    expect(tried.slice(10)).toEqual(['too_many_requests', 'too_many_requests'])
    expect(await errorOf(anna.call(authFactorsApi.verifyTotp, { body: { code: codeOf(key) } }))).toMatchObject({
      status: 429,
    })
    await strict.close()
  })

  test('takes a code once, even when it comes twice at once', async () => {
    const anna = await person()
    const browsers = [app.visitor(), app.visitor()]
    for (const visitor of browsers) await openLink(visitor, anna.email)
    const code = codeOf(anna.key)
    await Promise.allSettled(browsers.map((visitor) => visitor.call(authFactorsApi.verifyTotp, { body: { code } })))
    const inside = await Promise.all(browsers.map(isSignedIn))
    expect(inside.filter(Boolean)).toHaveLength(1)
    const third = app.visitor()
    await openLink(third, anna.email)
    expect((await errorOf(third.call(authFactorsApi.verifyTotp, { body: { code } }))).code).toBe('CODE_ALREADY_USED')
  })

  test('takes a recovery code once, even when it comes twice at once', async () => {
    const anna = await person()
    const [code = ''] = anna.backupCodes
    const browsers = [app.visitor(), app.visitor()]
    for (const visitor of browsers) await openLink(visitor, anna.email)
    await Promise.allSettled(
      browsers.map((visitor) => visitor.call(authFactorsApi.verifyBackupCode, { body: { code } })),
    )
    expect((await Promise.all(browsers.map(isSignedIn))).filter(Boolean)).toHaveLength(1)
    expect((await anna.call(authFactorsApi.factorState, {})).codesLeft).toBe(9)
    const third = app.visitor()
    await openLink(third, anna.email)
    expect((await errorOf(third.call(authFactorsApi.verifyBackupCode, { body: { code } }))).status).toBe(401)
  })

  test('is skipped for thirty days only on a remembered device', async () => {
    const anna = await person()
    const visitor = app.visitor()
    await openLink(visitor, anna.email)
    await visitor.call(authFactorsApi.verifyTotp, { body: { code: codeOf(anna.key), trustDevice: true } })
    await visitor.call(authApi.signOut, {})
    await openLink(visitor, anna.email)
    expect(await isSignedIn(visitor)).toBe(true)
    await visitor.call(authApi.signOut, {})
    const remembered = like(verifications.identifier, 'trust-device-%')
    const [trusted] = await app.db.select().from(verifications).where(remembered)
    expect((trusted?.expiresAt.getTime() ?? 0) - Date.now()).toBeLessThanOrEqual(30 * DAY)
    await app.db.update(verifications).set({ expiresAt: new Date() }).where(remembered)
    await openLink(visitor, anna.email)
    expect(await isSignedIn(visitor)).toBe(false)
    const other = app.visitor()
    await openLink(other, anna.email)
    expect(await isSignedIn(other)).toBe(false)
  })

  test('is asked on a remembered device after all other sessions ended', async () => {
    const anna = await person()
    const visitor = app.visitor()
    await openLink(visitor, anna.email)
    await visitor.call(authFactorsApi.verifyTotp, { body: { code: codeOf(anna.key), trustDevice: true } })
    await anna.call(accountApi.revokeOtherSessions, {})
    await openLink(visitor, anna.email)
    expect(await isSignedIn(visitor)).toBe(false)
  })
})

test('the secret and the recovery codes are stored encrypted', async () => {
  const anna = await person()
  const rows = JSON.stringify([
    await app.db.select().from(twoFactors).where(eq(twoFactors.userId, anna.user.id)),
    await app.db.select().from(verifications),
  ])
  expect(rows).not.toContain(anna.key)
  for (const code of anna.backupCodes) expect(rows).not.toContain(code)
})

test('calls of both plugins outside the contract do not exist', async () => {
  const anna = await person()
  for (const path of ['send-otp', 'verify-otp', 'get-totp-uri', 'view-backup-codes', 'generate-totp'])
    expect([path, (await anna.post(`/api/auth/two-factor/${path}`, {})).status]).toEqual([path, 404])
})

test('another spelling of an address does not bypass the contract', async () => {
  const anna = await person()
  await withClockForward(20 * MINUTE, async () => {
    for (const path of [
      '//two-factor/disable',
      '/two-factor//disable',
      '/two-factor/disable/',
      '/two-factor/disable//',
    ])
      expect([path, (await anna.post(`/api/auth${path}`, {})).status]).toEqual([
        path,
        expect.toSatisfy((s) => s >= 403),
      ])
  })
  expect((await anna.call(authFactorsApi.factorState, {})).enabled).toBe(true)
})
