import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { authAdminApi } from '#contract/auth-admin.ts'
import { addressOf } from '#contract/endpoint.ts'
import { type DocumentKind, legalAdminApi, legalApi } from '#contract/legal.ts'
import { pageApi } from '#contract/page.ts'
import { threadsApi } from '#contract/threads.ts'
import { usersApi } from '#contract/users.ts'
import {
  auditLog,
  consents,
  legalConsents,
  orders,
  plans,
  planVersions,
  subscriptions,
  users,
} from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { memoryLimits, type SignedIn, startTestApp, testApp } from '#server/testing/app.ts'
import { hashOf } from './documents.ts'
import { agree, publish } from './testing/publish.ts'

let anna: SignedIn
const app = await testApp({ settings: { trustedProxies: 1 } })
const owner = await app.signIn('owner@example.test')
await publish(owner, 'offer', 'Оферта, первая')
await publish(owner, 'personal-data', 'Согласие, первое')
beforeEach(async () => {
  anna = await app.signIn()
})

const version = async (kind: DocumentKind) =>
  (await app.visitor().call(legalApi.read, { params: { kind }, query: {} })).version
const write = (person: SignedIn) => person.call(threadsApi.create, { body: {} })
const neededKinds = async (person: SignedIn) => (await person.call(legalApi.needed, {})).map(({ kind }) => kind)
const give = (person: SignedIn, kind: 'offer' | 'personal-data', number: number) =>
  person.call(legalApi.give, { body: { documents: [{ kind, version: number }] } })
const rowsOf = (person: SignedIn) => app.db.select().from(legalConsents).where(eq(legalConsents.userId, person.user.id))

test('a new person is asked for both consents and must give both (S10.202)', async () => {
  expect((await anna.call(pageApi.state, {})).user?.lacksConsent).toBe(true)
  expect(await neededKinds(anna)).toEqual(['offer', 'personal-data'])
  await expect(write(anna)).rejects.toMatchObject({
    ...{ status: 403, code: 'consent_required', message: expect.stringContaining('«Оферта»') },
  })
  await give(anna, 'offer', await version('offer'))
  expect(await neededKinds(anna)).toEqual(['personal-data'])
  await expect(write(anna)).rejects.toMatchObject({ code: 'consent_required' })
  expect(await give(anna, 'personal-data', await version('personal-data'))).toEqual([])
  expect(await write(anna)).toMatchObject({ id: expect.any(String) })
  expect((await anna.call(pageApi.state, {})).user).not.toHaveProperty('lacksConsent')
})

test('a consent is stored with version, hash, address and browser name (S10.205)', async () => {
  const number = await version('offer')
  const headers = { 'x-forwarded-for': '203.0.113.5', 'user-agent': `Browser ${'x'.repeat(500)}` }
  await anna.post('/api/consents', { documents: [{ kind: 'offer', version: number }] }, headers)
  const [row] = await rowsOf(anna)
  expect(row).toMatchObject({
    ...{ kind: 'offer', version: number, ip: '203.0.113.5', withdrawnAt: null },
    hash: hashOf('Оферта, первая'),
  })
  expect(row?.userAgent).toHaveLength(200)
})

test('giving a consent twice, or many times at once, stores it once (S10.204)', async () => {
  const number = await version('offer')
  await Promise.all(Array.from({ length: 8 }, () => give(anna, 'offer', number)))
  await give(anna, 'offer', number)
  expect(await rowsOf(anna)).toHaveLength(1)
})

test('only the version in force can be agreed to (S10.204)', async () => {
  await publish(owner, 'offer', 'Оферта, вторая')
  const number = await version('offer')
  for (const wrong of [number - 1, number + 1])
    await expect(give(anna, 'offer', wrong)).rejects.toMatchObject({ status: 409 })
  expect(await rowsOf(anna)).toEqual([])
})

test('a new version asks again, a corrected typo does not (S10.204)', async () => {
  await agree(anna)
  await publish(owner, 'offer', 'Оферта, третья')
  expect(await anna.call(legalApi.needed, {})).toEqual([
    { kind: 'offer', version: await version('offer'), agreedBefore: true },
  ])
  await expect(write(anna)).rejects.toMatchObject({ code: 'consent_required' })
  await agree(anna)
  await publish(owner, 'offer', 'Оферта, третья, без опечатки', false)
  expect(await neededKinds(anna)).toEqual([])
  await write(anna)
  // A person who comes later agrees to the newest text.
  const boris = await app.signIn()
  await agree(boris)
  expect((await rowsOf(boris)).find(({ kind }) => kind === 'offer')?.version).toBe(await version('offer'))
  expect(await neededKinds(boris)).toEqual([])
})

