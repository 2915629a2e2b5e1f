import { setTimeout as pause } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { bundles, orders, plans, planVersions, statDays } from '#server/db/schema.ts'
import { startTestApp } from '#server/testing/app.ts'

test('a user who pays for a first plan and a first bundle at the same moment is counted once as converted', async () => {
  const app = await startTestApp()
  const { db } = app
  const { user } = await app.signIn()
  await db.insert(plans).values({ id: 'p', name: 'План' })
  const terms = { symbols: 900, price: 990, currency: 'BYN' }
  await db.insert(planVersions).values({ id: 'v', planId: 'p', intervalDays: 30, ...terms })
  await db.insert(bundles).values({ id: 'b', name: 'Пакет', ...terms })
  const order = { userId: user.id, title: 'Покупка', symbols: 900, amount: 990, currency: 'BYN' }
  await db.insert(orders).values([
    { id: 'plan', kind: 'plan', planVersionId: 'v', ...order },
    { id: 'bundle', kind: 'bundle', bundleId: 'b', ...order },
  ])
  const pay = (id: string) =>
    db.transaction(async (tx) => {
      const paid = { status: 'paid', gatewayUid: `uid-${id}`, paidAt: new Date() } as const
      await tx.update(orders).set(paid).where(eq(orders.id, id))
      await pause(200)
    })
  await Promise.all([pay('plan'), pay('bundle')])
  await db.execute(sql`select stat_fold()`)
  const rows = await db.select().from(statDays).where(eq(statDays.metric, 'converted'))
  expect(rows.map(({ value }) => Number(value))).toEqual([1])
  await app.close()
})
