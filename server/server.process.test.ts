import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SignInAnswer } from '#contract/auth-schemas.ts'
import { PageState } from '#contract/page.ts'
import { readConfig } from './config.ts'
import { openServer } from './server.ts'
import { makeDataDir } from './testing/migrated.ts'

const ORIGIN = 'http://localhost:3000'

/** The server as `npm start` opens it, on a free port; cookies are kept by hand. */
async function start(dataDir: string, env: Record<string, string>) {
  const server = await openServer(
    readConfig({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent', APP_URL: ORIGIN, ...env }),
  )
  const base = server.address.replace('localhost', '127.0.0.1')
  const ask = (path: string, body?: object, cookie = '') =>
    fetch(new URL(path, base), {
      redirect: 'manual',
      headers: { origin: ORIGIN, cookie, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  return { ask, close: server.close }
}
type Started = Awaited<ReturnType<typeof start>>

const cookiesOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')

async function signIn({ ask }: Started, email: string): Promise<string> {
  const device = cookiesOf(await ask('/api/auth/sign-in/magic-link', { email, callbackURL: '/' }))
  const emails = (await (await ask('/dev/mail.json')).json()) as { to: string; text: string }[]
  const link = new URL(emails.find(({ to }) => to === email)?.text.match(/https?:\/\/\S+/)?.[0] ?? '')
  return cookiesOf(await ask(link.pathname + link.search, undefined, device))
}

const userOf = async ({ ask }: Started, cookie: string) =>
  PageState.parse(await (await ask('/api/page', undefined, cookie)).json()).user

test('ADMIN_USER_IDS and PAYPAL_ENVIRONMENT reach the running server', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'symbol-server-'))
  await makeDataDir(folder)
  const paypal = { PAYPAL_CLIENT_ID: 'id', PAYPAL_CLIENT_SECRET: 'secret' }
  const hostOf = async ({ ask }: Started) => {
    const answer = await ask('/api/auth/sign-in/social', { provider: 'paypal' })
    return new URL(SignInAnswer.parse(await answer.json()).url ?? '').host
  }
  const first = await start(folder, { ADMIN_EMAILS: 'owner@example.test', ...paypal })
  const cookie = await signIn(first, 'anna@example.test')
  const anna = await userOf(first, cookie)
  expect(anna?.role).toBe('user')
  expect(await hostOf(first)).toBe('www.sandbox.paypal.com')
  await first.close()

  const listed = { ADMIN_EMAILS: 'owner@example.test', ADMIN_USER_IDS: anna?.id ?? '', PAYPAL_ENVIRONMENT: 'live' }
  const second = await start(folder, { ...listed, ...paypal })
  expect(await userOf(second, cookie)).toMatchObject({ id: anna?.id, role: 'admin' })
  expect((await second.ask('/api/auth/admin/list-users', undefined, cookie)).status).toBe(200)
  expect(await hostOf(second)).toBe('www.paypal.com')
  await second.close()
  await rm(folder, { recursive: true, force: true })
})
