import { createTransport } from 'nodemailer'
import type { Mail } from './mail.ts'

const CONNECT_MS = 10_000
const SILENCE_MS = 20_000

/** Sends through a mail server. Timeouts are short because a user waits for the sign-in email. */
export function smtpMail({ url, from }: { url: string; from: string }): Mail {
  const transport = createTransport({
    url,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async ({ to, subject, text, html }) => {
    await transport.sendMail({
      from,
      // As an object the address is not parsed: a comma in it cannot make it two.
      to: { name: '', address: to },
      subject,
      text,
      html,
      headers: { 'auto-submitted': 'auto-generated' },
    })
  }
}
