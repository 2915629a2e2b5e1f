import { expect, test } from 'vitest'
import { memoryLimits, testApp } from '#server/testing/app.ts'
import { PASSWORD, withPassword } from './testing/steps.ts'

const app = await testApp({ deps: { limits: memoryLimits() }, settings: { trustedProxies: 1 } })

let networks = 0
/** Every attempt comes from another network, so only limits per account count. */
const elsewhere = () => ({ 'x-forwarded-for': `10.${Math.floor(++networks / 250)}.${networks % 250}.1` })

const signIn = (body: Uint8Array<ArrayBuffer>, type: string | null) =>
  app.visitor().fetch('/api/auth/sign-in/email', {
    method: 'POST',
    headers: { ...elsewhere(), ...(type === null ? {} : { 'content-type': type }) },
    body,
  })

/** A body without a content type: fetch adds one to text, not to bytes. */
const bytes = (text: string) => new TextEncoder().encode(text)

const attempt = { email: 'unknown@example.test', password: 'a wrong password' }
const json = JSON.stringify(attempt)
const form = new URLSearchParams(attempt).toString()

test.each([
  ['application/x-www-form-urlencoded', form],
  ['Application/X-WWW-Form-Urlencoded; charset=utf-8', form],
  ['multipart/form-data; boundary=b', `--b\r\ncontent-disposition: form-data; name="email"\r\n\r\nx\r\n--b--\r\n`],
  ['text/plain', json],
  ['text/plain; note=application/json', json],
  ['application/octet-stream', json],
  ['application/vnd.api+json', json],
  ['application/jsonp', json],
  ['application/json; charset=utf-16', json],
  ['application/json, application/x-www-form-urlencoded', form],
  ['', json],
  [null, json],
])('a body of the type %j is refused', async (type, body) => {
  const answer = await signIn(bytes(body), type)
  expect(await answer.json()).toEqual({
    status: 415,
    code: 'unsupported_media_type',
    message: 'Запрос не читается: он отправлен не в том формате. Нужен «application/json».',
  })
})

test.each([
  'application/json',
  'Application/JSON',
  'application/json; charset=UTF-8',
  'application/json;charset="utf-8"',
])('a body of the type %s is read as JSON', async (type) => {
  expect((await signIn(bytes(json), type)).status).toBe(401)
})

test('a body that is no JSON is 400', async () => {
  for (const body of ['{', form, '\u0000'])
    expect(await (await signIn(bytes(body), 'application/json')).json()).toMatchObject({
      status: 400,
      code: 'bad_request',
    })
})

test('a call without a body needs no type', async () => {
  const visitor = app.visitor()
  for (const headers of [{}, { 'content-type': 'application/x-www-form-urlencoded' }] as Record<string, string>[])
    expect(
      (await visitor.fetch('/api/auth/sign-out', { method: 'POST', headers: { ...elsewhere(), ...headers } })).status,
    ).toBe(200)
})

/** The same attempt, written in ways that a reader of JSON may treat differently. */
const spellings = (email: string): string[] => [
  JSON.stringify({ email, password: 'wrong' }),
  `{"email":"other@example.test","password":"wrong","email":${JSON.stringify(email)}}`,
  `{"\\u0065mail":${JSON.stringify(email)},"password":"wrong"}`,
  `\uFEFF ${JSON.stringify({ email: email.toUpperCase(), password: 'wrong' })}`,
  `{"__proto__":{"email":"other@example.test"},"email":${JSON.stringify(email)},"password":"wrong"}`,
]

test('wrong passwords are counted per account, whatever the body and network (S10.580)', async () => {
  const anna = await withPassword(app)
  const statuses: number[] = []
  for (let round = 0; round < 2; round++)
    for (const body of spellings(anna.email)) statuses.push((await signIn(bytes(body), 'application/json')).status)
  expect(statuses).toEqual(Array(10).fill(401))
  for (const body of spellings(anna.email)) expect((await signIn(bytes(body), 'application/json')).status).toBe(429)
  const right = JSON.stringify({ email: anna.email, password: PASSWORD })
  expect((await signIn(bytes(right), 'application/json')).status).toBe(429)
})

test('a form is accepted only where pages or providers send forms (S10.580)', async () => {
  const send = (path: string) =>
    app.visitor().fetch(path, {
      method: 'POST',
      headers: { ...elsewhere(), 'content-type': 'application/x-www-form-urlencoded' },
      body: 'token=x&state=x',
    })
  for (const path of ['magic-link/open', 'verify-email/open', 'join-account/open', 'callback/vk'])
    expect([path, (await send(`/api/auth/${path}`)).status]).not.toEqual([path, 415])
  for (const path of ['reset-password', 'sign-in/magic-link', 'delete-user'])
    expect([path, (await send(`/api/auth/${path}`)).status]).toEqual([path, 415])
})
