import { Writable } from 'node:stream'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { expect, test } from 'vitest'
import { users } from '#server/db/schema.ts'
import { openLog } from '#server/lib/log.ts'
import { type SignedIn, startTestApp } from '#server/testing/app.ts'
import { libraryLog } from './auth.ts'
import { unsignedToken } from './testing/fake-providers.ts'
import { startSocialApp } from './testing/social.ts'
import { newAddress, PASSWORD, withPassword } from './testing/steps.ts'

/** The specification also lists messages for features that are switched off. */

const { app, providers } = await startSocialApp()
const anna = await app.signIn()

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

test('Email and password is not enabled (S8.45)', async () => {
  const options = { emailAndPassword: { enabled: false } }
  const answer = await differently(options, '/sign-in/email', { email: newAddress(), password: PASSWORD })
  expect(answer).toMatchObject({ status: 400, message: 'Email and password is not enabled' })
})

test('Reset password isn’t enabled (S8.45)', async () => {
  const options = { emailAndPassword: { enabled: true } }
  for (const path of ['/request-password-reset', '/forget-password']) {
    const answer = await differently(options, path, { email: newAddress() })
    expect(answer).toMatchObject({ status: 400, message: "Reset password isn't enabled" })
  }
})

test('Change email is disabled (S8.45)', async () => {
  const answer = await differently({ user: {} }, '/change-email', { newEmail: newAddress() })
  expect(answer).toMatchObject({ status: 400, message: 'Change email is disabled' })
})

test('Verification email isn’t enabled (S8.45)', async () => {
  const answer = await differently({ emailVerification: {} }, '/send-verification-email', { email: anna.user.email })
  expect(answer).toMatchObject({ status: 400, message: "Verification email isn't enabled" })
})

test('Delete user when disabled gives not found (S8.58)', async () => {
  expect(await differently({ user: {} }, '/delete-user', {})).toMatchObject({ status: 404, code: 'NOT_FOUND' })
})

test('Account not linked - linking not allowed, when linking is switched off (S5.19)', async () => {
  const options: BetterAuthOptions = { account: { accountLinking: { enabled: false } } }
  const answer = await differently(options, '/link-social', lineAccount('line-1', anna.user.email))
  expect(answer).toMatchObject({ status: 401, message: 'Account not linked - linking not allowed' })
})

test('FAILED_TO_CREATE_SESSION when a session cannot be made (S8.27)', async () => {
  const { email } = await withPassword(app)
  const options: BetterAuthOptions = { databaseHooks: { session: { create: { before: async () => false } } } }
  const answer = await differently(options, '/sign-in/email', { email, password: PASSWORD })
  expect(answer).toMatchObject({ status: 401, code: 'FAILED_TO_CREATE_SESSION' })
})

test('FAILED_TO_GET_SESSION when the database does not answer (S8.27)', async () => {
  const broken = await startTestApp()
  const boris = await broken.signIn()
  await broken.db.execute('alter table sessions rename to gone')
  try {
    const answer = await boris.fetch('/api/auth/get-session')
    expect(await answer.json()).toMatchObject({ status: 500, code: 'FAILED_TO_GET_SESSION' })
  } finally {
    // The next file of this worker starts from the same database.
    await broken.db.execute('alter table gone rename to sessions')
    await broken.close()
  }
})

test('an unexpected error is a 500 with the request id only', async () => {
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

function recorded() {
  const lines: string[] = []
  const write = (chunk: unknown, _: unknown, done: () => void) => {
    lines.push(String(chunk))
    done()
  }
  const log = openLog('trace', new Writable({ write }))
  return { lines, ...libraryLog(log) }
}

test('only warnings and errors reach our log', () => {
  const { log, lines } = recorded()
  log('debug', 'a')
  log('info', 'b')
  log('warn', 'c')
  log('error', 'd')
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['c', 'd'])
})

test('refused requests are warnings, failures of the library are errors', () => {
  const { log, lines } = recorded()
  log('error', 'Invalid callbackURL: https://evil.example/')
  log('error', 'Failed to send', new Error('no connection'))
  expect(lines.map((line) => JSON.parse(line).level)).toEqual([40, 50])
})

test('query parameters, links, addresses and provider answers never reach our log (S10.610)', () => {
  const { log, lines } = recorded()
  const query = { query: 'insert into "sessions" values ($1)', params: ['secret-token'] }
  const cause = Object.assign(new Error('Key (email)=(secret-token) exists'), { code: '23505', detail: 'secret-token' })
  const failure = Object.assign(new Error('Failed query\nparams: secret-token,1', { cause }), query)
  log('error', 'Invalid callbackURL: https://evil.example/?token=secret-token', failure, { state: 'secret-token' })
  log('error', 'Introspection failed: secret-token', 'secret-token')
  log('warn', 'Provider "secret-token": discovery left no usable endpoint')
  expect(lines.join()).not.toContain('secret-token')
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['Invalid callbackURL', 'Introspection failed', 'Provider'])
  expect(JSON.parse(lines[0] ?? '').err).toMatchObject({ query: query.query, cause: { code: '23505' } })
})

test('without a log the library is silent', () => {
  expect(libraryLog(undefined).disabled).toBe(true)
})
