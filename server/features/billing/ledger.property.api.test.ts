import { asc, eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { balances, grants } from '#server/db/schema.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { propertyRuns } from '#server/testing/property-runs.ts'
import { reconcile } from './invariants.ts'
import { balanceOf, extend, grant, hold, release, settle, spend, takeBack, withdraw } from './ledger.ts'

/** The model: the whole ledger in a few lines, without a database or locks. */
class LedgerModel {
  now = Date.parse('2026-01-01T00:00:00Z')
  grants: { key: string; left: number; expiresAt: number }[] = []
  holds = new Map<string, { symbols: number; state: 'active' | 'settled' | 'released' }>()
  done = new Map<string, number>()

  get held() {
    return [...this.holds.values()].reduce((sum, h) => sum + (h.state === 'active' ? h.symbols : 0), 0)
  }
  get total() {
    return this.grants.reduce((sum, g) => sum + g.left, 0)
  }
  get free() {
    return this.total - this.held
  }
  private inOrder() {
    return [...this.grants].sort((a, b) => a.expiresAt - b.expiresAt)
  }
  /** Holds keep expired symbols alive; the uncovered rest is written off. */
  private expire() {
    let cover = this.held
    for (const g of this.inOrder().filter(({ expiresAt }) => expiresAt <= this.now)) {
      const covered = Math.min(g.left, cover)
      cover -= covered
      g.left = covered
    }
  }
  private take(symbols: number) {
    for (const g of this.inOrder()) {
      const part = Math.min(g.left, symbols)
      g.left -= part
      symbols -= part
    }
  }
  grant(key: string, symbols: number, days: number | null) {
    this.expire()
    if (this.done.has(key)) return false
    this.done.set(key, symbols)
    this.grants.push({
      key,
      left: symbols,
      expiresAt: days === null ? Number.POSITIVE_INFINITY : this.now + days * DAY,
    })
    return true
  }
  hold(key: string, symbols: number) {
    this.expire()
    if (this.holds.has(key)) return 'repeated'
    if (this.free < symbols) return 'short'
    this.holds.set(key, { symbols, state: 'active' })
    return 'held'
  }
  extend(key: string, symbols: number) {
    const h = this.holds.get(key)
    if (h) this.expire()
    if (h?.state !== 'active') return 'gone'
    if (symbols > h.symbols && this.free < symbols - h.symbols) return 'short'
    h.symbols = Math.max(h.symbols, symbols)
    return 'held'
  }
  settle(key: string, share: number) {
    const h = this.holds.get(key)
    if (h) this.expire()
    if (h?.state !== 'active') return h?.state === 'settled' ? 'repeated' : 'gone'
    const charge = Math.floor(h.symbols * share)
    h.state = charge === 0 ? 'released' : 'settled'
    this.take(charge)
    return 'done'
  }
  spend(key: string, symbols: number) {
    this.expire()
    const taken = this.done.get(key) ?? Math.min(symbols, this.free)
    if (!this.done.has(key) && taken > 0) {
      this.done.set(key, taken)
      this.take(taken)
    }
    return taken
  }
  takeBack(key: string, grantKey: string) {
    const g = this.grants.find((one) => one.key === grantKey)
    if (!g) return null
    this.expire()
    const known = this.done.get(key)
    if (known !== undefined) return known
    const taken = g.left - Math.max(0, this.held - (this.total - g.left))
    g.left -= taken
    g.expiresAt = this.now
    if (taken > 0) this.done.set(key, taken)
    return taken
  }
}

const DAY = 86_400_000
/** Few users and small numbers, so that actions collide, repeat and run out of symbols. */
const name = fc.constantFrom('a', 'b', 'c', 'd')
const symbols = fc.integer({ min: 1, max: 100 })
const action = fc.oneof(
  fc.record({ action: fc.constant('grant' as const), name, symbols, days: fc.option(fc.integer({ min: 1, max: 9 })) }),
  fc.record({ action: fc.constant('hold' as const), name, symbols }),
  fc.record({ action: fc.constant('extend' as const), name, symbols }),
  fc.record({ action: fc.constant('settle' as const), name, share: fc.constantFrom(0, 0.3, 1) }),
  fc.record({ action: fc.constant('release' as const), name }),
  fc.record({ action: fc.constant('spend' as const), name, symbols }),
  fc.record({ action: fc.constant('withdraw' as const), name, symbols }),
  fc.record({ action: fc.constant('takeBack' as const), name }),
  fc.record({ action: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 4 }) }),
)
type Step2 = typeof action extends fc.Arbitrary<infer T> ? T : never

