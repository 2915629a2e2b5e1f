import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '#server/db/schema.ts'
import { type SignedIn, startTestApp, type TestApp } from '#server/testing/app.ts'
import { type FakeProviders, startFakeProviders, unsignedToken } from './testing/fake-providers.ts'
import { allProviders } from './testing/social.ts'
import { newAddress, PASSWORD, withPassword } from './testing/steps.ts'

/** The specification's catalogue also names what the server says when a part of it is switched off. */

let app: TestApp
let anna: SignedIn
let providers: FakeProviders
beforeAll(async () => {
  providers = await startFakeProviders()
  app = await startTestApp({ auth: { providers: allProviders } })
  anna = await app.signIn()
})
afterAll(async () => {
  await app.close()
  await providers.close()
})

/** The same server with other options; gives what it answers to a call of Anna's. */
async function differently(
  options: BetterAuthOptions,
  path: string,
  body: object,
  who: Pick<SignedIn, 'cookies'> = anna,
) {
  const auth = betterAuth({ ...app.auth.options, ...options } as BetterAuthOptions)
  const answer = await auth.handler(
    new Request(`http://localhost:3000/api/auth${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: 'http://localhost:3000',
        cookie: [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      body: JSON.stringify(body),
    }),
  )
  return answer.json()
}

const lineAccount = (sub: string, email: string) => {
  providers.reply('api.line.me/oauth2/v2.1/verify', { aud: 'line-client', sub })
  return { provider: 'line', idToken: { token: unsignedToken({ sub, email, name: 'Лайн' }) } }
}
const trusting: BetterAuthOptions = { account: { accountLinking: { enabled: true, trustedProviders: ['line'] } } }

test('Email and password is not enabled', async () => {
  const options = { emailAndPassword: { enabled: false } }
  const answer = await differently(options, '/sign-in/email', { email: newAddress(), password: PASSWORD })
  expect(answer).toMatchObject({ status: 400, message: 'Email and password is not enabled' })
})

test('Reset password isn’t enabled', async () => {
  const options = { emailAndPassword: { enabled: true } }
  for (const path of ['/request-password-reset', '/forget-password']) {
    const answer = await differently(options, path, { email: newAddress() })
    expect(answer).toMatchObject({ status: 400, message: "Reset password isn't enabled" })
  }
})

test('Change email is disabled', async () => {
  const answer = await differently({ user: {} }, '/change-email', { newEmail: newAddress() })
  expect(answer).toMatchObject({ status: 400, message: 'Change email is disabled' })
})

test('Verification email isn’t enabled', async () => {
  const answer = await differently({ emailVerification: {} }, '/send-verification-email', { email: anna.user.email })
  expect(answer).toMatchObject({ status: 400, message: "Verification email isn't enabled" })
})

test('Delete user when disabled gives not found', async () => {
  expect(await differently({ user: {} }, '/delete-user', {})).toMatchObject({ status: 404, code: 'NOT_FOUND' })
})

test('Account not linked - linking not allowed, when linking is switched off', async () => {
  const options: BetterAuthOptions = { account: { accountLinking: { enabled: false } } }
  const answer = await differently(options, '/link-social', lineAccount('line-1', anna.user.email))
  expect(answer).toMatchObject({ status: 401, message: 'Account not linked - linking not allowed' })
})

test('Account not linked - different emails not allowed', async () => {
  const answer = await differently(trusting, '/link-social', lineAccount('line-2', newAddress()))
  expect(answer).toMatchObject({ status: 401, message: 'Account not linked - different emails not allowed' })
})

test('Account not linked - unable to create account', async () => {
  const refusing: BetterAuthOptions = {
    ...trusting,
    databaseHooks: { account: { create: { before: () => Promise.reject(new Error('no')) } } },
  }
  const answer = await differently(refusing, '/link-social', lineAccount('line-3', anna.user.email))
  expect(answer).toMatchObject({ status: 417, message: 'Account not linked - unable to create account' })
})

test('link-social with an ID token of a trusted provider links at once', async () => {
  const answer = await differently(trusting, '/link-social', lineAccount('line-4', anna.user.email))
  expect(answer).toEqual({ url: '', status: true, redirect: false })
})

test('FAILED_TO_CREATE_SESSION when a session cannot be made', async () => {
  const { email } = await withPassword(app)
  const options: BetterAuthOptions = { databaseHooks: { session: { create: { before: async () => false } } } }
  const answer = await differently(options, '/sign-in/email', { email, password: PASSWORD })
  expect(answer).toMatchObject({ status: 401, code: 'FAILED_TO_CREATE_SESSION' })
})

test('FAILED_TO_GET_SESSION when the database does not answer', async () => {
  const broken = await startTestApp()
  const boris = await broken.signIn()
  await broken.db.execute('alter table sessions rename to gone')
  const answer = await boris.fetch('/api/auth/get-session')
  expect(await answer.json()).toMatchObject({ status: 500, code: 'FAILED_TO_GET_SESSION' })
  await broken.close()
})

test('what nobody expected is a 500 with the number of the request and nothing of the reason', async () => {
  const broken = await startTestApp({ auth: { onSignIn: () => Promise.reject(new Error('secret reason')) } })
  const context = await broken.auth.$context
  await expect(broken.signIn()).rejects.toThrow()
  const visitor = broken.visitor()
  const email = newAddress()
  await visitor.post('/api/auth/sign-in/magic-link', { email })
  const answer = await visitor.fetch(broken.outbox.at(-1)?.text.match(/https?:\/\/\S+/)?.[0] ?? '')
  expect(answer.status).toBe(500)
  expect(await answer.text()).not.toContain('secret reason')
  expect([...visitor.cookies.keys()]).toEqual(['device'])
  expect(context.options.telemetry?.enabled).toBe(false)
  expect(await broken.db.select().from(users)).not.toEqual([])
  await broken.close()
})
