import { afterCommit } from '#server/db/transactions.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Log } from '#server/lib/log.ts'
import { canReceiveMail, type EmailMessage, type Mail } from './mail.ts'

export interface Background {
  mail: Mail
  log?: Log
  /** Refuses when the address has got too many; what is refused is not sent, and nobody learns of it. */
  limitEmail?: (to: string) => Promise<void>
  /** Told of every letter still on its way, so that a stopping server can wait for it. */
  onBackground?: (work: Promise<void>) => void
}

/**
 * Sends without making the caller wait: how long a letter takes would tell whether the address has an account.
 * A failure is logged; the person asks for the letter again.
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
      log?.warn(facts, 'an email was not sent: its address has got too many lately')
    else log?.error({ ...facts, reason: (error as Error).message }, 'a letter was not sent')
  }
}
