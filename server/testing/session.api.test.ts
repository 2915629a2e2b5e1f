import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { pageApi } from '#contract/page.ts'
import { users } from '#server/db/schema.ts'
import { testApp } from './app.ts'
import { openSession } from './session.ts'
import { createVisitor } from './visitor.ts'

const app = await testApp({ startSymbols: 700 })

/** The only columns that may differ between two users. */
const OWN = /^(id|token|key|hash|email|search|.*_at|.*_id)$/

const withoutIds = (value: unknown) => JSON.stringify(value).replace(/[\da-f-]{36}/g, '')

async function rowsOf(userId: string, hash: unknown) {
  const { rows } = await app.database.execute(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'user_id'
      and table_name in (select tablename from pg_tables)`,
  )
  const found: Record<string, unknown> = { hash }
  for (const { name } of rows as { name: string }[]) {
    const own = await app.database.execute(`select * from ${name} where user_id = '${userId}'`)
    found[name] = (own.rows as object[]).map((row) =>
      Object.entries(row).map(([column, value]) => [column, OWN.test(column) ? typeof value : withoutIds(value)]),
    )
  }
  const [user] = await app.db.select().from(users).where(eq(users.id, userId))
  return {
    ...found,
    user: { ...user, id: '', email: '', search: '', createdAt: null, updatedAt: null, lastSeenAt: null },
  }
}

test('a test person has the rows of a signed-in person', async () => {
  const hashes = async () => (await app.database.execute(`select length(hash), subject from identity_hashes`)).rows
  const written = await app.signIn()
  const [hash, ...others] = await hashes()
  expect(others).toEqual([])
  const visitor = createVisitor(app.app)
  await openSession(app.db, app.auth, visitor, 'anna@example.test')
  const { user } = await visitor.call(pageApi.state, {})
  expect(written.user).toEqual({ ...user, id: written.user.id, email: written.user.email })
  expect((await written.call(pageApi.state, {})).user).toEqual(written.user)
  expect(await rowsOf(written.user.id, hash)).toEqual(await rowsOf(user?.id ?? '', (await hashes())[1]))
})
