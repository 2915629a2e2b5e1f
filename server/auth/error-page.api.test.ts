import { expect, test } from 'vitest'
import { accountApi } from '#contract/account.ts'
import { errorPage } from '#server/http/errors.ts'
import { testApp } from '#server/testing/app.ts'
import { convertLocation, errorBody } from './compat/responses.ts'

const app = await testApp()

test('the error page has an icon, heading, advice, link and code (S2.59)', async () => {
  const answer = await app.visitor().fetch('/api/auth/error?error=state_not_found')
  const html = await answer.text()
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(html).toMatch(/<svg[^>]+aria-label="Предупреждение"/)
  expect(html).toContain('<h1>')
  expect(html).toMatch(/Попробуйте ещё раз.*владельцу приложения/)
  expect(html).toContain('<a class="button" href="/">Return to Application</a>')
  expect(html).toContain('<code>state_not_found</code>')
})

test('the error page says Unknown instead of a missing or invalid code (S2.59)', async () => {
  for (const query of ['', '?error=', '?error=Позвоните+нам', `?error=${'x'.repeat(101)}`]) {
    expect(await (await app.visitor().fetch(`/api/auth/error${query}`)).text()).toContain('<code>Unknown</code>')
  }
})

test('a code of several words is shown (S10.1422)', async () => {
  for (const path of ['/error', '/api/auth/error'])
    expect(await (await app.visitor().fetch(`${path}?error=two%20words`)).text()).toContain('<code>two words</code>')
})

test('the code is escaped and the page runs no script (S2.59)', () => {
  const html = errorPage('"><script>alert(1)</script>', '<b>Имя</b>')
  expect(html).not.toMatch(/<script|<b>/)
  expect(html).toContain('&lt;script&gt;')
})

test('GET /ok answers ok', async () => {
  expect(await app.visitor().call(accountApi.ok, {})).toEqual({ ok: true })
})

test('a redirect stays on our site, whatever slashes it begins with', () => {
  const fix = (location: string) => convertLocation(location, 'https://chat.example')
  expect(fix('//evil.example?error=x')).toBe('/evil.example?error=x')
  expect(fix('/\\evil.example')).toBe('/evil.example')
  expect(fix('\\/\\evil.example')).toBe('/evil.example')
  expect(fix('/threads?a=//b')).toBe('/threads?a=//b')
  expect(fix('https://id.vk.com/authorize?x=1')).toBe('https://id.vk.com/authorize?x=1')
  expect(fix('/profile?error=email_does_not_match')).toBe("/profile?error=email_doesn't_match")
  expect(fix('/auth/signin?error=BANNED_USER&error_description=x')).toBe('https://chat.example/error?error=banned')
})

test('every failure has a status, a code and a message', () => {
  expect(errorBody(400, { message: 'Email is the same' })).toEqual({
    status: 400,
    code: 'EMAIL_IS_THE_SAME',
    message: 'Email is the same',
  })
  expect(errorBody(401, {})).toEqual({ status: 401, code: 'UNAUTHORIZED', message: 'Unauthorized' })
  expect(errorBody(400, { code: 'A', message: 'b' })).toEqual({ status: 400, code: 'A', message: 'b' })
})
