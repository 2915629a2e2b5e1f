import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { billingApi } from '#contract/billing.ts'
import { type PromoDraft, promocodesApi } from '#contract/promocodes.ts'
import { ledger, promoUses } from '#server/db/schema.ts'
import type { Limits } from '#server/http/limits.ts'
import { memoryLimits, type SignedIn, testApp } from '#server/testing/app.ts'
import { reconcile } from '../billing/invariants.ts'

let limits: Limits = async () => {}
const published: string[] = []
const app = await testApp({
  startSymbols: 0,
  deps: {
    limits: (...args) => limits(...args),
    publish: (userId, { topic }) => published.push(`${topic} ${userId}`),
  },
})
const owner = await app.signIn('owner@example.test')
afterAll(async () => expect(await reconcile(app.db)).toEqual([]))

let made = 0
async function aCode(terms: Partial<PromoDraft> = {}) {
  const code = `CODE-${++made}-${process.pid}`
  return owner.call(promocodesApi.create, { body: { code, symbols: terms.discountPercent ? 0 : 100, ...terms } })
}
const apply = (who: SignedIn, code: string, id = who.user.id) =>
  who.call(billingApi.applyPromocode, { params: { id }, body: { code } })
const usesOf = async (id: string) => (await owner.call(promocodesApi.get, { params: { id } })).uses

test('a code adds its symbols once, in any case, with an entry (S1.25, S5.31, S10.5, S10.85, S10.91)', async () => {
  const anna = await app.signIn()
  const { id, code, hint } = await aCode({ symbols: 250 })
  expect(await apply(anna, ` ${code.toLowerCase()} `)).toMatchObject({
    id: anna.user.id,
    SingleSubscription: { availableTokens: 250, active: true },
  })
  expect(await app.db.select().from(ledger).where(eq(ledger.userId, anna.user.id))).toMatchObject([
    { kind: 'promo', symbols: 250, key: `promo:${id}:${anna.user.id}`, note: `Промокод …${hint}` },
  ])
  expect(published).toContain(`profile ${anna.user.id}`)
  await expect(apply(anna, code)).rejects.toMatchObject({ status: 409, message: 'Вы уже применили этот код' })
  const boris = await app.signIn()
  await expect(apply(boris, code)).rejects.toMatchObject({ status: 409, message: 'Этот код уже использован' })
})

test('fifty parallel tries of a one-use code by ten people succeed once (S10.85, S10.94)', async () => {
  const { id, code } = await aCode({ symbols: 1000 })
  const people = await Promise.all(Array.from({ length: 10 }, () => app.signIn()))
  const tries = await Promise.allSettled(people.flatMap((who) => Array.from({ length: 5 }, () => apply(who, code))))
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const attempt of tries) {
    if (attempt.status === 'rejected') expect(attempt.reason).toMatchObject({ status: 409 })
  }
  expect(await usesOf(id)).toBe(1)
  expect(await app.db.select().from(promoUses).where(eq(promoUses.promoId, id))).toHaveLength(1)
  const given = await app.db
    .select()
    .from(ledger)
    .where(eq(ledger.note, `Промокод …${code.slice(-4)}`))
  expect(given.filter(({ key }) => key.startsWith(`promo:${id}:`))).toHaveLength(1)
})

test('fifty parallel tries by a person succeed once (S10.85)', async () => {
  const forAll = await aCode({ maxUses: null })
  const anna = await app.signIn()
  const alone = await Promise.allSettled(Array.from({ length: 50 }, () => apply(anna, forAll.code)))
  expect(alone.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await usesOf(forAll.id)).toBe(1)
  const forThree = await aCode({ maxUses: 3 })
  const people = await Promise.all(Array.from({ length: 6 }, () => app.signIn()))
  const tries = await Promise.allSettled(people.map((who) => apply(who, forThree.code)))
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(await usesOf(forThree.id)).toBe(3)
})

test('unknown, switched off and future codes give the same error (S5.31)', async () => {
  const anna = await app.signIn()
  const off = await aCode({ active: false })
  const notYet = await aCode({ startsAt: '2999-01-01T00:00:00Z' })
  const answers = []
  for (const code of [off.code, notYet.code, 'NO-SUCH-CODE', `${off.code}x`, 'вообще не код; drop table']) {
    answers.push(await apply(anna, code).catch(({ status, code, message }) => ({ status, code, message })))
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
    new Set([JSON.stringify({ status: 400, code: 'bad_request', message: 'Код недействителен' })]),
  )
})

test('expired codes and percent codes are explained and not counted (S10.85)', async () => {
  const anna = await app.signIn()
  const late = await aCode({ expiresAt: '2020-01-01T00:00:00Z' })
  await expect(apply(anna, late.code)).rejects.toMatchObject({ status: 409, message: 'Срок действия кода закончился' })
  const percent = await aCode({ discountPercent: 20 })
  await expect(apply(anna, percent.code)).rejects.toMatchObject({
    status: 409,
    message: 'Этот код даёт скидку: введите его при оформлении подписки',
  })
  expect([await usesOf(late.id), await usesOf(percent.id)]).toEqual([0, 0])
})

test('a code is valid between its dates (S10.85)', async () => {
  const anna = await app.signIn()
  const { id, code } = await aCode({ startsAt: '2026-01-01T00:00:00Z', expiresAt: '2999-01-01T00:00:00Z' })
  expect(await apply(anna, code)).toMatchObject({ id: anna.user.id })
  expect(await usesOf(id)).toBe(1)
})

test('a user applies codes only for themselves, an admin for anyone (S10.96)', async () => {
  const anna = await app.signIn()
  const boris = await app.signIn()
  const { id, code } = await aCode()
  await expect(apply(boris, code, anna.user.id)).rejects.toMatchObject({ status: 404 })
  await expect(apply(owner, code, 'no-such-user')).rejects.toMatchObject({ status: 404 })
  expect(await usesOf(id)).toBe(0)
  expect(await apply(owner, code, anna.user.id)).toMatchObject({ id: anna.user.id })
  for (const code of ['', '  ', 'я'.repeat(101)]) {
    await expect(apply(anna, code)).rejects.toMatchObject({ status: 400, field: 'code' })
  }
})

test('a user has 10 wrong attempts an hour; right codes are free (S10.94)', async () => {
  limits = memoryLimits()
  const anna = await app.signIn()
  const codes = await Promise.all(Array.from({ length: 13 }, () => aCode()))
  for (const { code } of codes.slice(0, 12)) await apply(anna, code)
  const guesses = await Promise.allSettled(Array.from({ length: 12 }, (_, i) => apply(anna, `GUESS-${i}`)))
  const statuses = guesses.map((guess) => (guess.status === 'rejected' ? guess.reason.status : 200))
  expect(statuses.toSorted()).toEqual([...Array(10).fill(400), 429, 429])
  await expect(apply(anna, codes[12]?.code ?? '')).rejects.toMatchObject({ status: 429 })
  limits = async () => {}
})

test('an address has 30 wrong attempts an hour, across users (S10.94)', async () => {
  limits = memoryLimits()
  const people = await Promise.all(Array.from({ length: 4 }, () => app.signIn()))
  const statuses: number[] = []
  for (const who of people) {
    for (let i = 0; i < 9; i++) {
      statuses.push(
        await apply(who, `TRY-${i}`).then(
          () => 200,
          ({ status }) => status,
        ),
      )
    }
  }
  expect(statuses).toEqual([...Array(30).fill(400), ...Array(6).fill(429)])
  limits = async () => {}
})
