import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { accountApi } from '#contract/account.ts'
import { authApi } from '#contract/auth.ts'
import { authAdminApi } from '#contract/auth-admin.ts'
import { users } from '#server/db/schema.ts'
import type { Visitor } from '#server/testing/visitor.ts'
import { replyAsVk, startSocialApp, throughProvider, vkPerson } from './testing/social.ts'
import {
  emailsTo,
  emailTo,
  errorOf,
  follow,
  isSignedIn,
  linkTo,
  newAddress,
  PASSWORD,
  submitForm,
  withPassword,
} from './testing/steps.ts'

const ADMIN = 'boss@example.test'

const { app, providers } = await startSocialApp({ auth: { adminEmails: ['owner@example.test', ADMIN] } })

const whoIs = async (visitor: Visitor) => (await visitor.call(authApi.getSession, {}))?.user.email ?? null
const rowOf = async (email: string) => (await app.db.select().from(users).where(eq(users.email, email)))[0]
const signUp = (visitor: Visitor, email: string) =>
  visitor.call(accountApi.signUpEmail, { body: { email, password: PASSWORD, name: 'Х' } })
const byPassword = (email: string) =>
  errorOf(app.visitor().call(authApi.signInEmail, { body: { email, password: PASSWORD } }))

/** A link to the attacker's own account, and the same link without our confirmation page. */
async function linkOf(email = newAddress('attacker')) {
  const attacker = app.visitor()
  await attacker.call(authApi.signInMagicLink, { body: { email, callbackURL: '/' } })
  const link = linkTo(app, email)
  return { attacker, email, link, direct: link.replace('/magic-link/open', '/magic-link/verify') }
}

describe('a sign-in link sent by an attacker', () => {
  test('signs in at once in the browser that asked, and only there', async () => {
    const { attacker, link, direct, email } = await linkOf()
    const victim = app.visitor()
    for (const address of [link, direct]) {
      expect((await victim.fetch(address)).status).toBe(200)
      expect(await whoIs(victim)).toBeNull()
    }
    await attacker.fetch(direct)
    expect(await whoIs(attacker)).toBe(email)
  })

  test('does not switch the user, whether opened as link, picture or script', async () => {
    const victim = await app.signIn()
    const { link, direct, email } = await linkOf()
    for (const address of [link, direct]) {
      const page = await victim.fetch(address, { headers: { 'sec-fetch-dest': 'document' } })
      expect(await page.text()).toContain(`Вы вошли как ${victim.user.email}. Войти как ${email}?`)
      for (const destination of ['image', 'iframe', 'script', 'empty', 'embed', 'object'])
        expect((await victim.fetch(address, { headers: { 'sec-fetch-dest': destination } })).status).toBe(403)
      expect(await whoIs(victim)).toBe(victim.user.email)
    }
  })

  test('asks «Вы вошли как X. Войти как Y?», and the button switches', async () => {
    const anna = await app.signIn()
    const { email, link } = await linkOf()
    const html = await (await anna.fetch(link)).text()
    expect(html).toContain(`<a class="stay" href="/">Остаться как ${anna.user.email}</a>`)
    expect(await whoIs(anna)).toBe(anna.user.email)
    expect((await submitForm(anna, html)).status).toBe(302)
    expect(await whoIs(anna)).toBe(email)
  })

  test('asks in the requesting browser too, once another user signed in there', async () => {
    const { attacker, email, link } = await linkOf()
    const other = newAddress()
    await attacker.call(authApi.signInMagicLink, { body: { email: other } })
    await follow(attacker, linkTo(app, other))
    expect(await (await attacker.fetch(link)).text()).toContain(`Вы вошли как ${other}. Войти как ${email}?`)
    expect(await whoIs(attacker)).toBe(other)
  })

  test('does not ask the same person, on any device', async () => {
    const anna = await app.signIn()
    const { link } = await linkOf(anna.user.email)
    expect((await anna.fetch(link)).status).toBe(302)
    expect(await whoIs(anna)).toBe(anna.user.email)
  })

  test('the button works only from our page', async () => {
    const victim = await app.signIn()
    const { link } = await linkOf()
    const html = await (await victim.fetch(link)).text()
    for (const origin of ['https://evil.example', 'null'])
      expect((await submitForm(victim, html, { origin })).status).toBe(403)
    expect(await whoIs(victim)).toBe(victim.user.email)
  })

  test('a mark of another browser or another link proves nothing', async () => {
    const [mine, theirs] = [await linkOf(), await linkOf()]
    const mixed = new URL(theirs.link)
    mixed.searchParams.set('from', new URL(mine.link).searchParams.get('from') ?? '')
    expect((await mine.attacker.fetch(mixed.href)).status).toBe(200)
    expect(await isSignedIn(mine.attacker)).toBe(false)
  })

  test('a prefetch by the requesting browser does not use the link up', async () => {
    const { attacker, link } = await linkOf()
    expect((await attacker.fetch(link, { headers: { 'sec-purpose': 'prefetch;prerender' } })).status).toBe(200)
    expect(await isSignedIn(attacker)).toBe(false)
    await attacker.fetch(link)
    expect(await isSignedIn(attacker)).toBe(true)
  })

  test('an impersonated session is asked too', async () => {
    const admin = await app.signIn('owner@example.test')
    const anna = await app.signIn()
    await admin.call(authAdminApi.impersonateUser, { body: { userId: anna.user.id } })
    const { link } = await linkOf(anna.user.email)
    expect((await admin.fetch(link)).status).toBe(200)
  })
})

