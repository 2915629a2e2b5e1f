import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { billingApi } from '#contract/billing.ts'
import { usersAdminApi } from '#contract/users-admin.ts'
import { plans, planVersions, subscriptions, users } from '#server/db/schema.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'
import { spend } from '../billing/ledger.ts'

const DAY_MS = 86_400_000
const people: Record<string, SignedIn> = {}
const app = await testApp({ startSymbols: 100 })
const owner = await app.signIn('owner@example.test')
for (const name of ['anna.petrova', 'boris', 'vera_100%'])
  people[name] = await app.signIn(`${name.replace('%', '')}@mail.test`)

const idOf = (name: string) => people[name]?.user.id ?? ''
const change = (name: string, values: Partial<typeof users.$inferInsert>) =>
  app.db
    .update(users)
    .set(values)
    .where(eq(users.id, idOf(name)))

await change('anna.petrova', { name: 'Анна Королёва' })
await change('boris', {
  name: '=БОРИС',
  banned: true,
  createdAt: new Date('2026-03-10T12:00:00Z'),
  lastSeenAt: new Date(Date.now() - 40 * DAY_MS),
})
await change('vera_100%', { name: 'Вера 100%', banned: true, banExpires: new Date(Date.now() - DAY_MS) })

type Query = Parameters<typeof list>[0]
const list = (query: Record<string, string | number>) => owner.call(usersAdminApi.list, { query })
async function found(query: Query): Promise<string[]> {
  const { items, total } = await list({ sort: 'email', ...query })
  expect(total).toBe(items.length)
  return items.map(({ email }) => email.split('@')[0] ?? '')
}

test('users are found by parts of email or name, and by id', async () => {
  expect(await found({ query: 'PETROVA' })).toEqual(['anna.petrova'])
  expect(await found({ query: 'mail.test' })).toEqual(['anna.petrova', 'boris', 'vera_100'])
  expect(await found({ query: 'анна к' })).toEqual(['anna.petrova'])
  expect(await found({ query: 'КОРОЛЕВА' })).toEqual(['anna.petrova'])
  expect(await found({ query: 'борис' })).toEqual(['boris'])
  expect(await found({ query: ` ${idOf('boris')} ` })).toEqual(['boris'])
})

test('wildcards of LIKE are searched literally', async () => {
  expect(await found({ query: '%' })).toEqual(['vera_100'])
  expect(await found({ query: '_' })).toEqual(['vera_100'])
  expect(await found({ query: "'; drop table users; --" })).toEqual([])
})

test('a row has the user, balance, spent symbols and active ban', async () => {
  await spend(app.db, { key: 'spent:1', userId: idOf('anna.petrova'), kind: 'answer', symbols: 30 })
  const { items } = await list({ query: 'mail.test', sort: 'email' })
  expect(items).toMatchObject([
    { name: 'Анна Королёва', role: 'user', balance: 70, spent: 30, banned: false, plan: null },
    { name: '=БОРИС', balance: 100, spent: 0, banned: true },
    { name: 'Вера 100%', banned: false },
  ])
  expect(Object.keys(items[0] ?? {})).not.toContain('image')
})

test('filters narrow by role, ban, activity and the day of registration', async () => {
  expect(await found({ role: 'admin' })).toEqual(['owner'])
  expect(await found({ banned: 'true' })).toEqual(['boris'])
  expect(await found({ banned: 'false', query: 'mail.test' })).toEqual(['anna.petrova', 'vera_100'])
  expect(await found({ idleDays: 30 })).toEqual(['boris'])
  expect(await found({ activeDays: 7, query: 'mail.test' })).toEqual(['anna.petrova', 'vera_100'])
  expect(await found({ from: '2026-03-10', to: '2026-03-10' })).toEqual(['boris'])
  expect(await found({ to: '2026-03-09' })).toEqual([])
})

test('filters narrow by balance and plan, and balances can be sorted', async () => {
  await owner.call(billingApi.gift, { params: { id: idOf('vera_100%') }, body: { symbols: 900, reason: 'проба' } })
  expect(await found({ balanceFrom: 1000 })).toEqual(['vera_100'])
  expect(await found({ balanceTo: 70, query: 'mail.test' })).toEqual(['anna.petrova'])
  const sorted = await list({ query: 'mail.test', sort: '-balance' })
  expect(sorted.items.map(({ balance }) => balance)).toEqual([1000, 100, 70])

  const [plan] = await app.db.insert(plans).values({ id: 'plan-a', name: 'Личный' }).returning()
  const planId = plan?.id ?? ''
  const terms = { symbols: 1, price: 1, currency: 'BYN', intervalDays: 30 }
  await app.db.insert(planVersions).values({ id: 'version-a', planId, ...terms })
  await app.db.insert(subscriptions).values({
    id: 'subscription-a',
    gatewayId: 'gateway-a',
    userId: idOf('boris'),
    planVersionId: 'version-a',
    state: 'active',
    activeTo: new Date(Date.now() + DAY_MS),
  })
  expect(await found({ plan: planId })).toEqual(['boris'])
  expect(await found({ plan: 'any' })).toEqual(['boris'])
  expect(await found({ plan: 'other' })).toEqual([])
  expect(await found({ plan: 'none', query: 'mail.test' })).toEqual(['anna.petrova', 'vera_100'])
  expect((await list({ query: 'boris' })).items[0]?.plan).toEqual({ id: planId, name: 'Личный' })
})

test('pages are complete with a total; invalid values name the field', async () => {
  const pages = await Promise.all([1, 2].map((page) => list({ sort: 'email', size: 3, page })))
  expect(pages.map(({ items, total }) => [items.length, total])).toEqual([
    [3, 4],
    [1, 4],
  ])
  for (const [query, field] of [
    [{ sort: 'password' }, 'sort'],
    [{ role: 'emperor' }, 'role'],
    [{ balanceFrom: '-1' }, 'balanceFrom'],
    [{ from: '2026-02-31' }, 'from'],
  ] as const)
    await expect(list(query as Query)).rejects.toMatchObject({ status: 400, field })
})

test('the CSV has the same filters, and no cell is a formula', async () => {
  const answer = await owner.fetch(`${usersAdminApi.csv.path}?query=mail.test&banned=true`)
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const lines = (await answer.text()).trimEnd().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(/^Номер;Почта;Имя;Роль;Тариф;/)
  expect(lines[1]).toContain(`${idOf('boris')};boris@mail.test;'=БОРИС;пользователь;Личный;100;0;2026-03-10 15:00:00;`)
  expect((await people.boris?.fetch(usersAdminApi.csv.path))?.status).toBe(403)
})

test('a CSV of many pages has each user once', async () => {
  await app.db.insert(users).values(
    Array.from({ length: 1100 }, (_, index) => ({
      id: `0190-${String(index).padStart(5, '0')}`,
      name: `Гость ${index}`,
      email: `guest-${index}@many.test`,
    })),
  )
  const text = await (await owner.fetch(`${usersAdminApi.csv.path}?query=many.test`)).text()
  const emails = text.match(/guest-\d+@many\.test/g) ?? []
  expect(new Set(emails).size).toBe(1100)
  expect(emails).toHaveLength(1100)
})
