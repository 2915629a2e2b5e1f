import { like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accountApi } from '#contract/account.ts'
import { authApi } from '#contract/auth.ts'
import { authAdminApi } from '#contract/auth-admin.ts'
import { authFactorsApi } from '#contract/auth-factors.ts'
import { verifications } from '#server/db/schema.ts'
import { limitTable } from '#server/http/limit-table.ts'
import { memoryLimits, startTestApp, type TestApp, testApp } from '#server/testing/app.ts'
import { MINUTE, withClockForward } from '#server/testing/clock.ts'
import type { Visitor } from '#server/testing/visitor.ts'
import {
  codeIn,
  emailTo,
  errorOf,
  follow,
  isSignedIn,
  linkIn,
  newAddress,
  PASSWORD,
  withPassword,
} from './testing/steps.ts'
import { codeOf, turnOnTotp } from './testing/totp.ts'

const app = await testApp()

async function ask(email: string, visitor: Visitor = app.visitor(), from: TestApp = app) {
  await visitor.call(authApi.signInMagicLink, { body: { email, callbackURL: '/threads' } })
  const message = emailTo(from, email)
  return { visitor, link: linkIn(message), code: codeIn(message) }
}

const enter = (visitor: Visitor, email: string, code: string, callbackURL?: string) =>
  visitor.call(authApi.signInEmailCode, { body: { email, code, ...(callbackURL ? { callbackURL } : {}) } })
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test('the emailed code signs in the browser that requested it (S10.166)', async () => {
  const email = newAddress()
  const { visitor, code } = await ask(email)
  const answer = await enter(visitor, email, code, '/threads')
  expect(answer).toMatchObject({ redirect: true, token: expect.any(String), url: '/threads', user: { email } })
  expect((await visitor.call(authApi.getSession, {}))?.user).toMatchObject({ email, emailVerified: true })
})

test('spaces in the code and capitals in the address are ignored', async () => {
  const email = newAddress()
  const { visitor, code } = await ask(email)
  const answer = await enter(visitor, email.toUpperCase(), ` ${code.slice(0, 3)} ${code.slice(3)} `)
  expect(answer).toMatchObject({ redirect: false, url: null })
  expect(await isSignedIn(visitor)).toBe(true)
})

test('the code works only once, and using it uses the link up (S10.166)', async () => {
  const email = newAddress()
  const { visitor, code, link } = await ask(email)
  await enter(visitor, email, code)
  await visitor.call(authApi.signOut, {})
  expect(await errorOf(enter(visitor, email, code))).toMatchObject({ status: 400, code: 'CODE_EXPIRED' })
  await follow(visitor, link)
  expect(await isSignedIn(visitor)).toBe(false)
})