describe('confirming an address that a stranger signed up with', () => {
  test('a scanner that opens the link, also past our page, confirms nothing', async () => {
    const email = newAddress()
    await signUp(app.visitor(), email)
    const link = linkTo(app, email)
    for (const address of [link, link.replace('/verify-email/open', '/verify-email')])
      expect((await app.visitor().fetch(address)).status).toBe(200)
    expect(await rowOf(email)).toMatchObject({ emailVerified: false })
  })

  test('the owner of the address signs in, and the stranger’s password fails', async () => {
    const email = newAddress('victim')
    await signUp(app.visitor(), email)
    const owner = app.visitor()
    const page = await (await owner.fetch(linkTo(app, email, 'Подтвердите'))).text()
    expect(page).toContain('уже задали пароль')
    const answer = await submitForm(owner, page)
    expect(answer.headers.get('location')).toBe('/profile/account#password')
    expect(await whoIs(owner)).toBe(email)
    expect(await byPassword(email)).toMatchObject({ code: 'INVALID_EMAIL_OR_PASSWORD' })
    expect(await owner.call(accountApi.listAccounts, {})).toEqual([])
  })

  test('the page says that another person may have set a password', async () => {
    const email = newAddress()
    await signUp(app.visitor(), email)
    expect(emailTo(app, email, 'Подтвердите').text).toContain('мог задать к нему свой пароль')
  })

  test('the browser that signed up confirms at once and keeps the password', async () => {
    const email = newAddress()
    const anna = app.visitor()
    await signUp(anna, email)
    await anna.call(authApi.sendVerificationEmail, { body: { email } })
    expect(emailsTo(app, email)).toHaveLength(2)
    expect((await anna.fetch(linkTo(app, email))).status).toBe(302)
    expect(await anna.call(authApi.signInEmail, { body: { email, password: PASSWORD } })).toMatchObject({
      user: { email },
    })
  })

  test('a browser that entered the right password counts as the owner’s', async () => {
    const email = newAddress()
    await signUp(app.visitor(), email)
    const other = app.visitor()
    await errorOf(other.call(authApi.signInEmail, { body: { email, password: PASSWORD } }))
    expect((await other.fetch(linkTo(app, email))).status).toBe(302)
    expect(await other.call(authApi.signInEmail, { body: { email, password: PASSWORD } })).toMatchObject({
      user: { email },
    })
  })

  test('requesting the email again or a wrong password proves nothing', async () => {
    const email = newAddress()
    await signUp(app.visitor(), email)
    const victim = app.visitor()
    await victim.call(authApi.sendVerificationEmail, { body: { email } })
    await errorOf(victim.call(authApi.signInEmail, { body: { email, password: 'wrong password' } }))
    await follow(victim, linkTo(app, email))
    expect(await byPassword(email)).toMatchObject({ code: 'INVALID_EMAIL_OR_PASSWORD' })
  })

  test('a VK account with an unproven address passes to the address’s owner', async () => {
    const email = newAddress('victim')
    const person = vkPerson(email)
    replyAsVk(providers, person)
    const attacker = app.visitor()
    await throughProvider(attacker, { provider: 'vk', callbackURL: '/' })
    await attacker.call(authApi.sendVerificationEmail, { body: { email } })
    const owner = app.visitor()
    await follow(owner, linkTo(app, email))
    expect(await whoIs(owner)).toBe(email)
    expect(await isSignedIn(attacker)).toBe(false)
    await throughProvider(attacker, { provider: 'vk', callbackURL: '/' })
    expect(await isSignedIn(attacker)).toBe(false)
  })

  test('an unproven account that changed its address passes to the address’s owner', async () => {
    replyAsVk(providers, vkPerson(newAddress('vk')))
    const attacker = app.visitor()
    await throughProvider(attacker, { provider: 'vk', callbackURL: '/' })
    const email = newAddress('victim')
    await attacker.call(accountApi.changeEmail, { body: { newEmail: email } })
    await follow(app.visitor(), linkTo(app, email, 'Подтвердите'))
    expect(await rowOf(email)).toMatchObject({ emailVerified: true })
    expect(await isSignedIn(attacker)).toBe(false)
  })

  test('an account that moves to another person’s address loses password and sessions', async () => {
    const attacker = await withPassword(app)
    const email = newAddress('victim')
    await attacker.call(accountApi.changeEmail, { body: { newEmail: email } })
    await follow(attacker, linkTo(app, attacker.email, 'Смена почты'))
    const owner = app.visitor()
    const page = await (await owner.fetch(linkTo(app, email, 'Подтвердите'))).text()
    expect(page).toContain(`Она станет почтой аккаунта ${attacker.email}`)
    await submitForm(owner, page)
    expect(await rowOf(email)).toMatchObject({ emailVerified: true })
    expect(await isSignedIn(attacker)).toBe(false)
    expect(await byPassword(email)).toMatchObject({ code: 'INVALID_EMAIL_OR_PASSWORD' })
  })

  test('an own address moves with password and sessions, in any known browser', async () => {
    const anna = await withPassword(app)
    const newEmail = newAddress('new')
    await anna.call(accountApi.changeEmail, { body: { newEmail } })
    await follow(anna, linkTo(app, anna.email, 'Смена почты'))
    await anna.call(authApi.signOut, {})
    expect((await anna.fetch(linkTo(app, newEmail, 'Подтвердите'))).status).toBe(302)
    const body = { email: newEmail, password: PASSWORD }
    expect(await anna.call(authApi.signInEmail, { body })).toMatchObject({ user: { email: newEmail } })
  })

  test('an address of the settings makes an admin only by email', async () => {
    const attacker = app.visitor()
    await signUp(attacker, ADMIN)
    // As if another user had verified the address and the password had stayed.
    await app.db.update(users).set({ emailVerified: true }).where(eq(users.email, ADMIN))
    await attacker.call(authApi.signInEmail, { body: { email: ADMIN, password: PASSWORD } })
    expect(await rowOf(ADMIN)).toMatchObject({ role: 'user' })
    await app.signIn(ADMIN)
    expect(await rowOf(ADMIN)).toMatchObject({ role: 'admin' })
  })
})

