import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answerError } from '#server/http/errors.ts'
import type { App, Env } from '#server/http/route.ts'
import { type Mailbox, openMailbox } from './mailbox.ts'
import { mailboxRoutes } from './mailbox-routes.ts'
import { signInEmail } from './templates/account.ts'

const url = 'http://localhost:3000/api/auth/magic-link/open?token=abc&callbackURL=%2F'

let folder: string
let mailbox: Mailbox
let app: App
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'symbol-mail-'))
  mailbox = await openMailbox(folder)
  app = new Hono<Env>()
  app.onError(answerError)
  mailboxRoutes(app, mailbox)
})
afterEach(() => rm(folder, { recursive: true }))

const send = (to: string) => mailbox.mail(signInEmail({ to, appName: 'Символ', url, code: null, minutes: 15 }))

test('emails are stored in a folder and listed newest first', async () => {
  await send('first@example.test')
  await send('second@example.test')
  expect(await (await app.request('/dev/mail.json')).json()).toMatchObject([
    { to: 'second@example.test', text: expect.stringContaining(url) },
    { to: 'first@example.test' },
  ])
})

test('emails survive a restart', async () => {
  await send('anna@example.test')
  const reopened = await openMailbox(folder)
  expect(await reopened.list()).toMatchObject([{ to: 'anna@example.test' }])
})

test('the last 200 emails are stored', async () => {
  for (let i = 0; i < 203; i++) await send(`person-${i}@example.test`)
  expect(await readdir(folder)).toHaveLength(200)
  const [newest] = await mailbox.list()
  expect(newest?.to).toBe('person-202@example.test')
})

test('the list leads to a page with the email in a sandbox', async () => {
  expect(await (await app.request('/dev/mail')).text()).toContain('Писем пока нет')
  await send('anna@example.test')
  const list = await (await app.request('/dev/mail')).text()
  const path = list.match(/href="(\/dev\/mail\/[\w-]+)"/)?.[1] ?? ''
  const page = await (await app.request(path)).text()
  expect(page).toContain('<iframe title="Письмо" sandbox="allow-top-navigation-by-user-activation" srcdoc="')
  expect(page).not.toMatch(/allow-scripts|allow-same-origin/)
  expect(page).toContain(`<a href="${url.replaceAll('&', '&amp;')}">`)
})

test('the content of an email cannot break out of the page', async () => {
  const nasty = '"></iframe><script>alert(1)</script>'
  await mailbox.mail({ to: nasty, subject: nasty, text: nasty, html: nasty })
  const [message] = await mailbox.list()
  for (const path of ['/dev/mail', `/dev/mail/${message?.id}`]) {
    expect(await (await app.request(path)).text()).not.toContain('<script>')
  }
})

test('an unknown email is a 404, and no path leaves the folder', async () => {
  expect((await app.request('/dev/mail/nothing')).status).toBe(404)
  expect(await mailbox.get('../secret')).toBeNull()
  expect((await app.request('/dev/mail/..%2Fsecret')).status).toBe(404)
})
