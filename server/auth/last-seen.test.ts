import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { usersApi } from '#contract/users.ts'
import { users } from '#server/db/schema.ts'
import { type SignedIn, startTestApp, type TestApp } from '#server/testing/app.ts'

const MINUTE_MS = 60_000
let app: TestApp
let anna: SignedIn
beforeAll(async () => {
  app = await startTestApp()
  anna = await app.signIn()
})
afterAll(() => app.close())

async function seenAfterCall(minutesAgo: number): Promise<{ before: number; after: number }> {
  const before = new Date(Date.now() - minutesAgo * MINUTE_MS)
  await app.db.update(users).set({ lastSeenAt: before }).where(eq(users.id, anna.user.id))
  await Promise.all([anna.call(usersApi.me, {}), anna.call(usersApi.me, {})])
  const [row] = await app.db.select({ at: users.lastSeenAt }).from(users).where(eq(users.id, anna.user.id))
  return { before: before.getTime(), after: row?.at.getTime() ?? 0 }
}

test('a visit is kept once an hour and costs nothing in between', async () => {
  const soon = await seenAfterCall(55)
  expect(soon.after).toBe(soon.before)
  const late = await seenAfterCall(65)
  expect(Date.now() - late.after).toBeLessThan(MINUTE_MS)
})

test('nobody says himself when he was seen', async () => {
  await anna.post('/api/auth/update-user', { lastSeenAt: '2001-01-01T00:00:00.000Z' })
  const [row] = await app.db.select({ at: users.lastSeenAt }).from(users).where(eq(users.id, anna.user.id))
  expect(row?.at.getFullYear()).toBeGreaterThan(2001)
})
