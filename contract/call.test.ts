import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { call, callPage } from './call.ts'
import { endpoint } from './endpoint.ts'

const rename = endpoint('PATCH', '/api/things/:id', {
  who: 'user',
  summary: '',
  query: z.object({ loud: z.optional(z.string()) }),
  body: z.object({ name: z.string() }),
  returns: z.object({ name: z.string() }),
})
const args = { params: { id: 'a/b' }, query: { loud: undefined }, body: { name: 'Имя' } }
const answering =
  (body: string, status = 200, headers: Record<string, string> = {}) =>
  async () =>
    new Response(body, { status, headers })
const failure = (body: string, status: number) =>
  call(rename, args, answering(body, status)).catch((error: unknown) => error)

test('a call fills the path, omits undefined values and checks the response', async () => {
  let request: [string, RequestInit] | undefined
  const answer = await call(rename, args, async (url, init) => {
    request = [url, init]
    return Response.json({ name: 'Имя', secret: 1 })
  })
  expect(answer).toEqual({ name: 'Имя' })
  expect(request?.[0]).toBe('/api/things/a%2Fb')
  expect(request?.[1]).toMatchObject({ method: 'PATCH', credentials: 'include', body: '{"name":"Имя"}' })
})

test('a failed call carries status, code and message', async () => {
  expect(await failure('{"status":404,"code":"not_found","message":"Нет такого"}', 404)).toMatchObject({
    status: 404,
    code: 'not_found',
    message: 'Нет такого',
  })
})

test('a failure says when to try again, in its body or header', async () => {
  const refused = (body: string, header: string) =>
    call(rename, args, answering(body, 503, { 'retry-after': header })).catch((error: unknown) => error)
  expect(await refused('{"status":503,"code":"unavailable","message":"Позже","retryAfter":2}', '3')).toMatchObject({
    retryAfter: 2,
  })
  expect(await refused('<html>', '3')).toMatchObject({ status: 503, retryAfter: 3 })
  expect(await refused('', 'Wed, 21 Oct 2026 07:28:00 GMT')).toMatchObject({ status: 503, retryAfter: undefined })
})

test('a failure without a message reads Unknown error', async () => {
  for (const body of ['', '<html>', 'null', '{}', '{"message":5}']) {
    expect(await failure(body, 502)).toMatchObject({ status: 502, message: 'Unknown error' })
  }
})

test('a response of a wrong format is «Unknown JSON error» (S8.2)', async () => {
  for (const body of ['<html>', '{"name":5}']) {
    expect(await failure(body, 200)).toMatchObject({ status: 200, message: 'Unknown JSON error' })
  }
})

test('a network error has a message, a cancelled call stays cancelled', async () => {
  const offline = call(rename, args, () => Promise.reject(new TypeError('fetch failed')))
  await expect(offline).rejects.toMatchObject({ status: 0, code: 'network' })
  const cancelled = call(rename, args, () => Promise.reject(new DOMException('', 'AbortError')))
  await expect(cancelled).rejects.toBeInstanceOf(DOMException)
})

test('a page has the cursor of the next page', async () => {
  const page = await callPage(rename, args, answering('{"name":"a"}', 200, { 'x-next-cursor': '17' }))
  expect(page).toEqual({ items: { name: 'a' }, nextCursor: '17' })
  expect((await callPage(rename, args, answering('{"name":"a"}'))).nextCursor).toBeNull()
})
