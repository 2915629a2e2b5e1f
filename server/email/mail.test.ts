import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterEach, expect, test } from 'vitest'
import { smtpMail } from './mail.ts'
import { signInEmail } from './templates/account.ts'

interface Delivery {
  from: string
  to: string[]
  user: string | undefined
  source: string
}

let server: SMTPServer | null = null
afterEach(async () => {
  await new Promise<void>((done) => (server ? server.close(() => done()) : done()))
  server = null
})

/** A mail server on loopback that speaks SMTP and requires a password. */
async function startMailServer(refuse = false) {
  const received: Delivery[] = []
  const opened = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      username === 'robot' && password === 'p@ss'
        ? done(null, { user: username })
        : done(new Error('Wrong name or password')),
    onRcptTo: (_address, _session, done) => done(refuse ? new Error('No such mailbox') : null),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          user: String(session.user),
          source: Buffer.concat(chunks).toString(),
        })
        done()
      })
    },
  })
  opened.on('error', () => {})
  await new Promise<void>((done) => opened.listen(0, '127.0.0.1', () => done()))
  server = opened
  const { port } = opened.server.address() as AddressInfo
  return { received, url: (password = 'p%40ss') => `smtp://robot:${password}@127.0.0.1:${port}` }
}

const message = signInEmail({
  code: null,
  to: 'anna@example.test',
  appName: 'Символ',
  url: 'https://chat.example/api/auth/magic-link/open?token=abc',
  minutes: 15,
})
const from = 'Символ <noreply@chat.example>'

test('an email goes to the mail server in both forms, with authentication', async () => {
  const { received, url } = await startMailServer()
  await smtpMail({ url: url(), from })(message)
  expect(received).toMatchObject([{ from: 'noreply@chat.example', to: ['anna@example.test'], user: 'robot' }])
  const { source = '' } = received[0] ?? {}
  expect(source).toContain('Content-Type: text/plain; charset=utf-8')
  expect(source).toContain('Content-Type: text/html; charset=utf-8')
  expect(source).toMatch(/^To: <?anna@example\.test>?\r$/m)
  expect(source).toMatch(/^Auto-Submitted: auto-generated\r$/m)
})

test('an address with a comma stays a single address', async () => {
  const { received, url } = await startMailServer()
  await smtpMail({ url: url(), from })({ ...message, to: 'a@example.test,b@example.test' }).catch(() => {})
  expect(received.flatMap(({ to }) => to)).not.toContain('b@example.test')
})

test('a rejected recipient, a wrong password and a silent host are errors', async () => {
  const { url } = await startMailServer(true)
  await expect(smtpMail({ url: url(), from })(message)).rejects.toThrow(/No such mailbox/)
  await expect(smtpMail({ url: url('wrong'), from })(message)).rejects.toThrow(/Invalid login/)
  await expect(smtpMail({ url: 'smtp://127.0.0.1:1', from })(message)).rejects.toThrow(/ECONNREFUSED/)
})