const app = await testApp({ startSymbols: 0 })

test('random actions with repeats and crashes keep the ledger correct (S10.9, S10.5, S10.13, S10.35)', {
  timeout: 120_000,
}, async () => {
  const steps = fc.array(fc.tuple(action, fc.constantFrom(false, false, false, true)), {
    minLength: 5,
    maxLength: 30,
  })
  let run = 0
  await fc.assert(
    fc.asyncProperty(steps, async (actions) => {
      const { user } = await app.signIn()
      const model = new LedgerModel()
      run += 1
      for (const [step, crashes] of actions) await perform(user.id, `${run}`, model, step, crashes)
      expect(await reconcile(app.db)).toEqual([])
    }),
    { numRuns: propertyRuns(40) },
  )
})

async function perform(userId: string, run: string, model: LedgerModel, step: Step2, crashes: boolean) {
  if (step.action === 'wait') {
    model.now += step.days * DAY
    return
  }
  if (crashes) {
    // A crash after the action and before the commit of its transaction.
    const crash = app.db.transaction(async (tx) => {
      await applyTo(tx, userId, run, model, step)
      throw new Error('crash')
    })
    await expect(crash).rejects.toThrow('crash')
  } else {
    expect(await applyTo(app.db, userId, run, model, step)).toEqual(expected(model, step))
  }
  await agree(userId, model)
}

async function agree(userId: string, model: LedgerModel) {
  const now = new Date(model.now)
  const { availableTokens } = await balanceOf(app.db, userId, now)
  const [row] = await app.db.select().from(balances).where(eq(balances.userId, userId))
  const held = await app.db.select().from(grants).where(eq(grants.userId, userId)).orderBy(asc(grants.createdAt))
  expect(row?.held ?? 0).toBe(model.held)
  expect(availableTokens).toBeGreaterThanOrEqual(0)
  expect(row?.total ?? 0).toBe(held.reduce((sum, { remaining }) => sum + remaining, 0))
  const expired = model.grants.reduce((sum, g) => sum + (g.expiresAt <= model.now ? g.left : 0), 0)
  expect(availableTokens).toBe(model.total - Math.max(model.held, expired))
}

async function applyTo(db: TestApp['db'], userId: string, run: string, model: LedgerModel, step: Step2) {
  const now = new Date(model.now)
  const leaseUntil = new Date('2100-01-01')
  switch (step.action) {
    case 'grant': {
      const expiresAt = step.days === null ? null : new Date(model.now + step.days * DAY)
      const order = {
        key: `grant:${run}:${step.name}`,
        userId,
        kind: 'gift',
        symbols: step.symbols,
        expiresAt,
        note: `${run}:${step.name}`,
      } as const
      return (await grant(db, order, now)).posted
    }
    case 'hold':
      return hold(db, { key: `${run}:${step.name}`, userId, kind: 'answer', symbols: step.symbols, leaseUntil }, now)
    case 'extend':
      return extend(db, `${run}:${step.name}`, step.symbols, now)
    case 'settle': {
      const held = model.holds.get(step.name)?.symbols ?? 0
      return settle(db, `${run}:${step.name}`, Math.floor(held * step.share), {}, now)
    }
    case 'release':
      return release(db, `${run}:${step.name}`, now)
    case 'spend':
      return spend(db, { key: `spend:${run}:${step.name}`, userId, kind: 'balance', symbols: step.symbols }, now)
    case 'withdraw':
      return withdraw(db, { key: `withdraw:${run}:${step.name}`, userId, symbols: step.symbols, note: 'назад' }, now)
    case 'takeBack': {
      const [row] = await db
        .select()
        .from(grants)
        .where(eq(grants.note, `${run}:${step.name}`))
      return row ? takeBack(db, { key: `back:${run}:${step.name}`, grantId: row.id, kind: 'take_back' }, now) : null
    }
    default:
      return null
  }
}

function expected(model: LedgerModel, step: Step2) {
  switch (step.action) {
    case 'grant':
      return model.grant(`grant:${step.name}`, step.symbols, step.days)
    case 'hold':
      return model.hold(step.name, step.symbols)
    case 'extend':
      return model.extend(step.name, step.symbols)
    case 'settle':
      return model.settle(step.name, step.share)
    case 'release':
      return model.settle(step.name, 0)
    case 'spend':
      return model.spend(`spend:${step.name}`, step.symbols)
    case 'withdraw':
      return model.spend(`withdraw:${step.name}`, step.symbols)
    case 'takeBack':
      return model.takeBack(`back:${step.name}`, `grant:${step.name}`)
    default:
      return null
  }
}
