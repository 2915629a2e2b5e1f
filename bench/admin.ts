import { parseArgs } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { users } from '#server/db/schema.ts'
import { longRunning } from '#server/db/transactions.ts'
import { LARGE, SMALL, seedDemo } from '#server/features/demo/demo.ts'
import { ensureBuilt } from '../scripts/lib/built.mjs'
import { adminCalls, createAsk } from './lib/admin-calls.ts'
import { runBench } from './lib/ending.ts'
import { median, quantile } from './lib/numbers.ts'
import { startOurs } from './lib/our-server.ts'
import { addPeople } from './lib/people.ts'
import { printGoals, printTable, type Row } from './lib/table.ts'

/**
 * How long the owner waits: every admin list and the statistics, on two invented years of 50,000 people and a million
 * messages.
 * Run: npm run bench:admin -- [--small] [--times 50] [--url postgres://…, filled by seed:demo] [--as-is]
 */

const { values: flags } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    times: { type: 'string', default: '50' },
    url: { type: 'string' },
    'as-is': { type: 'boolean', default: false },
  },
})
/** Filling the database takes most of this time. */
const LIMIT_SECONDS = 3000

if (!flags['as-is']) await ensureBuilt()
await runBench(LIMIT_SECONDS, async () => {
  const { url, prepared: owner } = await startOurs({ embedded: false, url: flags.url }, 0, async (db, origin) => {
    if (!(await isFilled(db)))
      await seedDemo(longRunning(db), flags.small ? SMALL : LARGE, { intoExisting: true, onStep: console.log })
    const [person] = await addPeople(db, 1, origin)
    if (!person) throw new Error('No owner was made')
    await db.update(users).set({ role: 'admin' }).where(eq(users.id, person.id))
    return person
  })
  const ask = createAsk(url, owner)
  const rows: Row[] = []
  for (const { what, path, maxMs } of await adminCalls(ask)) {
    const times = await measure(() => ask(path))
    rows.push({ what: `${what}: обычно`, ours: median(times) })
    rows.push({ what: `${what}: 95 %`, ours: quantile(times, 0.95), goal: { most: maxMs } })
  }
  const [reconcile = 0] = await measure(() => ask('/api/statistic/reconcile'), 1)
  rows.push({ what: '/api/statistic/reconcile', ours: reconcile })
  printGoals([printTable('Миллисекунды', rows)])
  return true
})

async function isFilled(db: Db): Promise<boolean> {
  return (await db.$count(users, sql`${users.email} like '%@demo.invalid'`)) > 0
}

async function measure(action: () => Promise<unknown>, count = Number(flags.times)): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const started = performance.now()
    await action()
    times.push(performance.now() - started)
  }
  return times
}