test('documents that need no consent do not ask', async () => {
  await agree(anna)
  await publish(owner, 'privacy', 'Политика')
  await publish(owner, 'requisites', 'ООО «Ромашка»')
  expect(await neededKinds(anna)).toEqual([])
})

test('a withdrawn consent stops its calls and can be given again (S10.205)', async () => {
  await agree(anna)
  const { documents } = await anna.call(legalApi.withdraw, { body: { kind: 'personal-data' } })
  expect(documents.find(({ kind }) => kind === 'personal-data')).toMatchObject({ withdrawnAt: expect.any(String) })
  expect(documents.find(({ kind }) => kind === 'offer')).toMatchObject({ withdrawnAt: null })
  await expect(write(anna)).rejects.toMatchObject({ code: 'consent_required' })
  // Calls that a user needs for leaving require no consent.
  await anna.call(usersApi.me, {})
  expect((await anna.fetch(addressOf(usersApi.export, { params: { id: anna.user.id } }))).status).toBe(200)
  await agree(anna)
  await write(anna)
  const own = (await rowsOf(anna)).filter(({ kind }) => kind === 'personal-data')
  expect(own.map(({ withdrawnAt }) => withdrawnAt === null).sort()).toEqual([false, true])
})

test('people see and withdraw only their own consents (S10.206)', async () => {
  const boris = await app.signIn()
  await agree(anna)
  await agree(boris)
  await boris.call(legalApi.withdraw, { body: { kind: 'offer' } })
  expect(await neededKinds(anna)).toEqual([])
  const { documents } = await anna.call(legalApi.mine, {})
  expect(documents).toHaveLength(2)
  expect(documents.every(({ withdrawnAt }) => withdrawnAt === null)).toBe(true)
})

test('consents to renewals are in the same list, with the plan', async () => {
  const planId = newId()
  await app.db.insert(plans).values({ id: planId, name: 'Личный' })
  const terms = { planId, symbols: 10, price: 990, currency: 'BYN', intervalDays: 30 }
  await app.db.insert(planVersions).values({ id: planId, ...terms })
  const row = { id: newId(), userId: anna.user.id, planVersionId: planId, textVersion: '2026-12', ip: '203.0.113.9' }
  await app.db.insert(consents).values(row)
  expect((await anna.call(legalApi.mine, {})).renewals).toMatchObject([
    { plan: 'Личный', textVersion: '2026-12', state: 'unused' },
  ])
})

describe('a consent to renewal', () => {
  const day = (number: number) => new Date(Date.UTC(2026, 0, number))
  const statesOf = async () =>
    (await anna.call(legalApi.mine, {})).renewals.map(({ plan, state }) => `${plan} ${state}`)

  async function aPlan(name: string) {
    const id = newId()
    await app.db.insert(plans).values({ id, name: `${name} ${id}` })
    const terms = { planId: id, symbols: 10, price: 990, currency: 'BYN', intervalDays: 30 }
    await app.db.insert(planVersions).values({ id, ...terms })
    return { id, name: `${name} ${id}` }
  }
  const agreeTo = (planVersionId: string, createdAt: Date) =>
    app.db.insert(consents).values({
      ...{ id: newId(), userId: anna.user.id, planVersionId, textVersion: '2026-12', ip: '203.0.113.9', createdAt },
    })
  async function pay(planVersionId: string, at: Date, more: Partial<typeof orders.$inferInsert> = {}) {
    const id = newId()
    const money = { title: 'Тариф', symbols: 10, amount: 990, currency: 'BYN' }
    const paid = { status: 'paid', paidAt: at, createdAt: at, gatewayUid: id } as const
    await app.db.insert(orders).values({
      ...{ id, userId: anna.user.id, gateway: 'yookassa', kind: 'plan', planVersionId, ...money, ...paid, ...more },
    })
  }
  async function subscribe(planVersionId: string, more: Partial<typeof subscriptions.$inferInsert> = {}) {
    const id = newId()
    await app.db.insert(subscriptions).values({
      ...{ id, gateway: 'yookassa', gatewayId: id, userId: anna.user.id, planVersionId, state: 'active' },
      ...{ activeTo: day(40), renewAt: day(40), ...more },
    })
    return id
  }

  test('of declined tries was never used (S10.1604)', async () => {
    const { id, name } = await aPlan('Личный')
    for (const at of [1, 2, 3, 4]) await agreeTo(id, day(at))
    await pay(id, day(5))
    await subscribe(id)
    expect(await statesOf()).toEqual([`${name} active`, `${name} unused`, `${name} unused`, `${name} unused`])
  })

  test('of a plan that was sold once is not used (S10.1604)', async () => {
    const { id, name } = await aPlan('Личный')
    await agreeTo(id, day(1))
    await pay(id, day(2), { renews: false })
    await subscribe(id, { state: 'once', renewAt: null })
    expect(await statesOf()).toEqual([`${name} unused`])
  })

  test('ends with the renewal, and with another plan (S10.1604)', async () => {
    const [first, next] = [await aPlan('Первый'), await aPlan('Второй')]
    await agreeTo(first.id, day(1))
    await pay(first.id, day(2))
    const id = await subscribe(first.id)
    await agreeTo(next.id, day(3))
    await app.db.update(subscriptions).set({ nextPlanVersionId: next.id }).where(eq(subscriptions.id, id))
    expect(await statesOf()).toEqual([`${next.name} active`, `${first.name} active`])
    await pay(next.id, day(4), { kind: 'renewal', subscriptionId: id })
    const changed = { planVersionId: next.id, nextPlanVersionId: null }
    await app.db.update(subscriptions).set(changed).where(eq(subscriptions.id, id))
    expect(await statesOf()).toEqual([`${next.name} active`, `${first.name} ended`])
    await app.db
      .update(subscriptions)
      .set({ cancelRequestedAt: day(5) })
      .where(eq(subscriptions.id, id))
    expect(await statesOf()).toEqual([`${next.name} ended`, `${first.name} ended`])
  })
})

