import { createTransport } from 'nodemailer'
import type { Mail } from './mail.ts'

const CONNECT_MS = 10_000
const SILENCE_MS = 20_000

/** Letters through a mail server. A person waits for the sign-in letter, so a silent server is given up on. */
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
      // As an object the address is taken as it is: a comma in it cannot make it two.
      to: { name: '', address: to },
      subject,
      text,
      html,
      headers: { 'auto-submitted': 'auto-generated' },
    })
  }
}
