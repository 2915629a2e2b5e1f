import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { bundlesApi, PlanDraft, plansApi } from '#contract/plans.ts'
import { bundles, plans, planVersions } from '#server/db/schema.ts'
import { seedOffer } from './plans.ts'
import { startPaidApp } from './testing/paid-app.ts'

const app = await startPaidApp()

test('a user sees plans on sale in order, an admin sees all (S1.29)', async () => {
  const second = await app.aPlan({ name: 'Второй', position: 2 })
  const first = await app.aPlan({ name: 'Первый', position: 1 })
  const hidden = await app.aPlan({ name: 'Снятый', position: 3 })
  await app.owner.call(plansApi.update, { params: { id: hidden.id }, body: { active: false } })
  const anna = await app.signIn()
  expect((await anna.call(plansApi.list, {})).map(({ id }) => id)).toEqual([first.id, second.id])
  expect((await app.owner.call(plansApi.list, {})).map(({ id }) => id)).toEqual([first.id, second.id, hidden.id])
})

test('a price of zero is rejected with its field and an explanation', async () => {
  const response = await app.owner.post('/api/plans', { name: 'Даром', symbols: 1, price: 0, currency: 'BYN' })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    field: 'price',
    message: 'Сумма должна быть больше нуля.',
  })
})

test('only a new price makes a new version of the plan (S1.29, S10.77)', async () => {
  const { id } = await app.aPlan({ price: 990 })
  const renamed = await app.owner.call(plansApi.update, { params: { id }, body: { name: 'Иначе' } })
  expect(renamed).toMatchObject({ name: 'Иначе', price: 990 })
  const dearer = await app.owner.call(plansApi.update, { params: { id }, body: { price: 1490 } })
  expect(dearer).toMatchObject({ id, name: 'Иначе', price: 1490, symbols: 1000 })
  const versions = await app.db.select().from(planVersions).where(eq(planVersions.planId, id))
  expect(versions.map(({ price, current }) => [price, current]).sort()).toEqual([
    [1490, true],
    [990, false],
  ])
})

test('two simultaneous prices leave a single version on sale', async () => {
  const { id } = await app.aPlan()
  const prices = [1100, 1200, 1300, 1400]
  await Promise.all(prices.map((price) => app.owner.call(plansApi.update, { params: { id }, body: { price } })))
  const onSale = (await app.owner.call(plansApi.list, {})).filter((plan) => plan.id === id)
  expect(onSale).toHaveLength(1)
  expect(prices).toContain(onSale[0]?.price)
})

test('an invalid plan names its field; an unknown plan is a 404', async () => {
  const draft = { name: 'Тариф', symbols: 10, price: 100, currency: 'рубль' }
  await expect(app.owner.call(plansApi.create, { body: draft })).rejects.toMatchObject({
    status: 400,
    field: 'currency',
  })
  const change = app.owner.call(plansApi.update, { params: { id: 'none' }, body: { price: 5 } })
  await expect(change).rejects.toMatchObject({ status: 404 })
})

test('a bundle is changed, and deleted from sale for good (S1.29)', async () => {
  const { id } = await app.aBundle()
  const changed = await app.owner.call(bundlesApi.update, { params: { id }, body: { price: 400 } })
  expect(changed).toMatchObject({ id, price: 400, symbols: 500 })
  const anna = await app.signIn()
  expect(await anna.call(bundlesApi.list, {})).toMatchObject([{ id, price: 400 }])
  expect(await app.owner.call(bundlesApi.delete, { params: { id } })).toMatchObject({ id, active: false })
  expect(await anna.call(bundlesApi.list, {})).toEqual([])
  expect(await app.owner.call(bundlesApi.list, {})).toEqual([])
  await expect(app.owner.call(bundlesApi.delete, { params: { id } })).rejects.toMatchObject({ status: 404 })
  const back = app.owner.call(bundlesApi.update, { params: { id }, body: { active: true } })
  await expect(back).rejects.toMatchObject({ status: 404 })
})

test('a single call with all ids orders plans and bundles (S1.29)', async () => {
  const names = async () => (await app.owner.call(plansApi.list, {})).map(({ id }) => id)
  await app.aPlan({ name: 'Ещё один', position: 7 })
  const turned = (await names()).toReversed()
  expect((await app.owner.call(plansApi.reorder, { body: { ids: turned } })).map(({ id }) => id)).toEqual(turned)
  expect(await names()).toEqual(turned)
  const positions = (await app.owner.call(plansApi.list, {})).map(({ position }) => position)
  expect(positions).toEqual(turned.map((_, index) => index))

  const pack = await app.aBundle()
  const gone = await app.aBundle()
  const last = await app.aBundle()
  await app.owner.call(bundlesApi.delete, { params: { id: gone.id } })
  const order = await app.owner.call(bundlesApi.reorder, { body: { ids: [last.id, pack.id] } })
  expect(order.map(({ id }) => id)).toEqual([last.id, pack.id])
})

test('a reorder with a missing, repeated or unknown id changes nothing', async () => {
  const before = (await app.owner.call(plansApi.list, {})).map(({ id }) => id)
  const [first = '', ...rest] = before
  for (const ids of [rest, [...rest, 'no-such-plan'], [...before, 'one-more']]) {
    await expect(app.owner.call(plansApi.reorder, { body: { ids } })).rejects.toMatchObject({ status: 409 })
  }
  const twice = { ids: [first, first, ...rest.slice(1)] }
  await expect(app.owner.call(plansApi.reorder, { body: twice })).rejects.toMatchObject({ status: 400 })
  expect((await app.owner.call(plansApi.list, {})).map(({ id }) => id)).toEqual(before)
})

test('an invalid plan is rejected with the sentence that the form shows', async () => {
  const draft = { name: 'Тариф', symbols: 10, price: 100, currency: 'BYN' }
  for (const [change, field] of [
    [{ name: ' ' }, 'name'],
    [{ symbols: 0 }, 'symbols'],
    [{ price: 0 }, 'price'],
    [{ intervalDays: 400 }, 'intervalDays'],
  ] as const) {
    const wrong = { ...draft, ...change }
    const shown = PlanDraft.safeParse(wrong).error?.issues[0]?.message
    expect(shown).toMatch(/[а-я]/)
    const response = await app.owner.post('/api/plans', wrong)
    expect(await response.json()).toMatchObject({ status: 400, field, message: `${shown}.` })
  }
})

test('the demo gets plans and bundles once', async () => {
  await app.db.transaction(async (tx) => {
    await tx.delete(planVersions)
    await tx.delete(plans)
    await tx.delete(bundles)
  })
  await seedOffer(app.db)
  await seedOffer(app.db)
  const anna = await app.signIn()
  expect((await anna.call(plansApi.list, {})).map(({ name }) => name)).toEqual(['Старт', 'Про'])
  expect(await anna.call(bundlesApi.list, {})).toHaveLength(3)
})
