import { eq, like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accountApi } from '#contract/account.ts'
import { authApi } from '#contract/auth.ts'
import { users, verifications } from '#server/db/schema.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { MINUTE, withClockForward } from '#server/testing/clock.ts'
import { emailsTo, errorOf, follow, isSignedIn, linkTo, newAddress, submitForm, withPassword } from './testing/steps.ts'

let mailWorks = true
const app: TestApp = await testApp({
  auth: {
    mail: async (emailMessage) => {
      if (!mailWorks) throw new Error('451 try again later')
      app.outbox.push(emailMessage)
    },
  },
})

async function askForLink(email: string, extra: Record<string, string> = {}) {
  const visitor = app.visitor()
  await visitor.call(authApi.signInMagicLink, { body: { email, callbackURL: '/threads', ...extra } })
  return { visitor, link: linkTo(app, email) }
}

test('users sign in without a password by a link sent by e-mail (S1.2)', async () => {
  const email = newAddress()
  const { visitor, link } = await askForLink(email)
  const landed = await follow(visitor, link)
  expect([landed.status, landed.headers.get('location')]).toEqual([302, 'http://localhost:3000/threads'])
  const signedIn = await visitor.call(authApi.getSession, {})
  expect(signedIn?.user).toMatchObject({ email, emailVerified: true, role: 'user' })
})

test('in another browser the link shows our page with a button', async () => {
  const email = newAddress()
  const { link } = await askForLink(email)
  expect(new URL(link).pathname).toBe('/api/auth/magic-link/open')
  const phone = app.visitor()
  const page = await phone.fetch(link)
  const html = await page.text()
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(html).toContain(`>Войти как ${email}</button>`)
  expect(html).not.toMatch(/<script|onclick|javascript:|http-equiv/)
  expect(await isSignedIn(phone)).toBe(false)
  const landed = await submitForm(phone, html)
  expect([landed.status, landed.headers.get('location')]).toEqual([302, 'http://localhost:3000/threads'])
  expect((await phone.call(authApi.getSession, {}))?.user.email).toBe(email)
})

test('a mail scanner does not use the link up', async () => {
  const { visitor, link } = await askForLink(newAddress())
  const scanner = app.visitor()
  expect((await scanner.fetch(link, { method: 'HEAD' })).status).toBe(200)
  expect((await scanner.fetch(link)).status).toBe(200)
  await scanner.fetch(link.replace('/open', '/verify'), { method: 'HEAD' })
  expect(await isSignedIn(scanner)).toBe(false)
  await follow(visitor, link)
  expect(await isSignedIn(visitor)).toBe(true)
})

test('four clicks at once sign in exactly once', async () => {
  const { link } = await askForLink(newAddress())
  const visitors = Array.from({ length: 4 }, () => app.visitor())
  await Promise.all(visitors.map((visitor) => follow(visitor, link)))
  const inside = await Promise.all(visitors.map(isSignedIn))
  expect(inside.filter(Boolean)).toHaveLength(1)
})

test('used, invented and expired links lead to sign-in with INVALID_TOKEN', async () => {
  const { visitor, link } = await askForLink(newAddress())
  await follow(visitor, link)
  const used = await follow(app.visitor(), link)
  const madeUp = await follow(app.visitor(), link.replace(/token=\w+/, 'token=nonsense'))
  const second = await askForLink(newAddress())
  const expired = await withClockForward(15 * MINUTE + 1, () => follow(second.visitor, second.link))
  for (const answer of [used, madeUp, expired]) {
    expect(answer.headers.get('location')).toBe('http://localhost:3000/auth/signin?error=INVALID_TOKEN')
  }
})

test('a signed-in person who opens a used or invented link goes home (S10.172)', async () => {
  const { visitor, link } = await askForLink(newAddress())
  await follow(visitor, link)
  for (const used of [link, link.replace(/token=\w+/, 'token=nonsense')]) {
    const again = await visitor.fetch(used)
    expect([again.status, again.headers.get('location')]).toEqual([302, '/'])
  }
  expect(await isSignedIn(visitor)).toBe(true)
})

test('a link opened a moment before it expires still works', async () => {
  const { visitor, link } = await askForLink(newAddress())
  await withClockForward(14 * MINUTE, () => follow(visitor, link))
  expect(await isSignedIn(visitor)).toBe(true)
})