test('a code that several windows enter at once signs in once', async () => {
  const email = newAddress()
  const { visitor, code } = await ask(email)
  const answers = await Promise.allSettled([1, 2, 3].map(() => enter(visitor, email, code)))
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('opening the link uses the code up (S10.166)', async () => {
  const email = newAddress()
  const { visitor, code, link } = await ask(email)
  await follow(app.visitor(), link)
  const failure = await errorOf(enter(visitor, email, code))
  expect(failure).toMatchObject({ status: 400, code: 'CODE_EXPIRED' })
  expect(failure.message).toMatch(/новое письмо/)
})

test('the code does not work in another browser or for another address (S10.166)', async () => {
  const [email, other] = [newAddress(), newAddress()]
  const { visitor, code } = await ask(email)
  expect(await errorOf(enter(app.visitor(), email, code))).toMatchObject({ code: 'CODE_EXPIRED' })
  await ask(other, visitor)
  expect(await errorOf(enter(visitor, other, code))).toMatchObject({ code: 'INVALID_CODE' })
  await enter(visitor, email, code)
  expect((await visitor.call(authApi.getSession, {}))?.user.email).toBe(email)
})

test('the code is valid for 15 minutes, like the link (S10.166)', async () => {
  const email = newAddress()
  const first = await ask(email)
  const late = withClockForward(15 * MINUTE + 1, () => errorOf(enter(first.visitor, email, first.code)))
  expect(await late).toMatchObject({ code: 'CODE_EXPIRED' })
  const second = await ask(email)
  await withClockForward(14 * MINUTE, () => enter(second.visitor, email, second.code))
  expect(await isSignedIn(second.visitor)).toBe(true)
})

test('five wrong codes end the code, but not the link (S10.169)', async () => {
  const email = newAddress()
  const { visitor, code, link } = await ask(email)
  const first = await errorOf(enter(visitor, email, wrong(code)))
  expect(first).toMatchObject({ status: 400, code: 'INVALID_CODE' })
  expect(first.message).toContain('Осталось попыток: 4')
  const rest = await Promise.all([1, 2, 3, 4, 5].map(() => errorOf(enter(visitor, email, wrong(code)))))
  expect(rest.filter((failure) => failure.code === 'INVALID_CODE')).toHaveLength(3)
  const ended = await errorOf(enter(visitor, email, code))
  expect(ended).toMatchObject({ status: 400, code: 'TOO_MANY_CODES' })
  expect(ended.message).toMatch(/ссылку/)
  await follow(visitor, link)
  expect(await isSignedIn(visitor)).toBe(true)
})

test('a new email brings a new code and ends the previous code', async () => {
  const email = newAddress()
  const first = await ask(email)
  const second = await ask(email, first.visitor)
  if (first.code !== second.code)
    expect(await errorOf(enter(first.visitor, email, first.code))).toMatchObject({ code: 'INVALID_CODE' })
  await enter(first.visitor, email, second.code)
  expect(await isSignedIn(first.visitor)).toBe(true)
})

test('the database keeps neither the code nor the address it is for (S10.169)', async () => {
  const email = newAddress()
  const { code } = await ask(email)
  const rows = await app.db.select().from(verifications).where(like(verifications.identifier, 'sign-in-code:%'))
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toContain(email)
  expect(JSON.stringify(rows.map(({ value }) => value))).not.toContain(code)
})

test('wrong codes are limited per address and network across all browsers (S10.169)', async () => {
  const limited = await startTestApp({ deps: { limits: memoryLimits() } })
  const email = newAddress()
  const guesses = async () => {
    const { visitor, code } = await ask(email, limited.visitor(), limited)
    const failures = []
    for (let guess = 0; guess < 5; guess++) failures.push(await errorOf(enter(visitor, email, wrong(code))))
    return failures.map(({ status }) => status)
  }
  expect([...(await guesses()), ...(await guesses())]).not.toContain(429)
  expect(await guesses()).toEqual([429, 429, 429, 429, 429])
  await limited.close()
})

test('a right code is not counted against the address', async () => {
  const many = { points: 100, seconds: 600 }
  const rows = {
    ...limitTable,
    'links-address': { ...limitTable['links-address'], ...many },
    emails: { ...limitTable.emails, ...many },
  }
  const limited = await startTestApp({ deps: { limits: memoryLimits(rows) } })
  const email = newAddress()
  for (let time = 0; time < 12; time++) {
    const { visitor, code } = await ask(email, limited.visitor(), limited)
    expect(await enter(visitor, email, code)).toMatchObject({ token: expect.any(String) })
  }
  await limited.close()
})

test('a person with a second factor enters it after the code (S10.169)', async () => {
  const email = newAddress()
  const first = await ask(email)
  await enter(first.visitor, email, first.code)
  const { key } = await turnOnTotp(first.visitor)
  const { visitor, code } = await ask(email)
  expect(await enter(visitor, email, code, '/threads')).toMatchObject({ twoFactorRedirect: true })
  expect(await isSignedIn(visitor)).toBe(false)
  await visitor.call(authFactorsApi.verifyTotp, { body: { code: codeOf(key) } })
  expect(await isSignedIn(visitor)).toBe(true)
})

test('a banned person gets the reason (S10.169)', async () => {
  const admin = await app.signIn('owner@example.test')
  const anna = await app.signIn()
  await admin.call(authAdminApi.banUser, { body: { userId: anna.user.id } })
  const { visitor, code } = await ask(anna.user.email)
  const failure = await errorOf(enter(visitor, anna.user.email, code))
  expect(failure).toMatchObject({ status: 403, code: 'BANNED_USER' })
  expect(await isSignedIn(visitor)).toBe(false)
})

test('a stranger’s account passes to the owner, who keeps an own password', async () => {
  const email = newAddress()
  const stranger = app.visitor()
  await stranger.call(accountApi.signUpEmail, { body: { email, password: PASSWORD, name: 'Х' } })
  const { visitor, code } = await ask(email)
  await enter(visitor, email, code)
  expect(await visitor.call(accountApi.listAccounts, {})).toEqual([])
  const anna = await withPassword(app)
  const again = await ask(anna.email)
  await enter(again.visitor, anna.email, again.code)
  expect(await again.visitor.call(accountApi.listAccounts, {})).toMatchObject([{ providerId: 'credential' }])
})

test('the code makes an admin of an address in the settings', async () => {
  const owned = await startTestApp({ auth: { adminEmails: ['chief@example.test'] } })
  const { visitor, code } = await ask('chief@example.test', owned.visitor(), owned)
  await enter(visitor, 'chief@example.test', code)
  expect((await visitor.call(authApi.getSession, {}))?.user.role).toBe('admin')
  await owned.close()
})

test('a foreign callbackURL is refused', async () => {
  const email = newAddress()
  const { visitor, code } = await ask(email)
  for (const callbackURL of ['https://evil.example', '//evil.example', '/\\evil.example', '/%5Cevil.example'])
    expect(await errorOf(enter(visitor, email, code, callbackURL))).toMatchObject({ code: 'INVALID_CALLBACK_URL' })
  expect(await isSignedIn(visitor)).toBe(false)
})
