import { eq, like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { authApi } from '#contract/auth.ts'
import { authFactorsApi } from '#contract/auth-factors.ts'
import { emailOutbox, knownDevices, passkeys, twoFactors, users } from '#server/db/schema.ts'
import type { Visitor } from '#server/testing/visitor.ts'
import { replyAsVk, startSocialApp, throughProvider, vkPerson } from '../testing/social.ts'
import { follow, isSignedIn, linkTo, newAddress, withPassword } from '../testing/steps.ts'
import { codeOf, turnOnTotp } from '../testing/totp.ts'

const { app, providers } = await startSocialApp()

async function openLink(visitor: Visitor, email: string): Promise<Response> {
  await visitor.call(authApi.signInMagicLink, { body: { email } })
  return follow(visitor, linkTo(app, email))
}

test('a stranger’s second factor does not lock out the address’s owner', async () => {
  const email = newAddress('victim')
  replyAsVk(providers, vkPerson(email))
  const attacker = app.visitor()
  await throughProvider(attacker, { provider: 'vk', callbackURL: '/' })
  await turnOnTotp(attacker)
  const [{ id: userId = '' } = {}] = await app.db.select().from(users).where(eq(users.email, email))
  await app.db.insert(passkeys).values({
    ...{ id: 'stranger', userId, credentialID: 'stranger', publicKey: '', counter: 0 },
    ...{ deviceType: 'singleDevice', backedUp: false },
  })
  const owner = app.visitor()
  await openLink(owner, email)
  expect(await isSignedIn(owner)).toBe(true)
  expect(await app.db.select().from(twoFactors).where(eq(twoFactors.userId, userId))).toEqual([])
  expect(await app.db.select().from(passkeys).where(eq(passkeys.userId, userId))).toEqual([])
})

test('a browser becomes known only after both steps', async () => {
  const anna = await withPassword(app)
  const { key } = await turnOnTotp(anna)
  const [{ id: userId = '' } = {}] = await app.db.select().from(users).where(eq(users.email, anna.email))
  const devices = () => app.db.select().from(knownDevices).where(eq(knownDevices.userId, userId))
  const emails = () =>
    app.db
      .select()
      .from(emailOutbox)
      .where(like(emailOutbox.key, `new-device:${userId}:%`))
  const before = await devices()
  const visitor = app.visitor()
  await openLink(visitor, anna.email)
  expect([await devices(), await emails()]).toEqual([before, []])
  await visitor.call(authFactorsApi.verifyTotp, { body: { code: codeOf(key) } })
  expect(await devices()).toHaveLength(before.length + 1)
  expect(await emails()).toHaveLength(1)
})
