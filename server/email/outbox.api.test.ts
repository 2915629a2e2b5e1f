import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { sqlFolders } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { emailOutbox } from '#server/db/schema.ts'
import { startSweep } from '#server/jobs/sweeps.ts'
import { openLog } from '#server/lib/log.ts'
import { testDatabase } from '#server/testing/database.ts'
import type { EmailMessage } from './mail.ts'
import { emailSweep, forgetOldEmails, queueEmail, sendDueEmails } from './outbox.ts'

const sent: string[] = []
const database = await testDatabase()
beforeEach(async () => {
  sent.length = 0
  await database.db.delete(emailOutbox)
})

const mail = async ({ to }: EmailMessage) => {
  if (to.startsWith('bad')) throw new Error('550 no such mailbox')
  sent.push(to)
}
const email = (to: string): EmailMessage => ({ to, subject: 'Тема', text: 'Текст', html: '<p>Текст</p>' })
const rowOf = async (key: string) => {
  const [row] = await database.db.select().from(emailOutbox).where(eq(emailOutbox.key, key))
  return row
}
const makeDue = () => database.db.update(emailOutbox).set({ sendAt: sql`now() - interval '1 second'` })

test('an email is queued once by its key, sent once and marked', async () => {
  const { db } = database
  for (let i = 0; i < 3; i++) await queueEmail(db, 'paid:1', email('anna@example.test'))
  await queueEmail(db, 'paid:2', email('x@reddit.placeholder.invalid'))
  await sendDueEmails({ db, mail })
  await sendDueEmails({ db, mail })
  expect(sent).toEqual(['anna@example.test'])
  expect(await rowOf('paid:1')).toMatchObject({ attempts: 1, sentAt: expect.any(Date) })
})

test('rolled-back emails are not sent, and committed emails are never lost (S10.65)', async () => {
  const { db } = database
  const broken = db.transaction(async (tx) => {
    await queueEmail(tx, 'rolled-back', email('anna@example.test'))
    throw new Error('no')
  })
  await expect(broken).rejects.toThrow('no')
  await db.transaction((tx) => queueEmail(tx, 'kept', email('boris@example.test')))
  // The process that committed ends here; another one finds the row.
  await sendDueEmails({ db, mail })
  expect(sent).toEqual(['boris@example.test'])
})

test('another process sends an email of a dead process after its lease', async () => {
  const { db } = database
  await queueEmail(db, 'begun', email('anna@example.test'))
  let sending = () => {}
  const begun = new Promise<void>((done) => {
    sending = done
  })
  const never = () => {
    sending()
    return new Promise<void>(() => {})
  }
  void sendDueEmails({ db, mail: never })
  await begun
  await sendDueEmails({ db, mail })
  expect(sent).toEqual([])
  await makeDue()
  await sendDueEmails({ db, mail })
  expect(sent).toEqual(['anna@example.test'])
})

test('a bad address is retried for three days without delaying other emails', async () => {
  const { db } = database
  const lines: unknown[][] = []
  const log = openLog('silent')
  log.error = ((...line: unknown[]) => lines.push(line)) as typeof log.error
  await queueEmail(db, 'bad', email('bad@example.test'))
  for (let i = 0; i < 12; i++) await queueEmail(db, `good:${i}`, email(`good-${i}@example.test`))
  await sendDueEmails({ db, mail, log })
  expect(sent).toHaveLength(12)
  const waits: number[] = []
  for (let i = 0; i < 3; i++) {
    const row = await rowOf('bad')
    waits.push(Math.round((Number(row?.sendAt) - Date.now()) / 10_000))
    await makeDue()
    await sendDueEmails({ db, mail, log })
  }
  expect(waits).toEqual([3, 6, 12])
  expect(lines).toEqual([])
  await db.update(emailOutbox).set({ createdAt: sql`now() - interval '73 hours'` })
  await makeDue()
  await sendDueEmails({ db, mail, log })
  expect(await rowOf('bad')).toMatchObject({ failedAt: expect.any(Date), sentAt: null })
  expect(JSON.stringify(lines)).toContain('given up')
  await makeDue()
  expect(await sendDueEmails({ db, mail, log })).toBe(0)
})

test('two processes that send at once send each email once (S10.65)', async () => {
  const { db, url } = database
  const other = url ? await openDatabase({ url }, sqlFolders()) : null
  const keys = Array.from({ length: 60 }, (_, i) => `person-${i}@example.test`)
  for (const key of keys) await queueEmail(db, key, email(key))
  const slowly = async (message: EmailMessage) => {
    await new Promise((done) => setTimeout(done, Math.random() * 10))
    await mail(message)
  }
  const processes = [db, other?.db ?? db, db, other?.db ?? db]
  await Promise.all(processes.map((own) => sendDueEmails({ db: own, mail: slowly })))
  await other?.close()
  expect(sent.toSorted()).toEqual(keys.toSorted())
})

test('emails sent a week ago are deleted with their content', async () => {
  const { db } = database
  for (const key of ['old', 'new', 'waiting']) await queueEmail(db, key, email('anna@example.test'))
  await db.update(emailOutbox).set({ sentAt: sql`now() - interval '8 days'` }).where(eq(emailOutbox.key, 'old'))
  await db.update(emailOutbox).set({ sentAt: sql`now() - interval '6 days'` }).where(eq(emailOutbox.key, 'new'))
  await forgetOldEmails(db)
  const left = await db.select({ key: emailOutbox.key }).from(emailOutbox)
  expect(left.map(({ key }) => key).toSorted()).toEqual(['new', 'waiting'])
})

test('the sweep of emails survives a failing database and stops on close', async () => {
  const { db } = database
  const errors: unknown[] = []
  let isAway = true
  const flaky = new Proxy(db, {
    get: (target, name, receiver) => {
      if (isAway && name === 'update') throw new Error('the database is away')
      return Reflect.get(target, name, receiver)
    },
  })
  const outbox = startSweep({ ...emailSweep({ db: flaky, mail }), everyMs: 0 }, (error) => errors.push(error))
  await queueEmail(db, 'by-itself', email('anna@example.test'))
  await outbox.runNow()
  expect(errors).toHaveLength(1)
  isAway = false
  outbox.wake()
  await expect.poll(() => sent).toEqual(['anna@example.test'])
  await outbox.close()
  await queueEmail(db, 'too-late', email('boris@example.test'))
  await outbox.runNow()
  expect(sent).toEqual(['anna@example.test'])
})