test('new users go to newUserCallbackURL, returning users to callbackURL', async () => {
  const email = newAddress()
  const first = await askForLink(email, { newUserCallbackURL: '/help' })
  expect((await follow(first.visitor, first.link)).headers.get('location')).toBe('http://localhost:3000/help')
  const second = await askForLink(email, { newUserCallbackURL: '/help' })
  expect((await follow(second.visitor, second.link)).headers.get('location')).toBe('http://localhost:3000/threads')
})

test('the database stores only a hash of the token', async () => {
  const { link } = await askForLink(newAddress())
  const token = new URL(link).searchParams.get('token')
  const rows = await app.db.select().from(verifications).where(like(verifications.identifier, 'magic-link:%'))
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toContain(token)
})

test('an invalid address is INVALID_EMAIL and no email is sent (S5.1)', async () => {
  for (const email of ['nonsense', 'a@b', `${'x'.repeat(250)}@example.test`, 't2_1@reddit.placeholder.invalid']) {
    const before = app.outbox.length
    const failure = await errorOf(app.visitor().call(authApi.signInMagicLink, { body: { email } }))
    expect(failure).toEqual({ status: 400, code: 'INVALID_EMAIL', message: 'Invalid email' })
    expect(app.outbox).toHaveLength(before)
  }
})

test('the address is case-insensitive', async () => {
  const email = newAddress()
  await follow(app.visitor(), (await askForLink(email)).link)
  const visitor = app.visitor()
  await visitor.call(authApi.signInMagicLink, { body: { email: email.toUpperCase() } })
  await follow(visitor, linkTo(app, email.toUpperCase()))
  expect(await app.db.select().from(users).where(eq(users.email, email))).toHaveLength(1)
  expect((await visitor.call(authApi.getSession, {}))?.user.email).toBe(email)
})

test('an email that cannot be sent is a 503 with an explanation', async () => {
  mailWorks = false
  const failure = await errorOf(app.visitor().call(authApi.signInMagicLink, { body: { email: newAddress() } }))
  mailWorks = true
  expect(failure).toMatchObject({ status: 503, code: 'MAIL_NOT_SENT' })
  expect(failure.message).toMatch(/^Не удалось отправить письмо/)
})

test('a stray percent sign in a return address is a 400', async () => {
  const answer = await app.visitor().fetch('/api/auth/magic-link/verify?token=x&callbackURL=%2F100%25')
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ code: 'INVALID_CALLBACK_URL' })
})

test('the owner of an address gets a stranger’s account with it', async () => {
  const email = newAddress()
  const attacker = app.visitor()
  await attacker.call(accountApi.signUpEmail, { body: { email, password: 'of the attacker', name: 'Х' } })
  const { visitor, link } = await askForLink(email)
  await follow(visitor, link)
  expect(await visitor.call(accountApi.listAccounts, {})).toEqual([])
  const failure = await errorOf(attacker.call(authApi.signInEmail, { body: { email, password: 'of the attacker' } }))
  expect(failure.code).toBe('INVALID_EMAIL_OR_PASSWORD')
})

test('signing in by link keeps the password', async () => {
  const anna = await withPassword(app)
  const { visitor, link } = await askForLink(anna.email)
  await follow(visitor, link)
  expect(await visitor.call(accountApi.listAccounts, {})).toMatchObject([{ providerId: 'credential' }])
  expect(emailsTo(app, anna.email).length).toBeGreaterThan(1)
})

test('a link signs in only as a page, not as a picture', async () => {
  const { visitor, link } = await askForLink(newAddress())
  const address = new URL(link)
  const verify = `/api/auth/magic-link/verify${address.search}`
  for (const destination of ['image', 'iframe', 'script', 'empty']) {
    const hidden = await visitor.fetch(verify, { headers: { 'sec-fetch-dest': destination } })
    expect(hidden.status).toBe(403)
    expect(await isSignedIn(visitor)).toBe(false)
  }
  const shown = await visitor.fetch(verify, { headers: { 'sec-fetch-dest': 'document' } })
  expect(shown.status).toBe(302)
  expect(await isSignedIn(visitor)).toBe(true)
})
