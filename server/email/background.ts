import { afterCommit } from '#server/db/transactions.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Log } from '#server/lib/log.ts'
import { canReceiveMail, type EmailMessage, type Mail } from './mail.ts'

export interface Background {
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
export function sendLater(background: Background, emailMessage: EmailMessage): void {
  if (!canReceiveMail(emailMessage.to)) return
  afterCommit(() => {
    const work = send(background, emailMessage)
    background.onBackground?.(work)
  })
}

async function send({ mail, log, limitEmail }: Background, emailMessage: EmailMessage): Promise<void> {
  const facts = { subject: emailMessage.subject }
  try {
    if (limitEmail) await limitEmail(emailMessage.to)
    await mail(emailMessage)
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many_requests')
      log?.warn(facts, 'emails: not sent, the address got too many lately')
    else log?.error({ ...facts, reason: (error as Error).message }, 'emails: not sent')
  }
}
