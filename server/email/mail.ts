import type { Transporter } from 'nodemailer'
import { afterCommit } from '#server/db/transactions.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Log } from '#server/lib/log.ts'

export interface EmailMessage {
  to: string
  subject: string
  text: string
  html: string
}

export type Mail = (message: EmailMessage) => Promise<void>

/** Some social providers give no address; the library then makes one up under `.invalid`. */
export function canReceiveMail(address: string): boolean {
  return !/\.invalid$/i.test(address.trim())
}

const CONNECT_MS = 10_000
const SILENCE_MS = 20_000

/** Sends through a mail server. Timeouts are short because a user waits for the sign-in email. */
export function smtpMail({ url, from }: { url: string; from: string }): Mail {
  let transport: Transporter | undefined
  return async ({ to, subject, text, html }) => {
    // Loaded with the first email, to save memory until then.
    const { createTransport } = await import('nodemailer')
    transport ??= createTransport({
      url,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    await transport.sendMail({
      from,
      // An address in an object is not parsed, so a comma cannot turn it into two addresses.
      to: { name: '', address: to },
      subject,
      text,
      html,
      headers: { 'auto-submitted': 'auto-generated' },
    })
  }
}

interface Background {
  mail: Mail
  log?: Log
  /** Rejects when the address got too many emails; such an email is dropped silently. */
  limitEmail?: (to: string) => Promise<void>
  /** Called with every email that is being sent, so that a stopping server can wait for it. */
  onBackground?: (work: Promise<void>) => void
}

/**
 * Sends without making the caller wait: the time it takes would reveal whether the address has an account. An error is
 * only logged; the user can request the email again.
 */
export function sendInBackground(background: Background, emailMessage: EmailMessage): void {
  if (!canReceiveMail(emailMessage.to)) return
  afterCommit(() => {
    const work = send(background, emailMessage)
    background.onBackground?.(work)
  })
}

async function send({ mail, log, limitEmail }: Background, emailMessage: EmailMessage): Promise<void> {
  // Subjects may contain codes.
  const facts = { subject: emailMessage.subject.replace(/\d{4,}/g, '…') }
  try {
    if (limitEmail) await limitEmail(emailMessage.to)
    await mail(emailMessage)
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many_requests')
      log?.warn(facts, 'emails: not sent, the address got too many lately')
    else log?.error({ ...facts, err: error }, 'emails: not sent')
  }
}
