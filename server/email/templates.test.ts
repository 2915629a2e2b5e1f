import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { openLog } from '#server/lib/log.ts'
import { canReceiveMail, type EmailMessage, sendInBackground } from './mail.ts'
import {
  confirmChangeEmail,
  deleteAccountEmail,
  emailChangedEmail,
  passwordResetEmail,
  signInEmail,
  verificationEmail,
  verifyNewAddressEmail,
} from './templates/account.ts'
import { modelRetiresEmail } from './templates/models.ts'
import {
  canceledEmail,
  endSoonEmail,
  paidEmail,
  planChangedEmail,
  renewalFailedEmail,
  renewalSoonEmail,
  renewedEmail,
} from './templates/payments.ts'

const url = 'https://chat.example/go?token=abc&callbackURL=%2F'
const nasty = '<img src=x onerror=alert(1)>"&\''
const parts = { to: 'anna@example.test', appName: nasty, url }

const day = new Date('2026-12-14T21:30:00Z')
const purchase = { ...parts, title: nasty, symbols: 500_001, amount: 990, currency: 'BYN', receiptUrl: null }
const retiring = { ...parts, name: nasty, retiresOn: '2027-01-14' }
const renewing = { ...parts, plan: nasty, price: 990, currency: 'BYN' }

const signIn = signInEmail({ ...parts, code: '042917', minutes: 15 })
const messages: [name: string, message: EmailMessage][] = [
  ['sign-in', signIn],
  ['verification', verificationEmail(parts)],
  ['password reset', passwordResetEmail(parts)],
  ['change of e-mail, to the current address', confirmChangeEmail({ ...parts, newEmail: `${nasty}@example.test` })],
  ['change of e-mail, to the new address', verifyNewAddressEmail(parts)],
  ['deletion', deleteAccountEmail(parts)],
  ['plan paid', paidEmail({ ...purchase, plan: { until: day, renewal: 'renews' } })],
  ['plan paid once', paidEmail({ ...purchase, plan: { until: day, renewal: 'once' } })],
  ['bundle paid', paidEmail({ ...purchase, plan: null })],
  ['renewed', renewedEmail({ ...purchase, until: day, renewal: 'renews' })],
  ['plan ends soon', endSoonEmail({ ...renewing, until: day, renewal: 'unsaved' })],
  ['renewal failed', renewalFailedEmail({ ...renewing, final: false })],
  ['subscription ended', renewalFailedEmail({ ...renewing, final: true })],
  ['renewal soon', renewalSoonEmail({ ...renewing, at: day, from: 'через СБП' })],
  ['cancelled', canceledEmail({ ...renewing, until: day })],
  ['plan changed', planChangedEmail({ ...renewing, newPrice: '19,90 BYN' })],
  ['model retires', modelRetiresEmail({ ...retiring, successor: nasty, known: null })],
  ['model retires without a successor', modelRetiresEmail({ ...retiring, successor: null, known: nasty })],
]

test.each(messages)('the %s email carries its link in both forms', (_name, { text, html, to }) => {
  expect(to).toBe('anna@example.test')
  expect(text).toContain(url)
  expect(html).toContain('href="https://chat.example/go?token=abc&amp;callbackURL=%2F"')
})

test.each(messages)('the %s email escapes everything', (_name, { html }) => {
  expect(html).not.toContain('<img')
  expect(html).toContain('&lt;img src=x')
})

test.each(messages)('the %s email is Russian, simple and friendly to dark clients (S1.1)', (_name, { html, text }) => {
  expect(html).toContain('<html lang="ru">')
  expect(html).toContain('name="color-scheme" content="light dark"')
  expect(html).not.toMatch(/<table|<script|<img|<link/)
  expect(text).toMatch(/^Здравствуйте!/)
})

test('emails about money name the sum, the Minsk day and the symbols', () => {
  const { text } = renewedEmail({
    ...purchase,
    until: day,
    renewal: 'renews',
    receiptUrl: 'https://bepaid.example.test/receipt',
  })
  expect(text.replaceAll('\u00a0', ' ')).toContain('списано 9,90 BYN. На баланс добавлено 500 001 символ.')
  expect(text).toContain('до 15 декабря 2026 года.')
  expect(text).toContain('Чек: https://bepaid.example.test/receipt')
})

test('the notice to the old address names the new address, without links', () => {
  const { text, html } = emailChangedEmail({ to: 'old@example.test', appName: 'Символ', newEmail: 'new@example.test' })
  expect(text).toContain('new@example.test')
  expect(html).not.toContain('<a ')
})

test('a line break cannot get into a subject', () => {
  const { subject } = signInEmail({ ...parts, appName: 'А\r\nBcc: all@example.test', code: null, minutes: 15 })
  expect(subject).not.toMatch(/[\r\n]/)
})

test('made-up addresses of providers never get emails', async () => {
  expect(canReceiveMail('t2@reddit.placeholder.invalid')).toBe(false)
  expect(canReceiveMail('anna@example.test')).toBe(true)
  const sent: string[] = []
  const mail = async ({ to }: EmailMessage) => {
    sent.push(to)
  }
  for (const to of ['x@roblox.placeholder.invalid', 'anna@example.test']) sendInBackground({ mail }, { ...signIn, to })
  expect(sent).toEqual(['anna@example.test'])
})

test('a background email does not delay the caller; its failure is logged', async () => {
  let written = ''
  const write = (chunk: unknown, _: unknown, done: () => void) => {
    written += chunk
    done()
  }
  const log = openLog('error', new Writable({ write }))
  let work: Promise<void> | undefined
  const mail = () => Promise.reject(Object.assign(new Error('451 <anna@example.test> later'), { responseCode: 451 }))
  const onBackground = (promise: Promise<void>) => {
    work = promise
  }
  sendInBackground({ mail, log, onBackground }, { ...signIn, subject: 'Вход: код 042917' })
  await expect(work).resolves.toBeUndefined()
  expect(written).toContain('"responseCode":451')
  expect(written).not.toMatch(/token=|042917|anna@/)
})

test('the sign-in email shows the code large and in the subject (S10.166)', () => {
  const { text, html, subject } = signInEmail({ ...parts, appName: 'Символ', code: '042917', minutes: 15 })
  expect(text.split('\n')).toContain('042917')
  expect(html).toMatch(/font-size:32px[^>]*>042917</)
  expect(subject).toBe('Вход в «Символ»: код 042917')
  expect(text).toContain('Никому не называйте код')
})

test.each([
  ['unsaved', /сама она не продлится: способ оплаты не сохранился/],
  ['once', /куплена на один период и сама не продлится/],
  ['ended', /сама она не продлится/],
] as const)('a paid plan that is %s promises no renewal (S10.1160)', (renewal, sentence) => {
  for (const { text } of [
    paidEmail({ ...purchase, plan: { until: day, renewal } }),
    renewedEmail({ ...purchase, until: day, renewal }),
  ]) {
    expect(text).toMatch(sentence)
    expect(text).not.toContain('продлится сама.')
    expect(text).not.toContain('Отменить подписку можно')
  }
})

test('a failed renewal blames no bank that was not asked (S10.1161)', () => {
  const failed = { ...renewing, final: true }
  expect(renewalFailedEmail({ ...failed, reason: 'no-method' }).text).toContain('банк мы не спрашивали')
  expect(renewalFailedEmail({ ...failed, reason: 'shop' }).text).toContain('Отказал не банк')
  for (const reason of ['no-method', 'shop', null] as const)
    expect(renewalFailedEmail({ ...failed, reason }).text).not.toContain('Банк не списал')
})