test('an impersonating admin is not asked and cannot agree (S10.206)', async () => {
  const admin = await app.signIn('owner@example.test')
  await admin.call(authAdminApi.impersonateUser, { body: { userId: anna.user.id } })
  expect((await admin.call(pageApi.state, {})).user).not.toHaveProperty('lacksConsent')
  const number = await version('offer')
  await expect(give(admin, 'offer', number)).rejects.toMatchObject({ code: 'impersonated' })
  await expect(admin.call(legalApi.withdraw, { body: { kind: 'offer' } })).rejects.toMatchObject({
    code: 'impersonated',
  })
  expect(await rowsOf(anna)).toEqual([])
})

test('an owner without consents keeps the admin area, but not chats (S10.203)', async () => {
  await app.db.delete(legalConsents).where(eq(legalConsents.userId, owner.user.id))
  expect((await owner.call(legalAdminApi.list, {})).length).toBe(4)
  await publish(owner, 'privacy', `Политика ${newId()}`)
  await expect(write(owner)).rejects.toMatchObject({ code: 'consent_required' })
})

test('a person’s export has the consents with everything stored (S10.207)', async () => {
  await agree(anna)
  const file = await anna.fetch(addressOf(usersApi.export, { params: { id: anna.user.id } }))
  const { documentConsents } = (await file.json()) as { documentConsents: object[] }
  expect(documentConsents).toHaveLength(2)
  expect(documentConsents[0]).toMatchObject({ version: expect.any(Number), hash: expect.any(String), ip: '127.0.0.1' })
})

test('a deleted account leaves consents without person, address or browser (S10.207)', async () => {
  await agree(anna)
  const [row] = await rowsOf(anna)
  await app.db.delete(users).where(eq(users.id, anna.user.id))
  const left = await app.db
    .select()
    .from(legalConsents)
    .where(eq(legalConsents.id, row?.id ?? ''))
  expect(left).toMatchObject([{ userId: null, ip: '', userAgent: '', version: row?.version }])
})

test('the inspector’s file names who agreed when, without formulas, and is audited (S10.207)', async () => {
  const documents = [{ kind: 'offer', version: await version('offer') }]
  await anna.post('/api/consents', { documents }, { 'user-agent': '=HYPERLINK("http://evil.test")' })
  await anna.call(legalApi.withdraw, { body: { kind: 'offer' } })
  const file = await owner.fetch(legalAdminApi.csv.path)
  expect(file.headers.get('content-type')).toContain('text/csv')
  const text = await file.text()
  const line = text.split('\r\n').find((one) => one.includes(anna.user.email))
  expect(line).toContain('Оферта')
  expect(line).toContain(`'=HYPERLINK`)
  expect(line).toMatch(/[0-9a-f]{64};\d{4}-\d\d-\d\d [\d:]+;\d{4}-\d\d-\d\d [\d:]+;/)
  expect(await app.db.$count(auditLog, eq(auditLog.action, 'document.download'))).toBe(1)
  expect((await anna.fetch(legalAdminApi.csv.path)).status).toBe(403)
})

test('consents and withdrawals are limited per person', async () => {
  const limited = await startTestApp({ deps: { limits: memoryLimits() }, database: app.database })
  const person = await limited.signIn()
  const body = { kind: 'offer' }
  const statuses: number[] = []
  for (let n = 0; n < 31; n++) statuses.push((await person.post('/api/consents/withdraw', body)).status)
  expect(statuses.slice(0, 30)).toEqual(Array(30).fill(200))
  expect(statuses[30]).toBe(429)
  await limited.close()
})
