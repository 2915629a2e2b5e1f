import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { TRASH_DAYS } from '#contract/threads.ts'
import { messages, threads } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { testApp } from '#server/testing/app.ts'
import { aBranch, aMessage, aThread } from '#server/testing/builders.ts'
import { purgeTrash, threadJobs } from './threads.ts'

const now = new Date(Date.UTC(2026, 5, 1))
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)

const app = await testApp()
const userId = (await app.signIn()).user.id

const left = async () =>
  (await app.db.select({ title: threads.title }).from(threads).where(eq(threads.userId, userId)))
    .map(({ title }) => title)
    .sort()

test('threads are deleted after their days in the trash, others stay', async () => {
  const old = await aThread(app.db, userId, { title: 'старая', deletedAt: daysAgo(TRASH_DAYS + 0.01) })
  await aBranch(app.db, old, 3)
  await aThread(app.db, userId, { title: 'ещё ждёт', deletedAt: daysAgo(TRASH_DAYS - 0.01) })
  await aThread(app.db, userId, { title: 'открытая', updatedAt: daysAgo(400) })
  const busy = await aThread(app.db, userId, { title: 'пишется', deletedAt: daysAgo(90) })
  await aMessage(app.db, busy, { role: 'assistant', status: 'streaming' })
  expect(await purgeTrash(app.db, now)).toBe(1)
  expect(await left()).toEqual(['ещё ждёт', 'открытая', 'пишется'])
  expect(await app.db.$count(messages, eq(messages.threadId, old.id))).toBe(0)
})

test('a full trash is emptied batch by batch', async () => {
  const rows = Array.from({ length: 120 }, () => ({ id: newId(), userId, title: 'много', deletedAt: daysAgo(60) }))
  await app.db.insert(threads).values(rows)
  expect(await purgeTrash(app.db, now)).toBe(120)
  expect(await left()).not.toContain('много')
})

test('the trash is purged every day', async () => {
  await aThread(app.db, userId, { title: 'очень старая', deletedAt: daysAgo(10_000) })
  const job = threadJobs(app.db).find(({ name }) => name === 'purge-trash')
  expect(job?.cron).toMatch(/^\d+ \d+ \* \* \*$/)
  await job?.run()
  expect(await left()).not.toContain('очень старая')
})
