import { count, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { authApi } from '#contract/auth.ts'
import { authAdminApi } from '#contract/auth-admin.ts'
import { emailOutbox, knownDevices, users } from '#server/db/schema.ts'
import { testApp } from '#server/testing/app.ts'
import { MINUTE, withClockForward } from '#server/testing/clock.ts'
import type { Visitor } from '#server/testing/visitor.ts'
import { emailTo, follow, linkTo, newAddress, PASSWORD, withPassword } from './testing/steps.ts'

const app = await testApp()

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36'

const queuedEmails = (address: string) => app.db.select().from(emailOutbox).where(eq(emailOutbox.recipient, address))
const byPassword = (visitor: Visitor, email: string) =>
  visitor.post('/api/auth/sign-in/email', { email, password: PASSWORD }, { 'user-agent': WINDOWS })

test('a sign-in from a new browser is emailed with time and device', async () => {
  const anna = await withPassword(app)
  expect(await queuedEmails(anna.email)).toEqual([])
  await byPassword(app.visitor(), anna.email)
  const [mail, ...more] = await queuedEmails(anna.email)
  expect(more).toEqual([])
  expect(mail?.text).toMatch(/с нового устройства: Chrome на Windows, сеть 127\.0\.0\.\*\. Время: .+ \d\d:\d\d/)
  expect(mail?.text).toContain('/profile/account#sessions')
  await app.sendEmails()
  expect(emailTo(app, anna.email, 'Новый вход').text).toBe(mail?.text)
})

test('the first sign-in and known browsers send no email', async () => {
  const email = newAddress()
  const anna = app.visitor()
  for (let time = 0; time < 3; time++) {
    await anna.call(authApi.signInMagicLink, { body: { email } })
    await follow(anna, linkTo(app, email, 'Вход'))
    await anna.call(authApi.signOut, {})
  }
  expect(await queuedEmails(email)).toEqual([])
})

test('dropping the device cookie does not hide a sign-in', async () => {
  const anna = await withPassword(app)
  const thief = app.visitor()
  await byPassword(thief, anna.email)
  expect(await queuedEmails(anna.email)).toHaveLength(1)
  thief.cookies.clear()
  await withClockForward(20 * MINUTE, () => byPassword(thief, anna.email))
  expect(await queuedEmails(anna.email)).toHaveLength(2)
})

test('many new browsers within minutes cause a single email', async () => {
  const anna = await withPassword(app)
  for (let time = 0; time < 4; time++) await byPassword(app.visitor(), anna.email)
  expect((await queuedEmails(anna.email)).length).toBeLessThanOrEqual(2)
})

test('an impersonated session is not a new device of the user', async () => {
  const admin = await app.signIn('owner@example.test')
  const anna = await app.signIn()
  await admin.call(authAdminApi.impersonateUser, { body: { userId: anna.user.id } })
  expect(await queuedEmails(anna.user.email)).toEqual([])
})

test('no email goes to an unverified address', async () => {
  const anna = await withPassword(app)
  await app.db.update(users).set({ emailVerified: false }).where(eq(users.email, anna.email))
  const context = await app.auth.$context
  await context.internalAdapter.createSession(anna.user.id)
  expect(await queuedEmails(anna.email)).toEqual([])
})

test('a hundred browsers per user are stored as hashes, newest kept', async () => {
  const anna = await app.signIn()
  const at = Date.now() - 1000_000
  const rows = Array.from({ length: 100 }, (_, i) => ({
    ...{ userId: anna.user.id, device: `d${i}` },
    signedInAt: new Date(at + i),
  }))
  await app.db.insert(knownDevices).values(rows)
  const again = await app.signIn(anna.user.email)
  const [total] = await app.db.select({ of: count() }).from(knownDevices).where(eq(knownDevices.userId, anna.user.id))
  expect(total?.of).toBeLessThanOrEqual(101)
  const stored = await app.db.select().from(knownDevices).where(eq(knownDevices.userId, anna.user.id))
  expect(stored.map(({ device }) => device)).not.toContain('d0')
  expect(stored.map(({ device }) => device)).not.toContain(again.cookies.get('device'))
})
