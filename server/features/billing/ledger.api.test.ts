import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { balances, grants, ledger } from '#server/db/schema.ts'
import { testApp } from '#server/testing/app.ts'
import { balanceOf, grant } from './ledger.ts'

const app = await testApp({ startSymbols: 0 })

test('the same gift posted twice is a single gift (S10.31)', async () => {
  const { user } = await app.signIn()
  const gift = { userId: user.id, kind: 'gift', symbols: 1000, key: `gift:${user.id}` } as const
  expect(await grant(app.db, gift)).toEqual({ posted: true })
  expect(await grant(app.db, gift)).toEqual({ posted: false })
  expect(await balanceOf(app.db, user.id)).toMatchObject({ availableTokens: 1000, held: 0, capacity: 1000 })
})

test('twenty parallel posts of a gift give it once (S10.31)', async () => {
  const { user } = await app.signIn()
  const gift = { userId: user.id, kind: 'gift', symbols: 500, key: `parallel:${user.id}` } as const
  const results = await Promise.all(Array.from({ length: 20 }, () => grant(app.db, gift)))
  expect(results.filter(({ posted }) => posted)).toHaveLength(1)
  const entries = await app.db.select().from(ledger).where(eq(ledger.userId, user.id))
  const held = await app.db.select().from(grants).where(eq(grants.userId, user.id))
  expect(entries.map(({ symbols, balanceAfter }) => [symbols, balanceAfter])).toEqual([[500, 500]])
  expect(held.map(({ remaining }) => remaining)).toEqual([500])
})

test('a database constraint rejects a balance below zero (S10.9)', async () => {
  const { user } = await app.signIn()
  await grant(app.db, { userId: user.id, kind: 'gift', symbols: 10, key: `floor:${user.id}` })
  const below = app.db.update(balances).set({ total: -1 }).where(eq(balances.userId, user.id))
  await expect(below).rejects.toThrow()
  expect((await balanceOf(app.db, user.id)).availableTokens).toBe(10)
})
