import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { promptsApi } from '#contract/prompts.ts'
import { usersApi } from '#contract/users.ts'
import { createHealth } from '#server/features/health/health.ts'
import { openLog } from '#server/lib/log.ts'
import { type SignedIn, startTestApp, testApp } from '#server/testing/app.ts'

const app = await testApp()
const anna = await app.signIn()
const before = await anna.call(usersApi.me, {})

const json = { 'content-type': 'application/json' }
const patch = (init: RequestInit) =>
  anna.fetch(`/api/users/${anna.user.id}`, { method: 'PATCH', headers: json, ...init })
const unchanged = async () => expect(await anna.call(usersApi.me, {})).toEqual(before)

test('malformed JSON answers 400 and changes nothing', async () => {
  const response = await patch({ body: '{"name": "Анна"' })
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({
    status: 400,
    code: 'bad_request',
    message: 'Запрос не читается: в его тексте ошибка.',
  })
  await unchanged()
})

test('a zero character anywhere in the request answers 400', async () => {
  const owner = await app.signIn('owner@example.test')
  expect((await patch({ body: JSON.stringify({ name: 'Ан\0на' }) })).status).toBe(400)
  for (const path of ['/api/users/%00', '/api/transactions?userId=a%00', '/api/transactions/csv?userId=%00']) {
    expect((await owner.fetch(path)).status).toBe(400)
  }
  await unchanged()
})

test('a body that is not JSON by its type answers 415', async () => {
  const response = await patch({ headers: { 'content-type': 'text/plain' }, body: '{"name":"Анна"}' })
  expect(response.status).toBe(415)
  await unchanged()
})

test('a body of 50 MB answers 413, also to the sign-in calls', async () => {
  const huge = JSON.stringify({ name: 'я'.repeat(25 * 1024 * 1024) })
  const product = await patch({ body: huge })
  expect(product.status).toBe(413)
  expect(await product.json()).toMatchObject({ code: 'payload_too_large' })
  const signIn = await anna.fetch('/api/auth/sign-in/email', { method: 'POST', headers: json, body: huge })
  expect(signIn.status).toBe(413)
  await unchanged()
})

test.each(['https://evil.example', 'null', 'http://localhost:3000.evil.example', 'https://localhost:3000'])(
  'a state-changing call from the foreign origin %s answers 403',
  async (origin) => {
    const response = await patch({ headers: { ...json, origin }, body: '{"name":"Взлом"}' })
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ status: 403, code: 'forbidden' })
    await unchanged()
  },
)

test('a cross-site call without an origin is refused by Sec-Fetch-Site', async () => {
  const response = await app.app.request(`/api/users/${anna.user.id}`, {
    method: 'PATCH',
    headers: { ...json, 'sec-fetch-site': 'cross-site', cookie: cookieOf(anna) },
    body: '{"name":"Взлом"}',
  })
  expect(response.status).toBe(403)
  await unchanged()
})

test('an unknown address under /api answers 404 as JSON', async () => {
  const response = await anna.fetch('/api/nothing-here')
  expect(response.status).toBe(404)
  expect(await response.json()).toEqual({ status: 404, code: 'not_found', message: 'Такого адреса нет.' })
})

test('every answer carries a request id and the security headers', async () => {
  for (const path of ['/api/health', '/api/auth/ok', '/api/users/me', '/error?error=x']) {
    const { headers } = await app.visitor().fetch(path)
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self'")
    expect(policy.replace(/style-src[^;]*/, '')).not.toContain('unsafe-inline')
  }
})

test('no response may be cached unless the call allows it', async () => {
  const paths = Object.values(api).flatMap((calls) => Object.values(calls).map(({ path }) => path))
  const cacheable: string[] = []
  for (const path of new Set(paths)) {
    const { headers } = await anna.fetch(path.replace(/:\w+/g, 'none'))
    const cache = headers.get('cache-control') ?? ''
    if (!/no-store|^private/.test(cache)) cacheable.push(`${path}: ${cache}`)
  }
  expect(cacheable).toEqual([])
})

test('the log names an address’s pattern, never its tokens', async () => {
  const written = new PassThrough()
  const log = openLog('debug', written)
  const listened = await startTestApp({ deps: { log } })
  const secret = 'abcdefghijklmnopqrstuvwx'
  for (const path of [`/api/auth/reset-password/${secret}?callbackURL=/`, `/api/shared/${secret}`, `/shared/${secret}`])
    await listened.visitor().fetch(path)
  await listened.close()
  const lines = String(written.read())
  expect(lines).toContain('"route":"/api/shared/:shareId"')
  expect(lines).not.toContain(secret)
})

test('a lone surrogate becomes U+FFFD, and whole pairs stay', async () => {
  const { id } = await anna.call(promptsApi.create, { body: { title: 'Проба', content: 'Текст', category: 'Разное' } })
  const response = await anna.fetch(`/api/prompts/${id}`, {
    method: 'PATCH',
    headers: json,
    body: '{"content":"a\\ud800b \\ud83d\\ude00 \\udc00"}',
  })
  expect(await response.json()).toMatchObject({ content: 'a\ufffdb 😀 \ufffd' })
})

test('an unexpected error shows only the request id', async () => {
  const health = createHealth(async () => {})
  const broken = await startTestApp({
    deps: { health: { ...health, ready: () => Promise.reject(new Error('secret of the house')) } },
  })
  const response = await broken.visitor().fetch('/api/health/ready')
  const text = await response.text()
  expect(response.status).toBe(500)
  expect(text).not.toContain('secret of the house')
  expect(JSON.parse(text).message).toContain(response.headers.get('x-request-id'))
  await broken.close()
})

test('health reports that the process answers, readiness that it accepts work', async () => {
  expect(await (await app.visitor().fetch('/api/health')).json()).toEqual({ ok: true })
  expect((await app.visitor().fetch('/api/health/ready')).status).toBe(200)
  const health = createHealth(async () => {})
  const draining = await startTestApp({ deps: { health } })
  health.drain()
  expect((await draining.visitor().fetch('/api/health/ready')).status).toBe(503)
  await draining.close()
})

test('metrics are shown by token', async () => {
  const guarded = await startTestApp({
    settings: { production: true, appUrl: 'https://chat.example.test', trustedProxies: 1, metricsToken: 'the-token' },
  })
  const ask = (authorization: string) => guarded.app.request('/metrics', { headers: { authorization } })
  expect((await ask('')).status).toBe(401)
  expect((await ask('Bearer another')).status).toBe(401)
  const shown = await ask('Bearer the-token')
  expect(await shown.text()).toContain('http_request_seconds')
  expect(shown.headers.get('strict-transport-security')).toContain('max-age')
  await guarded.close()
})

function cookieOf(visitor: SignedIn): string {
  return [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}