describe('the link that deletes an account', () => {
  const requestDeletion = async () => {
    const anna = await app.signIn()
    await anna.call(accountApi.deleteUser, { body: { callbackURL: '/auth/signin' } })
    return { anna, link: linkTo(app, anna.user.email, 'Удаление') }
  }

  test('deletes at once in the requesting browser and asks in others', async () => {
    const { anna, link } = await requestDeletion()
    const phone = await app.signIn(anna.user.email)
    for (const address of [link, link.replace('/open', '/callback')]) {
      expect(await (await phone.fetch(address)).text()).toContain('Удалить навсегда')
      expect(await rowOf(anna.user.email)).toBeDefined()
    }
    expect((await anna.fetch(link)).status).toBe(302)
    expect(await rowOf(anna.user.email)).toBeUndefined()
  })

  test('the button on another device deletes', async () => {
    const { anna, link } = await requestDeletion()
    const phone = await app.signIn(anna.user.email)
    expect((await follow(phone, link)).status).toBe(302)
    expect(await rowOf(anna.user.email)).toBeUndefined()
  })
})

test.each([
  '/api/auth/magic-link/verify',
  '/api/auth/magic-link/%76erify',
  '/api/auth/magic%2Dlink/verify',
  '/api/auth/magic-link%2Fverify',
  '/api/auth//magic-link/verify',
  '/api/auth/magic-link//verify',
  '/api/auth/magic-link/verify/',
  '/api/auth/magic-link/verify//',
  '/api/auth/Magic-Link/Verify',
  '/api/auth/./magic-link/verify',
  '/api/auth/x/../magic-link/verify',
  '/api/auth/%2e/magic-link/verify',
  '/api//auth/magic-link/verify',
  '/api/%61uth/magic-link/verify',
])('no spelling of the URL bypasses the confirmation page: %s', async (path) => {
  const email = newAddress()
  await app.visitor().call(authApi.signInMagicLink, { body: { email } })
  const { search } = new URL(linkTo(app, email))
  for (const destination of ['document', 'image']) {
    const headers = { 'sec-fetch-dest': destination }
    const answer = await app.app.request(`http://localhost:3000${path}${search}`, { headers })
    expect(answer.headers.getSetCookie().join()).not.toContain('session_token')
  }
})
