import { and, asc, eq, inArray, isNull, lt, lte, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { emailOutbox } from '#server/db/schema.ts'
import type { Job } from '#server/jobs/jobs.ts'
import type { Sweep } from '#server/jobs/sweeps.ts'
import { newId } from '#server/lib/ids.ts'
import type { Log } from '#server/lib/log.ts'
import { canReceiveMail, type EmailMessage, type Mail } from './mail.ts'

interface OutboxDeps {
  db: Db
  mail: Mail
  log?: Log | undefined
}

type EmailRow = typeof emailOutbox.$inferSelect

/** Emails sent in parallel; more could trigger the mail server's flood protection. */
const BATCH = 5
/** Longer than any attempt takes; afterwards another process may claim the email of a dead one. */
const LEASE = sql`interval '3 minutes'`
const GIVE_UP_AFTER = sql`interval '3 days'`
const RETENTION = sql`interval '7 days'`

/**
 * Queues an email in the transaction of what it is about: after a commit it survives a crash, after a rollback it does
 * not exist. The same key is queued once.
 */
export async function queueEmail(db: Db, key: string, { to, subject, text, html }: EmailMessage): Promise<void> {
  if (!canReceiveMail(to)) return
  const userId = sql<string | null>`(select id from users where email = ${to.toLowerCase()})`
  const email = { id: newId(), key, recipient: to, userId, subject, text, html }
  await db.insert(emailOutbox).values(email).onConflictDoNothing()
}

const isDue = and(isNull(emailOutbox.sentAt), isNull(emailOutbox.failedAt), lte(emailOutbox.sendAt, sql`now()`))

/** Several processes may do it in parallel. */
export async function sendDueEmails(deps: OutboxDeps, signal?: AbortSignal): Promise<number> {
  let handled = 0
  while (!signal?.aborted) {
    const claimed = await claim(deps.db)
    await Promise.all(claimed.map((email) => send(deps, email)))
    handled += claimed.length
    if (claimed.length < BATCH) break
  }
  return handled
}

async function claim(db: Db): Promise<EmailRow[]> {
  const { id, sendAt, attempts } = emailOutbox
  const due = db
    .select({ id })
    .from(emailOutbox)
    .where(isDue)
    .orderBy(asc(sendAt))
    .limit(BATCH)
    .for('update', { skipLocked: true })
  const claimed = await db
    .update(emailOutbox)
    .set({ attempts: sql`${attempts} + 1`, sendAt: sql`now() + ${LEASE}` })
    .where(inArray(id, due))
    .returning()
  return claimed.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

async function send({ db, mail, log }: OutboxDeps, email: EmailRow): Promise<void> {
  const { id, key, recipient: to, subject, text, html, attempts } = email
  try {
    await mail({ to, subject, text, html })
  } catch (error) {
    const [row] = await db.update(emailOutbox).set(nextAttempt(attempts)).where(eq(emailOutbox.id, id)).returning()
    const facts = { err: error, key, attempts }
    if (row?.failedAt) log?.error(facts, 'emails: not sent for three days, given up')
    else log?.warn(facts, 'emails: not sent, will retry')
    return
  }
  await db.update(emailOutbox).set({ sentAt: sql`now()` }).where(eq(emailOutbox.id, id))
}

/** 30 s, then twice as long each time, up to six hours. */
function nextAttempt(attempts: number) {
  const seconds = Math.min(30 * 2 ** (attempts - 1), 6 * 3600)
  return {
    sendAt: sql`now() + ${seconds} * interval '1 second'`,
    failedAt: sql`case when ${emailOutbox.createdAt} < now() - ${GIVE_UP_AFTER} then now() end`,
  }
}

/** Sent and failed emails are deleted after a week, so that complaints can be checked until then. */
export async function forgetOldEmails(db: Db): Promise<void> {
  const endedAt = sql`coalesce(${emailOutbox.sentAt}, ${emailOutbox.failedAt})`
  await db.delete(emailOutbox).where(lt(endedAt, sql`now() - ${RETENTION}`))
}

export const emailSweep = (deps: OutboxDeps): Sweep => ({
  name: 'send-emails',
  everyMs: 1000,
  waits: sql`exists (select from ${emailOutbox} where ${isDue})`,
  run: async (signal) => {
    await sendDueEmails(deps, signal)
    return 0
  },
  stopMs: 1000,
})

export const emailJobs = (db: Db): Job[] => [
  { name: 'forget-emails', cron: '47 * * * *', run: () => forgetOldEmails(db), limitSeconds: 600 },
]
