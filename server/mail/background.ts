import { afterCommit } from '#server/db/transactions.ts'
import type { Log } from '#server/lib/log.ts'
import { canReceiveMail, type Letter, type Mail } from './mail.ts'

export interface Background {
  mail: Mail
  log?: Log
  /** Told of every letter still on its way, so that a stopping server can wait for it. */
  onBackground?: (work: Promise<void>) => void
}

/**
 * Sends without making the caller wait: how long a letter takes would tell whether the address has an account.
 * A failure is logged; the person asks for the letter again.
 */
export function sendLater({ mail, log, onBackground }: Background, letter: Letter): void {
  if (!canReceiveMail(letter.to)) return
  afterCommit(() => {
    const work = mail(letter).catch((error: unknown) => {
      log?.error({ subject: letter.subject, reason: (error as Error).message }, 'a letter was not sent')
    })
    onBackground?.(work)
  })
}
