import { expect, test } from 'vitest'
import { authApi } from '#contract/auth.ts'
import { returnFromProvider, startAtProvider, startSocialApp } from './testing/social.ts'
import { isSignedIn, linkTo, newAddress, submitForm } from './testing/steps.ts'

const { app } = await startSocialApp()

const foreign = [
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/%5Cevil.example',
  'javascript:alert(1)',
  'https://localhost:3000@evil.example',
  'http://localhost:3000.evil.example',
]
const folding = ['/x/..//evil.example', '/.//evil.example', '/%2e//evil.example', '/x/%2e%2e//evil.example']

/** The address a browser on our page would end up at. */
const landsOn = (answer: Response) => new URL(answer.headers.get('location') ?? '', 'http://localhost:3000').host

test('a foreign callbackURL is refused in every call that takes it', async () => {
  for (const callbackURL of foreign) {
    const query = new URLSearchParams({ token: 'x', callbackURL })
    for (const path of ['verify-email', 'magic-link/verify', 'reset-password/x', 'delete-user/callback']) {
      const answer = await app.visitor().fetch(`/api/auth/${path}?${query}`)
      expect([path, callbackURL, answer.status]).toEqual([path, callbackURL, 403])
      expect(await answer.json()).toMatchObject({ status: 403, code: 'INVALID_CALLBACK_URL' })
    }
    const bodies: [string, Record<string, string>][] = [
      ['sign-in/magic-link', { email: newAddress(), callbackURL }],
      ['sign-in/magic-link', { email: newAddress(), errorCallbackURL: callbackURL }],
      ['sign-in/social', { provider: 'vk', newUserCallbackURL: callbackURL }],
      ['forget-password', { email: newAddress(), redirectTo: callbackURL }],
    ]
    for (const [path, body] of bodies) {
      expect((await app.visitor().post(`/api/auth/${path}`, body)).status).toBe(403)
    }
  }
})

test('a callbackURL that normalises to another site’s address stays on ours', async () => {
  for (const callbackURL of folding) {
    const query = new URLSearchParams({ token: 'bad', callbackURL })
    for (const path of ['verify-email', 'magic-link/verify', 'reset-password/x']) {
      const answer = await app.visitor().fetch(`/api/auth/${path}?${query}`)
      if (answer.status === 302) expect([callbackURL, landsOn(answer)]).toEqual([callbackURL, 'localhost:3000'])
      else expect(answer.status).toBe(403)
    }
  }
})

test('an errorCallbackURL that normalises to another site stays on ours too', async () => {
  for (const errorCallbackURL of folding) {
    const visitor = app.visitor()
    const url = await startAtProvider(visitor, { provider: 'vk', errorCallbackURL })
    const query = { state: url.searchParams.get('state') ?? '', error: 'access_denied' }
    expect(landsOn(await returnFromProvider(visitor, 'vk', query))).toBe('localhost:3000')
  }
})

test('the page behind a sign-in link cannot be made to lead elsewhere', async () => {
  const email = newAddress()
  await app.visitor().call(authApi.signInMagicLink, { body: { email } })
  const link = new URL(linkTo(app, email))
  link.searchParams.set('from', '"><script>alert(1)</script>')
  link.searchParams.set('callbackURL', '//evil.example')
  const victim = app.visitor()
  const html = await (await victim.fetch(link.href)).text()
  expect(html).not.toContain('<script>')
  expect(html).toContain('<form method="post" action="/api/auth/magic-link/open">')
  expect((await submitForm(victim, html)).status).toBe(403)
  expect(await isSignedIn(victim)).toBe(false)
})

test('a call with cookies from a foreign or missing origin is refused', async () => {
  const anna = await app.signIn()
  for (const origin of ['https://evil.example', 'null']) {
    const answer = await anna.post('/api/auth/sign-out', {}, { origin })
    expect(answer.status).toBe(403)
  }
  expect((await anna.fetch('/api/auth/get-session')).status).toBe(200)
  expect(await (await anna.fetch('/api/auth/get-session')).json()).not.toBeNull()
})

test('a form submitted by another site cannot sign in', async () => {
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
  const body = { email: newAddress(), password: 'a password' }
  expect((await app.visitor().post('/api/auth/sign-in/email', body, headers)).status).toBe(403)
})

test('a body that is not JSON is rejected with our error body', async () => {
  const answer = await app.visitor().fetch('/api/auth/sign-in/magic-link', {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: '{}',
  })
  expect(answer.status).toBe(415)
  expect(await answer.json()).toMatchObject({ status: 415, code: expect.any(String), message: expect.any(String) })
})

test('an unknown call is a 404 with our error body', async () => {
  const answer = await app.visitor().fetch('/api/auth/no-such-call')
  expect(await answer.json()).toEqual({ status: 404, code: 'not_found', message: 'Такого адреса нет.' })
})
