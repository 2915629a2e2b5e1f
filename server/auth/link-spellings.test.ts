import { afterAll, beforeAll, expect, test } from 'vitest'
import { authApi } from '#contract/auth.ts'
import { startTestApp, type TestApp } from '#server/testing/app.ts'
import { emailTo, linkIn, newAddress } from './testing/steps.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

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
])('no spelling of the address goes past the question: %s', async (path) => {
  const email = newAddress()
  await app.visitor().call(authApi.signInMagicLink, { body: { email } })
  const { search } = new URL(linkIn(emailTo(app, email)))
  for (const destination of ['document', 'image']) {
    const headers = { 'sec-fetch-dest': destination }
    const answer = await app.app.request(`http://localhost:3000${path}${search}`, { headers })
    expect(answer.headers.getSetCookie().join()).not.toContain('session_token')
  }
})
