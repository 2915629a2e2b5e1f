import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { type Endpoint, fillPath } from '#contract/endpoint.ts'
import { type SignedIn, startTestApp, type TestApp } from '#server/testing/app.ts'

/** Walks over the whole contract instead of testing each call. */
const calls = Object.values(api).flatMap((section) => Object.values(section))
const address = ({ path }: Endpoint) =>
  fillPath(path, Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, 'no-such-id'])))
const init = ({ method, body }: Endpoint): RequestInit => ({
  method,
  ...(body ? { headers: { 'content-type': 'application/json' }, body: '{}' } : {}),
})
const label = (call: Endpoint) => `${call.method} ${call.path}`

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('no two calls share a method and a path', () => {
  const labels = calls.map(label)
  expect(new Set(labels).size).toBe(labels.length)
})

test('every address under /api is in the contract', () => {
  const described = new Set(calls.map(label))
  // The first is the authentication library, whose calls are in the contract; the others are the API page itself.
  const outside = ['/api/auth/*', '/api/openapi.json', '/api/docs']
  const mounted = app.app.routes.filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/'))
  const unknown = mounted.filter(({ method, path }) => !outside.includes(path) && !described.has(`${method} ${path}`))
  expect(unknown.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

test('the OpenAPI document describes files, forms, bytes and streams', async () => {
  const { paths } = (await (await app.visitor().fetch('/api/openapi.json')).json()) as {
    paths: Record<
      string,
      Record<string, { requestBody?: { content: object }; responses: { 200: { content: object } } }>
    >
  }
  for (const call of calls) {
    const operation = paths[call.path.replace(/:(\w+)/g, '{$1}')]?.[call.method.toLowerCase()]
    const answers = Object.keys(operation?.responses[200].content ?? {})
    const takes = Object.keys(operation?.requestBody?.content ?? {})
    const expected = { file: ['*/*'], stream: ['text/event-stream', 'application/json'], json: ['application/json'] }
    expect([label(call), answers]).toEqual([label(call), expected[call.answers ?? 'json']])
    if (call.takes === 'form') expect(takes).toEqual(['multipart/form-data'])
    if (call.takes === 'bytes') expect(takes).toEqual(['application/octet-stream'])
  }
})

describe('every call is mounted (S7.1, S9.12)', () => {
  let user: SignedIn
  beforeAll(async () => {
    user = await app.signIn()
  })
  test.each(calls.map((call) => [label(call), call] as const))('%s', async (_, call) => {
    let response = await user.fetch(address(call), init(call))
    if (response.status === 401) {
      // The call before may have ended the session.
      user = await app.signIn()
      response = await user.fetch(address(call), init(call))
    }
    const body: unknown = await response.json().catch(() => null)
    expect(body).not.toMatchObject({ message: 'Такого адреса нет.' })
    expect(response.status).not.toBe(500)
  })
})

describe('a call for signed-in people answers 401 without a session (S6.18, S6.19, S7.32, S7.44)', () => {
  test.each(calls.filter(({ who }) => who !== 'anyone').map((call) => [label(call), call] as const))(
    '%s',
    async (_, call) => {
      const response = await app.visitor().fetch(address(call), init(call))
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({
        status: 401,
        code: expect.any(String),
        message: expect.any(String),
      })
    },
  )
})

describe('a call for admins answers 403 to a user (S1.29, S6.26, S6.27, S10.38)', () => {
  const adminCalls = calls.filter(({ who }) => who === 'admin').map((call) => [label(call), call] as const)
  let user: SignedIn
  beforeAll(async () => {
    user = await app.signIn()
  })
  test.each(adminCalls)('%s', async (_, call) => {
    const response = await user.fetch(address(call), init(call))
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ status: 403 })
  })
})

test('the OpenAPI document holds every call, and its page names them', async () => {
  const user = app.visitor()
  const document = (await (await user.fetch('/api/openapi.json')).json()) as { paths: Record<string, object> }
  const page = await (await user.fetch('/api/docs')).text()
  for (const call of calls) {
    const path = call.path.replace(/:(\w+)/g, '{$1}')
    expect(document.paths[path]).toHaveProperty(call.method.toLowerCase())
    expect(page).toContain(`${call.method} ${path}`)
  }
})
