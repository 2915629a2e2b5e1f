import { beforeAll, describe, expect, test } from 'vitest'
import { testApp } from '#server/testing/app.ts'
import { calls, createWalker, expectMounted, expectRefusal, label, send } from './testing/contract-walk.ts'

const labelled = (list: typeof calls) => list.map((call) => [label(call), call] as const)

const app = await testApp()

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

describe('every call is mounted (S7.1)', () => {
  let walk: ReturnType<typeof createWalker>
  beforeAll(() => {
    walk = createWalker(app)
  })
  test.each(labelled(calls))('%s', async (_, call) => expectMounted(await walk(call)))
})

describe('a call for signed-in people answers 401 without a session (S2.67, S6.19)', () => {
  test.each(labelled(calls.filter(({ who }) => who !== 'anyone')))('%s', async (_, call) => {
    await expectRefusal(await send(app.visitor(), call), 401)
  })
})

describe('a call for admins answers 403 to a user (S1.29, S10.37)', () => {
  let walk: ReturnType<typeof createWalker>
  beforeAll(() => {
    walk = createWalker(app)
  })
  test.each(labelled(calls.filter(({ who }) => who === 'admin')))('%s', async (_, call) => {
    await expectRefusal(await walk(call), 403)
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
